-- A workspace that moves has the state moving, or switching for the moment in which its cell changes.
CREATE INDEX organizations_switching ON organizations (id) WHERE state = 'switching';
ALTER TABLE organizations ADD COLUMN moved_from TEXT; -- the cell from which it came
ALTER TABLE organizations ADD COLUMN moved_at TEXT;

-- Hashes of links and codes without a prefix whose workspace is not in the first cell.
CREATE TABLE old_links (
  hash TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX old_links_by_organization ON old_links (organization_id);
CREATE TRIGGER organizations_delete_old_links AFTER DELETE ON organizations BEGIN DELETE FROM old_links WHERE organization_id = OLD.id; END;
