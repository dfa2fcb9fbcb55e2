-- Clients, projects, time and invoices.
-- A row refers to rows of its own organization only, and to projects of its own client only: its keys say so
-- (docs/decisions/0014). A filter of a list that names a record has an index in the order of the list; the record comes
-- first, so that its key finds its children there as well (docs/design/performance.md says what each costs).

CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  company_name TEXT,
  client_name TEXT,
  name TEXT NOT NULL GENERATED ALWAYS AS (coalesce(nullif(trim(company_name), ''), client_name)) VIRTUAL,
  email TEXT,
  status TEXT NOT NULL DEFAULT 'active',
  is_sample INTEGER NOT NULL DEFAULT 0 CHECK (is_sample IN (0, 1)),
  external_id TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  -- What the legacy list is ordered by; triggers write it, whoever writes the client.
  sort_name TEXT,
  UNIQUE (organization_id, id)
) STRICT;
CREATE INDEX clients_changed ON clients (organization_id, updated_at, id);
CREATE INDEX clients_by_status ON clients (organization_id, status, updated_at, id);
CREATE INDEX clients_by_external_id ON clients (organization_id, external_id, updated_at, id)
  WHERE external_id IS NOT NULL;
CREATE INDEX clients_by_email ON clients (organization_id, email, updated_at, id) WHERE email IS NOT NULL;
CREATE INDEX clients_sample ON clients (organization_id, updated_at, id) WHERE is_sample = 1;
CREATE INDEX clients_by_sort_name ON clients (organization_id, status, sort_name, id);

CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  client_id TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'active',
  currency TEXT NOT NULL REFERENCES currencies (code),
  included_revision_rounds INTEGER CHECK (included_revision_rounds BETWEEN 0 AND 1000), -- NULL: no allowance
  overridden_revision_rounds INTEGER NOT NULL DEFAULT 0, -- sum of revision_overrides.rounds, kept by a trigger
  revision_rounds_used INTEGER NOT NULL DEFAULT 0, -- kept by a trigger on deliverable_versions
  start_date TEXT,
  end_date TEXT,
  kickoff_released_at TEXT, -- stamped when a deposit clears
  external_id TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  CHECK (end_date IS NULL OR start_date IS NULL OR end_date >= start_date),
  UNIQUE (organization_id, id),
  UNIQUE (client_id, id),
  FOREIGN KEY (organization_id, client_id) REFERENCES clients (organization_id, id)
) STRICT;
CREATE INDEX projects_changed ON projects (organization_id, updated_at, id);
CREATE INDEX projects_by_status ON projects (organization_id, status, updated_at, id);
CREATE INDEX projects_by_client ON projects (client_id, organization_id, updated_at, id);
CREATE INDEX projects_by_external_id ON projects (organization_id, external_id, updated_at, id)
  WHERE external_id IS NOT NULL;

CREATE TABLE milestones (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  due_date TEXT,
  amount_minor INTEGER,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- equal to the project's: written with it
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  UNIQUE (project_id, position),
  FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
) STRICT;
CREATE INDEX milestones_by_project ON milestones (organization_id, project_id);

CREATE TABLE revision_overrides (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL,
  rounds INTEGER NOT NULL CHECK (rounds BETWEEN 1 AND 1000),
  reason TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
-- For the key alone: its look for children when a project is deleted.
CREATE INDEX revision_overrides_by_project ON revision_overrides (organization_id, project_id);

CREATE TABLE invoices (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  number TEXT, -- assigned by a trigger when the draft opens
  client_id TEXT NOT NULL,
  project_id TEXT,
  status TEXT NOT NULL DEFAULT 'draft',
  currency TEXT NOT NULL REFERENCES currencies (code),
  issue_date TEXT,
  due_date TEXT,
  subtotal_minor INTEGER NOT NULL,
  tax_total_minor INTEGER NOT NULL,
  total_minor INTEGER NOT NULL CHECK (total_minor >= 0),
  amount_paid_minor INTEGER NOT NULL DEFAULT 0, -- sum of payments.amount_minor, kept by a trigger
  notes TEXT,
  external_id TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  -- The sum of payment_reversals, kept by a trigger.
  amount_reversed_minor INTEGER NOT NULL DEFAULT 0,
  amount_due_minor INTEGER NOT NULL
    GENERATED ALWAYS AS (iif(status = 'void', 0, max(total_minor - amount_paid_minor, 0))) VIRTUAL,
  CHECK (total_minor = subtotal_minor + tax_total_minor),
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, number),
  FOREIGN KEY (organization_id, client_id) REFERENCES clients (organization_id, id),
  FOREIGN KEY (client_id, project_id) REFERENCES projects (client_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE INDEX invoices_changed ON invoices (organization_id, updated_at, id);
CREATE INDEX invoices_by_status ON invoices (organization_id, status, updated_at, id);
CREATE INDEX invoices_unsettled ON invoices (due_date)
  WHERE status IN ('open', 'partially_paid') AND due_date IS NOT NULL;
CREATE INDEX invoices_unsettled_of ON invoices (organization_id, due_date)
  WHERE status IN ('open', 'partially_paid') AND due_date IS NOT NULL;
CREATE INDEX invoices_by_client ON invoices (client_id, organization_id, updated_at, id);
CREATE INDEX invoices_by_project ON invoices (project_id, organization_id, updated_at, id)
  WHERE project_id IS NOT NULL;
CREATE INDEX invoices_by_external_id ON invoices (organization_id, external_id, updated_at, id)
  WHERE external_id IS NOT NULL;

-- Kept under (organization_id, id) alone: an index of the id by itself would be one row more to write for each.
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
  client_ref TEXT, -- the Idempotency-Key of the request that created it: the ledger keeps it unique
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, client_id) REFERENCES clients (organization_id, id),
  FOREIGN KEY (client_id, project_id) REFERENCES projects (client_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, id),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX time_entries_changed ON time_entries (organization_id, updated_at, id, spent_date);
CREATE INDEX time_entries_invoiced ON time_entries (organization_id, updated_at, id) WHERE invoice_id IS NOT NULL;
CREATE INDEX time_entries_by_invoice ON time_entries (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX time_entries_by_project ON time_entries (project_id, organization_id, updated_at, id);
CREATE INDEX time_entries_by_client ON time_entries (client_id, organization_id, updated_at, id);
CREATE INDEX time_entries_by_user ON time_entries (user_id, organization_id, updated_at, id);

CREATE TABLE invoice_line_items (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  invoice_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  description TEXT NOT NULL,
  quantity REAL NOT NULL CHECK (quantity > 0),
  unit_price_minor INTEGER NOT NULL,
  tax_rate REAL NOT NULL DEFAULT 0 CHECK (tax_rate BETWEEN 0 AND 100), -- percent
  amount_minor INTEGER NOT NULL,
  time_entry_id TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- equal to the invoice's: written with it
  UNIQUE (invoice_id, position),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id),
  FOREIGN KEY (organization_id, time_entry_id) REFERENCES time_entries (organization_id, id)
) STRICT;
CREATE INDEX invoice_line_items_by_invoice ON invoice_line_items (organization_id, invoice_id);

CREATE TABLE payments (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  invoice_id TEXT NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  collected_via TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  processor_payment_id TEXT,
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id)
) STRICT;
CREATE INDEX payments_by_invoice ON payments (invoice_id, amount_minor);
CREATE UNIQUE INDEX payments_of_processor ON payments (processor_payment_id) WHERE processor_payment_id IS NOT NULL;
CREATE INDEX payments_of_organization ON payments (organization_id, invoice_id);
