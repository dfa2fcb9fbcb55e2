-- Room of a workspace: bytes of images and records, counted by triggers and bounded by the plan. NULL: no cap.

ALTER TABLE plans ADD COLUMN storage_mb INTEGER CHECK (storage_mb >= 0);
ALTER TABLE plans ADD COLUMN records_cap INTEGER CHECK (records_cap >= 0);
UPDATE plans SET storage_mb = 1000, records_cap = 20000 WHERE name = 'free';
UPDATE plans SET storage_mb = 10000, records_cap = 200000 WHERE name = 'solo';
UPDATE plans SET storage_mb = 100000, records_cap = 1000000 WHERE name = 'studio';
UPDATE plans SET storage_mb = 1000000, records_cap = 5000000 WHERE name = 'agency';

ALTER TABLE organizations ADD COLUMN storage_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE organizations ADD COLUMN record_count INTEGER NOT NULL DEFAULT 0;
UPDATE organizations SET record_count = deliverable_count
  + (SELECT count(*) FROM clients WHERE organization_id = organizations.id)
  + (SELECT count(*) FROM projects WHERE organization_id = organizations.id)
  + (SELECT count(*) FROM time_entries WHERE organization_id = organizations.id)
  + (SELECT count(*) FROM invoices WHERE organization_id = organizations.id)
  + (SELECT count(*) FROM scope_request_evidence WHERE organization_id = organizations.id);

-- Every image that a row refers to, once, however many versions carry it on.
CREATE TABLE stored_images (
  path TEXT PRIMARY KEY, -- its key in the bucket
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT, WITHOUT ROWID;

-- At which share of the database's size the operator was mailed.
CREATE TABLE size_notices (
  percent INTEGER PRIMARY KEY,
  mailed_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
