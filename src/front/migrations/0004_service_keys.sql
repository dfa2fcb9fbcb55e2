-- The cell in which a key of an operation on whole workspaces was first used. Its ledger has the key's entry.
CREATE TABLE service_keys (
  key TEXT PRIMARY KEY,
  cell TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX service_keys_by_time ON service_keys (created_at);
