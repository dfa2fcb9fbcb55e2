-- A time entry is kept under (organization_id, id) alone: the index of the id by itself would be one row more to write for
-- each, beside those of its filters. The triggers that go with the table come back in the next migration.
PRAGMA defer_foreign_keys = on;

CREATE TABLE time_entries_before AS SELECT * FROM time_entries ORDER BY rowid;
DROP TABLE time_entries;

CREATE TABLE time_entries (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  description TEXT,
  spent_date TEXT NOT NULL,
  hours REAL NOT NULL CHECK (hours BETWEEN 0 AND 24),
  started_at TEXT,
  ended_at TEXT,
  billable INTEGER NOT NULL DEFAULT 1 CHECK (billable IN (0, 1)),
  hourly_rate_minor INTEGER,
  currency TEXT NOT NULL REFERENCES currencies (code),
  invoice_id TEXT,
  client_ref TEXT, -- the Idempotency-Key of the request that created it
  request_fingerprint TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  api_token_id TEXT,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, client_id) REFERENCES clients (organization_id, id),
  FOREIGN KEY (client_id, project_id) REFERENCES projects (client_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id)
) STRICT;

INSERT INTO time_entries SELECT * FROM time_entries_before ORDER BY rowid;
DROP TABLE time_entries_before;

CREATE INDEX time_entries_changed ON time_entries (organization_id, updated_at, id);
CREATE UNIQUE INDEX time_entries_client_ref ON time_entries (organization_id, client_ref)
  WHERE client_ref IS NOT NULL;
CREATE INDEX time_entries_by_invoice ON time_entries (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX time_entries_by_project ON time_entries (project_id, organization_id, updated_at, id);
CREATE INDEX time_entries_by_client ON time_entries (client_id, organization_id, updated_at, id);
CREATE INDEX time_entries_by_user ON time_entries (user_id, organization_id, updated_at, id);
