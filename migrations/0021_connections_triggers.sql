-- Written by npm run migration from src/database.ts: change its sources.
CREATE TRIGGER IF NOT EXISTS connections_organization_kept BEFORE UPDATE OF organization_id ON connections WHEN NEW.organization_id <> OLD.organization_id BEGIN SELECT RAISE(ABORT, 'organization_kept'); END;
