-- Lists by a state read their own rows, like lists by a record.
CREATE INDEX clients_by_status ON clients (organization_id, status, updated_at, id);
CREATE INDEX projects_by_status ON projects (organization_id, status, updated_at, id);
CREATE INDEX invoices_by_status ON invoices (organization_id, status, updated_at, id);
CREATE INDEX deliverables_by_review_state ON deliverables (organization_id, review_state, updated_at, id);
CREATE INDEX time_entries_invoiced ON time_entries (organization_id, updated_at, id) WHERE invoice_id IS NOT NULL;
CREATE INDEX time_entries_not_invoiced ON time_entries (organization_id, updated_at, id) WHERE invoice_id IS NULL;
