-- The directory: which workspace is in which cell. Cells write it (src/workspace/directory/), the front reads it. All but
-- sessions, sign_in_links and waiting_events can be written anew from the cells (rebuild-directory).
CREATE TABLE organizations (
  id TEXT PRIMARY KEY,
  cell TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  api_access INTEGER NOT NULL DEFAULT 0,
  link_prefix TEXT NOT NULL UNIQUE,
  accent TEXT,
  logo_content_type TEXT,
  logo_sha256 TEXT,
  -- open or moving; founding, arriving: only its names are reserved, for a minute or until its import ends
  state TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE INDEX organizations_by_cell ON organizations (cell, id);

CREATE TABLE api_tokens (
  token_hash TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX api_tokens_by_organization ON api_tokens (organization_id);

-- Owners and admins: who may sign in, and where.
CREATE TABLE members (
  organization_id TEXT NOT NULL,
  email TEXT NOT NULL COLLATE NOCASE,
  name TEXT,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (organization_id, email)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_by_email ON members (email);

-- As in a cell, whose sign-in pages use them here.
CREATE TABLE sign_in_links (
  token_hash TEXT PRIMARY KEY,
  email TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  expires_at TEXT NOT NULL,
  used_at TEXT,
  return_path TEXT,
  form_id TEXT,
  connect_query TEXT
) STRICT;
CREATE INDEX sign_in_links_by_email ON sign_in_links (email, created_at);
CREATE INDEX sign_in_links_expiring ON sign_in_links (expires_at);

CREATE TABLE sessions (
  token_hash TEXT PRIMARY KEY,
  email TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  last_used_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_email ON sessions (email);
CREATE INDEX sessions_unused ON sessions (last_used_at);

-- Always empty: statements that also run in a cell leave out its closed workspaces.
CREATE TABLE fences (
  id TEXT PRIMARY KEY,
  hides INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Events of the payment processor that no cell knew when they came.
CREATE TABLE waiting_events (
  id TEXT PRIMARY KEY,
  payment TEXT, -- the processor's id of the payment that it is about
  body TEXT NOT NULL,
  received_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  cell TEXT -- the cell that has it as unmatched; NULL: it waits
) STRICT;
CREATE INDEX waiting_events_by_payment ON waiting_events (payment);
CREATE INDEX waiting_events_by_time ON waiting_events (received_at);
