-- What a replay or a new address leaves behind, for the figures of an endpoint.
ALTER TABLE webhook_deliveries ADD COLUMN replayed_at TEXT;
CREATE INDEX webhook_deliveries_replayed ON webhook_deliveries (endpoint_id, replayed_at)
  WHERE replayed_at IS NOT NULL;
ALTER TABLE webhook_endpoints ADD COLUMN url_changed_at TEXT;
