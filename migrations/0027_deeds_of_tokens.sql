-- Which token wrote a row, and an audit log that tells it: a line is two rows to write, and one more if a token wrote it.
-- The triggers that go with it come back in the next migration.

ALTER TABLE clients ADD COLUMN api_token_id TEXT;
ALTER TABLE projects ADD COLUMN api_token_id TEXT;
ALTER TABLE milestones ADD COLUMN api_token_id TEXT;
ALTER TABLE invoices ADD COLUMN api_token_id TEXT;
ALTER TABLE time_entries ADD COLUMN api_token_id TEXT;
ALTER TABLE invoice_line_items ADD COLUMN api_token_id TEXT;
ALTER TABLE deliverables ADD COLUMN api_token_id TEXT;
ALTER TABLE deliverable_versions ADD COLUMN api_token_id TEXT;
ALTER TABLE deliverable_sends ADD COLUMN api_token_id TEXT;
ALTER TABLE scope_request_evidence ADD COLUMN api_token_id TEXT;

CREATE TABLE audit_log_before AS SELECT * FROM audit_log ORDER BY rowid;
DROP TABLE audit_log;
CREATE TABLE audit_log (
  sequence INTEGER PRIMARY KEY, -- in the order in which lines were written
  -- a random UUID (version 4)
  id TEXT NOT NULL DEFAULT (
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
      || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  actor TEXT NOT NULL, -- e-mail address of the member who acted, or who minted the token
  operator TEXT, -- who called with the platform's keys, as their machine says: told, not proved
  action TEXT NOT NULL, -- token.created, invoice.issued, ...
  subject_id TEXT,
  api_token_id TEXT, -- the token that wrote through the API; NULL: an admin did it
  details TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(details)),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
INSERT INTO audit_log (id, organization_id, actor, action, subject_id, details, created_at)
SELECT id, organization_id, actor, action, subject_id, details, created_at FROM audit_log_before ORDER BY rowid;
DROP TABLE audit_log_before;
CREATE INDEX audit_log_newest ON audit_log (organization_id, created_at);
CREATE INDEX audit_log_by_token ON audit_log (organization_id, api_token_id, created_at)
  WHERE api_token_id IS NOT NULL;
