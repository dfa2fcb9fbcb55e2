-- Workspaces that move to another cell, and copies of workspaces that come from one (docs/design/cells.md).
CREATE TABLE moves (
  id TEXT PRIMARY KEY, -- of the organization
  side TEXT NOT NULL, -- from: this cell is the old one; to: the new one
  cell TEXT NOT NULL, -- the other cell
  state TEXT NOT NULL DEFAULT 'copying', -- copying, quiet, closed, switching, switched, back
  since TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- of the state
  mover TEXT NOT NULL, -- the current mover
  seen_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- when the mover was last seen
  notes INTEGER NOT NULL CHECK (notes IN (0, 1)), -- 1: triggers note what changes
  position TEXT, -- of a copy: where it continues (JSON)
  actor TEXT NOT NULL, -- who began it, for the audit log
  operator TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- Rows of a moving workspace that changed since the move began.
CREATE TABLE move_changes (
  move TEXT NOT NULL, -- of the organization
  name TEXT NOT NULL, -- of the table
  key TEXT NOT NULL, -- the values that identify the row (JSON)
  gone INTEGER NOT NULL CHECK (gone IN (0, 1)), -- 1: it was deleted
  changes INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (move, name, key)
) STRICT, WITHOUT ROWID;
