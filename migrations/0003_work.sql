-- Clients, projects, time and invoices. request_fingerprint: SHA-256 of the request that created the row, so that a
-- retry of that request is recognized for as long as the row exists. Rows of an Idempotency-Key have derived ids.

CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  company_name TEXT,
  client_name TEXT,
  name TEXT NOT NULL GENERATED ALWAYS AS (coalesce(nullif(trim(company_name), ''), client_name)) VIRTUAL,
  email TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
  is_sample INTEGER NOT NULL DEFAULT 0 CHECK (is_sample IN (0, 1)),
  external_id TEXT,
  request_fingerprint TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX clients_changed ON clients (organization_id, updated_at, id);
CREATE INDEX clients_by_name ON clients (organization_id, status, coalesce(client_name, company_name), id);

CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  client_id TEXT NOT NULL REFERENCES clients (id),
  name TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'archived')),
  currency TEXT NOT NULL REFERENCES currencies (code),
  included_revision_rounds INTEGER CHECK (included_revision_rounds BETWEEN 0 AND 1000), -- NULL: no allowance
  overridden_revision_rounds INTEGER NOT NULL DEFAULT 0, -- sum of revision_overrides.rounds, kept by a trigger
  revision_rounds_used INTEGER NOT NULL DEFAULT 0, -- kept by a trigger on deliverable_versions
  start_date TEXT,
  end_date TEXT,
  kickoff_released_at TEXT, -- stamped when a deposit clears
  external_id TEXT,
  request_fingerprint TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  CHECK (end_date IS NULL OR start_date IS NULL OR end_date >= start_date)
) STRICT;
CREATE INDEX projects_changed ON projects (organization_id, updated_at, id);
CREATE INDEX projects_by_client ON projects (client_id);

CREATE TABLE milestones (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL REFERENCES projects (id),
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'in_progress', 'completed')),
  due_date TEXT,
  amount_minor INTEGER,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- equal to the project's: written with it
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  UNIQUE (project_id, position)
) STRICT;

CREATE TABLE revision_overrides (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL REFERENCES projects (id),
  rounds INTEGER NOT NULL CHECK (rounds BETWEEN 1 AND 1000),
  reason TEXT NOT NULL,
  created_by TEXT NOT NULL REFERENCES members (id),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX revision_overrides_by_project ON revision_overrides (project_id);

CREATE TABLE invoices (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  number TEXT, -- assigned by a trigger when the draft opens
  client_id TEXT NOT NULL REFERENCES clients (id),
  project_id TEXT REFERENCES projects (id),
  status TEXT NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'open', 'partially_paid', 'overdue', 'paid', 'void')),
  currency TEXT NOT NULL REFERENCES currencies (code),
  issue_date TEXT,
  due_date TEXT,
  subtotal_minor INTEGER NOT NULL,
  tax_total_minor INTEGER NOT NULL,
  total_minor INTEGER NOT NULL CHECK (total_minor >= 0),
  amount_paid_minor INTEGER NOT NULL DEFAULT 0, -- sum of payments.amount_minor, kept by a trigger
  amount_due_minor INTEGER NOT NULL GENERATED ALWAYS AS (total_minor - amount_paid_minor) VIRTUAL,
  notes TEXT,
  external_id TEXT,
  created_by TEXT NOT NULL REFERENCES members (id),
  request_fingerprint TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  UNIQUE (organization_id, number),
  CHECK (total_minor = subtotal_minor + tax_total_minor)
) STRICT;
CREATE INDEX invoices_changed ON invoices (organization_id, updated_at, id);
CREATE INDEX invoices_unsettled ON invoices (due_date) WHERE status IN ('open', 'partially_paid') AND due_date IS NOT NULL;
CREATE INDEX invoices_by_client ON invoices (client_id);
CREATE INDEX invoices_by_project ON invoices (project_id);

CREATE TABLE time_entries (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL REFERENCES projects (id),
  client_id TEXT NOT NULL REFERENCES clients (id),
  user_id TEXT NOT NULL REFERENCES members (id),
  description TEXT,
  spent_date TEXT NOT NULL,
  hours REAL NOT NULL CHECK (hours BETWEEN 0 AND 24),
  started_at TEXT,
  ended_at TEXT,
  billable INTEGER NOT NULL DEFAULT 1 CHECK (billable IN (0, 1)),
  hourly_rate_minor INTEGER,
  currency TEXT NOT NULL REFERENCES currencies (code),
  invoice_id TEXT REFERENCES invoices (id),
  client_ref TEXT, -- the Idempotency-Key of the request that created it
  request_fingerprint TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX time_entries_changed ON time_entries (organization_id, updated_at, id);
CREATE UNIQUE INDEX time_entries_client_ref ON time_entries (organization_id, client_ref) WHERE client_ref IS NOT NULL;
CREATE INDEX time_entries_by_invoice ON time_entries (invoice_id) WHERE invoice_id IS NOT NULL;

CREATE TABLE invoice_line_items (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  invoice_id TEXT NOT NULL REFERENCES invoices (id),
  position INTEGER NOT NULL,
  description TEXT NOT NULL,
  quantity REAL NOT NULL CHECK (quantity > 0),
  unit_price_minor INTEGER NOT NULL,
  tax_rate REAL NOT NULL DEFAULT 0 CHECK (tax_rate BETWEEN 0 AND 100), -- percent
  amount_minor INTEGER NOT NULL,
  time_entry_id TEXT REFERENCES time_entries (id),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- equal to the invoice's: written with it
  UNIQUE (invoice_id, position)
) STRICT;

CREATE TABLE payments (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  invoice_id TEXT NOT NULL REFERENCES invoices (id),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  collected_via TEXT NOT NULL CHECK (collected_via IN ('stripe', 'offline')),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX payments_by_invoice ON payments (invoice_id, amount_minor);
