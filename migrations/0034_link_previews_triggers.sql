-- Written by npm run migration from src/database.ts: change its sources.
DROP TRIGGER IF EXISTS brands_stamp;
CREATE TRIGGER IF NOT EXISTS brands_stamp AFTER UPDATE OF accent, logo_sha256, link_previews ON brands WHEN NEW.updated_at <= OLD.updated_at AND NEW.updated_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now') BEGIN UPDATE brands SET updated_at = max(OLD.updated_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) WHERE id = NEW.id; END;
