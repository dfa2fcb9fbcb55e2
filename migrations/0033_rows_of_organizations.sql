-- Export and erasure: the rows of one organization are read and deleted without a look at those of others, and so are
-- the children that each foreign key looks for when its parent goes (test/database/keys.test.ts).
-- The triggers that go with webhook_attempts come back in the next migration.

CREATE INDEX milestones_by_project ON milestones (organization_id, project_id);
CREATE INDEX invoice_line_items_by_invoice ON invoice_line_items (organization_id, invoice_id);
CREATE INDEX payments_of_organization ON payments (organization_id, invoice_id);
CREATE INDEX payment_reversals_of_organization ON payment_reversals (organization_id, invoice_id);
CREATE INDEX deliverable_versions_of_organization ON deliverable_versions (organization_id, deliverable_id);
CREATE INDEX deliverable_sends_of_organization ON deliverable_sends (organization_id, deliverable_id);
CREATE INDEX stored_images_of_organization ON stored_images (organization_id);
CREATE INDEX mail_counts_by_address ON mail_counts (organization_id, address);
CREATE INDEX scope_request_evidence_by_client ON scope_request_evidence (client_id, project_id);

DROP INDEX revision_overrides_by_project;
CREATE INDEX revision_overrides_by_project ON revision_overrides (organization_id, project_id);
DROP INDEX change_orders_by_project;
CREATE INDEX change_orders_by_project ON change_orders (organization_id, project_id);
DROP INDEX change_decisions_by_project;
CREATE INDEX change_decisions_by_project ON change_decisions (organization_id, project_id);
DROP INDEX deposits_by_project;
CREATE INDEX deposits_by_project ON deposits (organization_id, project_id);

-- An attempt's organization is its delivery's: a key of its own would cost every attempt an index.
CREATE TABLE webhook_attempts_before AS SELECT * FROM webhook_attempts;
DROP TABLE webhook_attempts;
CREATE TABLE webhook_attempts (
  organization_id TEXT NOT NULL,
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id),
  attempt_number INTEGER NOT NULL,
  attempted_at TEXT NOT NULL,
  response_status INTEGER, -- NULL: no answer
  latency_ms INTEGER NOT NULL,
  error_class TEXT, -- NULL: answered 2xx
  response_body TEXT, -- first 2 KiB
  next_attempt_at TEXT, -- NULL: no retry follows
  PRIMARY KEY (delivery_id, attempted_at)
) STRICT, WITHOUT ROWID;
INSERT INTO webhook_attempts SELECT * FROM webhook_attempts_before;
DROP TABLE webhook_attempts_before;

-- The organization whose rows one batch erases, opened and closed by that batch: to it alone the guards yield.
CREATE TABLE erasures (
  id TEXT PRIMARY KEY REFERENCES organizations (id)
) STRICT, WITHOUT ROWID;
