-- Who is signed in to the settings: a member by their e-mail address, with no second table of users. What a session may do
-- is read off members with every request.

-- Links that were mailed to sign in. One works once.
CREATE TABLE sign_in_links (
  token_hash TEXT PRIMARY KEY, -- SHA-256, hex
  email TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  expires_at TEXT NOT NULL,
  used_at TEXT
) STRICT;
CREATE INDEX sign_in_links_by_email ON sign_in_links (email, created_at);
CREATE INDEX sign_in_links_expiring ON sign_in_links (expires_at);

CREATE TABLE sessions (
  token_hash TEXT PRIMARY KEY, -- SHA-256, hex
  email TEXT NOT NULL COLLATE NOCASE,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  last_used_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- to some minutes
  expires_at TEXT NOT NULL -- however much it is used
) STRICT;
CREATE INDEX sessions_by_email ON sessions (email);
CREATE INDEX sessions_unused ON sessions (last_used_at);

CREATE INDEX members_by_email ON members (email);
