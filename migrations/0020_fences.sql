-- The workspaces that are closed by themselves, while they are imported or moved.
CREATE TABLE fences (
  id TEXT PRIMARY KEY, -- of the organization, whose row may not be there yet
  hides INTEGER NOT NULL CHECK (hides IN (0, 1)) -- 1: its rows are not all there, so reads are refused too
) STRICT, WITHOUT ROWID;
