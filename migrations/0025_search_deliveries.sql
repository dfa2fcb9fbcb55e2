-- The search of deliveries reads its own rows alone, whatever it is by. The first two are written once, with the delivery;
-- the others hold the dead ones only, which are few.
CREATE INDEX webhook_deliveries_by_name ON webhook_deliveries (organization_id, event, created_at, id);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_dead_newest ON webhook_deliveries (organization_id, created_at, id) WHERE status = 'dead';
CREATE INDEX webhook_deliveries_dead_of_endpoint ON webhook_deliveries (endpoint_id, created_at, id) WHERE status = 'dead';

-- What the owner is to be mailed about: that deliveries die in a row, or that the endpoint was disabled for it.
ALTER TABLE webhook_endpoints ADD COLUMN notice TEXT NOT NULL DEFAULT 'disabled' CHECK (notice IN ('warning', 'disabled'));
