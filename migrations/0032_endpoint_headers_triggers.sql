-- Written by npm run migration from src/database.ts: change its sources.
DROP TRIGGER IF EXISTS webhook_endpoints_stamp;
CREATE TRIGGER IF NOT EXISTS webhook_endpoints_stamp AFTER UPDATE OF url, description, events, enabled, secret_encrypted, previous_secret_encrypted, headers_encrypted, deleted_at ON webhook_endpoints WHEN NEW.updated_at <= OLD.updated_at AND NEW.updated_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now') BEGIN UPDATE webhook_endpoints SET updated_at = max(OLD.updated_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) WHERE id = NEW.id; END;
