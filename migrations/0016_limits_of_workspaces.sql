-- Written by npm run migration from src/database.ts: change its sources.
DROP TRIGGER IF EXISTS organizations_stamp;
CREATE TRIGGER IF NOT EXISTS organizations_stamp AFTER UPDATE OF slug, name, plan, currency, features, on_send_status_label, requests_per_minute ON organizations WHEN NEW.updated_at <= OLD.updated_at AND NEW.updated_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now') BEGIN UPDATE organizations SET updated_at = max(OLD.updated_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) WHERE id = NEW.id; END;
