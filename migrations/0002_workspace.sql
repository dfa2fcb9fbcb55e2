-- The workspace: who it is, who may act for it, what its plan allows.
-- Timestamps are UTC text with milliseconds, ids are UUID text, money is integer minor units.

CREATE TABLE plans (
  name TEXT PRIMARY KEY,
  api_access INTEGER NOT NULL CHECK (api_access IN (0, 1)),
  requests_per_minute INTEGER NOT NULL CHECK (requests_per_minute > 0),
  deliverable_cap INTEGER CHECK (deliverable_cap >= 0) -- NULL: no cap
) STRICT;

INSERT INTO plans (name, api_access, requests_per_minute, deliverable_cap) VALUES
  ('free', 0, 60, 3), ('solo', 1, 60, 50), ('studio', 1, 120, 500), ('agency', 1, 300, NULL);

CREATE TABLE organizations (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plan TEXT NOT NULL REFERENCES plans (name),
  currency TEXT NOT NULL DEFAULT 'USD' REFERENCES currencies (code),
  features TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(features)), -- JSON array of feature names
  on_send_status_label TEXT, -- the status flagged as on-send; NULL: none is
  deliverable_count INTEGER NOT NULL DEFAULT 0, -- kept by triggers, compared with plans.deliverable_cap
  next_invoice_number INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX organizations_plan ON organizations (plan);

CREATE TABLE members (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  email TEXT NOT NULL COLLATE NOCASE,
  name TEXT,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'none')), -- none: left, kept for attribution
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  UNIQUE (organization_id, email),
  UNIQUE (organization_id, id)
) STRICT;

CREATE TABLE api_tokens (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE, -- SHA-256, hex
  token_prefix TEXT NOT NULL, -- first 14 characters, safe to show
  scopes TEXT NOT NULL CHECK (json_valid(scopes) AND json_type(scopes) = 'array'), -- JSON array; never changes
  has_api_access INTEGER NOT NULL DEFAULT 0 CHECK (has_api_access IN (0, 1)), -- the plan's, kept by triggers
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  revoked_at TEXT,
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE INDEX api_tokens_newest ON api_tokens (organization_id, created_at, id);

CREATE TABLE audit_log (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  actor TEXT NOT NULL, -- e-mail address of the member who acted
  action TEXT NOT NULL, -- token.created, invoice.issued, ...
  subject_id TEXT,
  details TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(details)),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX audit_log_newest ON audit_log (organization_id, created_at, id);
