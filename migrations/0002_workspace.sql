-- The workspace: who it is, who may act for it, who is signed in, what its plan allows and how much of it is used.
-- Timestamps are UTC text with milliseconds, ids are UUID text, money is integer minor units.

CREATE TABLE plans (
  name TEXT PRIMARY KEY,
  api_access INTEGER NOT NULL CHECK (api_access IN (0, 1)),
  requests_per_minute INTEGER NOT NULL CHECK (requests_per_minute > 0),
  deliverable_cap INTEGER CHECK (deliverable_cap >= 0), -- NULL: no cap
  mails_per_day INTEGER NOT NULL DEFAULT 50 CHECK (mails_per_day >= 0),
  -- Room: bytes of images and records, counted by triggers. NULL: no cap.
  storage_mb INTEGER CHECK (storage_mb >= 0),
  records_cap INTEGER CHECK (records_cap >= 0)
) STRICT;

INSERT INTO plans
  (name, api_access, requests_per_minute, deliverable_cap, mails_per_day, storage_mb, records_cap)
VALUES
  ('free', 0, 60, 3, 50, 1000, 5000),
  ('solo', 1, 60, 50, 100, 10000, 50000),
  ('studio', 1, 120, 500, 500, 100000, 200000),
  ('agency', 1, 300, NULL, 2000, 1000000, 500000);

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
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  storage_bytes INTEGER NOT NULL DEFAULT 0,
  record_count INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX organizations_plan ON organizations (plan);

-- How a workspace looks to its clients: its colour, and its logo as base64, read by the route that serves it alone.
CREATE TABLE brands (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL UNIQUE REFERENCES organizations (id),
  accent TEXT, -- #rrggbb; NULL: the service's own
  logo TEXT, -- at most 200,000 bytes before base64
  logo_content_type TEXT,
  logo_sha256 TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE members (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  email TEXT NOT NULL COLLATE NOCASE,
  name TEXT,
  role TEXT NOT NULL, -- none: left, kept for attribution
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  UNIQUE (organization_id, email),
  UNIQUE (organization_id, id)
) STRICT;
CREATE INDEX members_by_email ON members (email);
CREATE INDEX members_present ON members (organization_id, email) WHERE role <> 'none';

-- People who were invited and have not accepted yet. They are no members: no query of members finds them.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  email TEXT NOT NULL COLLATE NOCASE,
  name TEXT,
  role TEXT NOT NULL, -- what they become when they accept
  token_hash TEXT NOT NULL UNIQUE, -- SHA-256 of the newest mail's link, hex
  created_by TEXT NOT NULL, -- while they may invite, the link works
  expires_at TEXT NOT NULL,
  accepted_at TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- of the newest mail
  UNIQUE (organization_id, email),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE INDEX invitations_expiring ON invitations (expires_at);

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
  expires_at TEXT, -- refused from then on; NULL: it does not expire
  lives_days INTEGER, -- what it was created for; a rolled token hands it on
  warnings_sent INTEGER NOT NULL DEFAULT 0, -- of 4: two days, two recipients
  warning_leased_until TEXT,
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE INDEX api_tokens_newest ON api_tokens (organization_id, created_at, id);
CREATE INDEX api_tokens_live ON api_tokens (organization_id, expires_at) WHERE revoked_at IS NULL;
CREATE INDEX api_tokens_to_warn ON api_tokens ( -- by when the next warning is due
  strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, iif(warnings_sent < 2, '-14 days', '-3 days'))
) WHERE expires_at IS NOT NULL AND revoked_at IS NULL AND warnings_sent < 4;

-- What the coordinator of a workspace is to keep beside the database and was not told yet: when a token ends, by its id,
-- or under '' the next invoice number.
CREATE TABLE unsent_facts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  subject_id TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (organization_id, subject_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_log (
  sequence INTEGER PRIMARY KEY, -- in the order in which lines were written
  -- a random UUID (version 4); of a form that was sent, derived from it (version 8)
  id TEXT NOT NULL DEFAULT (
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
      || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  actor TEXT NOT NULL, -- e-mail address of the member who acted, or who minted the token
  operator TEXT, -- who called with the platform's keys, as their machine says: told, not proved
  action TEXT NOT NULL, -- token.created, invoice.issued, ...
  subject_id TEXT,
  details TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(details)),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX audit_log_newest ON audit_log (organization_id, created_at);
CREATE INDEX audit_log_by_subject ON audit_log (organization_id, subject_id);

-- The ledger: what each request changed, whichever door it came through. Its line commits with its work or not at all,
-- so that the same request does its work once. Lines of tokens stay: they are what the audit log tells of tokens.
CREATE TABLE requests (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- key:... an Idempotency-Key, request:... a request without one, form:... and review:... a form of a page
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL, -- SHA-256 of what makes two requests the same request
  request_id TEXT NOT NULL,
  actor TEXT NOT NULL, -- the id of the token or the member who asked; client: a visitor of a review
  action TEXT NOT NULL, -- client.created, deliverable.sent, ...
  subject_id TEXT NOT NULL,
  details TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(details)),
  answer TEXT, -- the first answer; NULL: a mail is under way, or the answer was dropped and its record has it
  secret_encrypted TEXT, -- what the first answer showed once, AES-256-GCM
  lease_ends_at TEXT, -- of a request whose mail is under way: from then on a retry takes its place
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  PRIMARY KEY (organization_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_of_tokens ON requests (organization_id, created_at, actor)
  WHERE key GLOB 'key:*' OR key GLOB 'request:*';
CREATE INDEX requests_with_answer ON requests (created_at) WHERE answer IS NOT NULL;
CREATE INDEX requests_with_secret ON requests (created_at) WHERE secret_encrypted IS NOT NULL;

-- Links that were mailed to sign in. One works once.
CREATE TABLE sign_in_links (
  token_hash TEXT PRIMARY KEY, -- SHA-256, hex
  email TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  expires_at TEXT NOT NULL,
  used_at TEXT,
  return_path TEXT -- a page of the settings; NULL: none was asked for
    CHECK (return_path GLOB '/settings/?*'),
  form_id TEXT -- names the form that asked for it
) STRICT;
CREATE INDEX sign_in_links_by_email ON sign_in_links (email, created_at);
CREATE INDEX sign_in_links_expiring ON sign_in_links (expires_at);

-- Who is signed in to the settings: a member by their e-mail address, with no second table of users. What a session
-- may do is read off members with every request.
CREATE TABLE sessions (
  token_hash TEXT PRIMARY KEY, -- SHA-256, hex
  email TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  last_used_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- to some minutes
  expires_at TEXT NOT NULL -- however much it is used
) STRICT;
CREATE INDEX sessions_by_email ON sessions (email);
CREATE INDEX sessions_unused ON sessions (last_used_at);

-- Origins beside the application's own that an admin lets the links of review mails stand under.
CREATE TABLE allowed_origins (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  origin TEXT NOT NULL, -- https://host, as a browser writes it
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  UNIQUE (organization_id, origin),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;

-- Mails of a workspace in a day (UTC), by address, each kind in a column of its own. Address '': the review mails,
-- codes and invitations to all addresses, which the plan bounds.
CREATE TABLE mail_counts (
  day TEXT NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  address TEXT NOT NULL,
  mails INTEGER NOT NULL DEFAULT 0, -- review mails and codes
  invitations INTEGER NOT NULL DEFAULT 0,
  notices INTEGER NOT NULL DEFAULT 0, -- what happened in reviews, failing endpoints, digests
  sign_in_links INTEGER NOT NULL DEFAULT 0,
  held_notices INTEGER NOT NULL DEFAULT 0, -- went out no more; the next day's digest tells how many they were
  digest_leased_until TEXT,
  PRIMARY KEY (day, organization_id, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_counts_held ON mail_counts (organization_id, day) WHERE held_notices > 0;
CREATE INDEX mail_counts_by_address ON mail_counts (organization_id, address);
CREATE INDEX mail_counts_of_addresses ON mail_counts (day) WHERE address <> '';

-- Mails of the whole service on a day, where it has a quota.
CREATE TABLE service_mails (
  day TEXT PRIMARY KEY, -- UTC
  mails INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every image that a row refers to, once, however many versions carry it on.
CREATE TABLE stored_images (
  path TEXT PRIMARY KEY, -- its key in the bucket
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT, WITHOUT ROWID;
CREATE INDEX stored_images_of_organization ON stored_images (organization_id);

-- At which share of the database's size the operator was mailed.
CREATE TABLE size_notices (
  percent INTEGER PRIMARY KEY,
  leased_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- by the minute that mails it
  mailed_at TEXT
) STRICT;

-- The nightly copies of the database.
CREATE TABLE backups (
  day TEXT PRIMARY KEY, -- UTC
  pages INTEGER NOT NULL DEFAULT 0,
  place TEXT NOT NULL DEFAULT '{"step":"later"}', -- what comes next
  leased_until TEXT,
  finished_at TEXT
) STRICT, WITHOUT ROWID;

-- Organizations whose copy is being imported: triggers of an INSERT yield to them.
CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL,
  manifest TEXT NOT NULL, -- what the copy says of itself
  rows INTEGER NOT NULL DEFAULT 0 -- imported so far
) STRICT, WITHOUT ROWID;

-- The organization whose rows one batch erases, opened and closed by that batch: to it alone the guards yield.
CREATE TABLE erasures (
  id TEXT PRIMARY KEY REFERENCES organizations (id)
) STRICT, WITHOUT ROWID;
