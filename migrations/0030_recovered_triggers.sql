-- Written by npm run migration from src/database.ts: change its sources.
CREATE TRIGGER IF NOT EXISTS webhook_endpoints_moved AFTER UPDATE OF url ON webhook_endpoints WHEN NEW.url <> OLD.url BEGIN UPDATE webhook_endpoints SET url_changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), consecutive_failures = 0, consecutive_dead = 0 WHERE id = NEW.id; END;
