ALTER TABLE webhook_deliveries ADD COLUMN held_due_at TEXT; -- of a held one: when it was due before it was held
ALTER TABLE webhook_deliveries ADD COLUMN failed_at TEXT; -- when its last attempt failed; NULL: none yet, or it was delivered

UPDATE webhook_deliveries SET failed_at = (SELECT max(attempted_at) FROM webhook_attempts WHERE delivery_id = webhook_deliveries.id)
WHERE status <> 'delivered' AND attempts > 0;

-- For the health figures; a delivered webhook has no row in it.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, failed_at) WHERE failed_at IS NOT NULL;
