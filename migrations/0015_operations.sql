-- A workspace's own ceiling of requests a minute; NULL: its plan's.
ALTER TABLE organizations ADD COLUMN requests_per_minute INTEGER CHECK (requests_per_minute > 0);

-- The ledger of operations outside every workspace, and of the one that erases a workspace with its ledger: what
-- `requests` is to a workspace.
CREATE TABLE service_requests (
  key TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL, -- SHA-256 of what makes two requests the same request
  request_id TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  answer TEXT NOT NULL, -- the first answer; {}: read it from the record
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT, WITHOUT ROWID;
CREATE INDEX service_requests_by_age ON service_requests (created_at);
