-- Filters of the lists: a page by one that names a record reads its own rows alone, in the order of the list. The record
-- comes first, so that its key finds its children there as well (docs/design/performance.md says what each costs).

CREATE INDEX clients_by_external_id ON clients (organization_id, external_id, updated_at, id)
  WHERE external_id IS NOT NULL;
CREATE INDEX clients_by_email ON clients (organization_id, email, updated_at, id) WHERE email IS NOT NULL;

CREATE INDEX projects_by_client ON projects (client_id, organization_id, updated_at, id);
CREATE INDEX projects_by_external_id ON projects (organization_id, external_id, updated_at, id)
  WHERE external_id IS NOT NULL;

CREATE INDEX time_entries_by_project ON time_entries (project_id, organization_id, updated_at, id);
CREATE INDEX time_entries_by_client ON time_entries (client_id, organization_id, updated_at, id);
CREATE INDEX time_entries_by_user ON time_entries (user_id, organization_id, updated_at, id);

DROP INDEX invoices_by_client;
CREATE INDEX invoices_by_client ON invoices (client_id, organization_id, updated_at, id);
CREATE INDEX invoices_by_project ON invoices (project_id, organization_id, updated_at, id)
  WHERE project_id IS NOT NULL;
CREATE INDEX invoices_by_external_id ON invoices (organization_id, external_id, updated_at, id)
  WHERE external_id IS NOT NULL;

DROP INDEX deliverables_by_client;
CREATE INDEX deliverables_by_client ON deliverables (client_id, organization_id, updated_at, id);
CREATE INDEX deliverables_by_project ON deliverables (project_id, organization_id, updated_at, id)
  WHERE project_id IS NOT NULL;
