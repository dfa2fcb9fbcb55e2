-- The workspaces whose entry in the directory of cells is out of date. A service of one cell has no directory: no row.
CREATE TABLE directory_changes (
  id TEXT PRIMARY KEY, -- of the organization; '' marks the database of a cell, and only there do triggers add rows
  changes INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
