-- Apps that an admin connected to a workspace. A row is written when the admin presses Connect, under the id that its
-- token will have; the token and the endpoint are created when the app exchanges the code.
CREATE TABLE connections (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  app TEXT NOT NULL, -- the address by which the app names itself: `client_id` of OAuth
  redirect_uri TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes) AND json_type(scopes) = 'array'), -- those that the admin granted
  webhook_url TEXT,
  webhook_events TEXT CHECK (json_valid(webhook_events)), -- JSON array; NULL exactly if the app gets no webhook
  code_hash TEXT UNIQUE, -- SHA-256, hex; NULL: the token was rolled, and this is the new one's row
  code_challenge TEXT, -- of PKCE (RFC 7636), S256
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  connected_at TEXT, -- when the code was exchanged; NULL: it was not
  endpoint_id TEXT,
  UNIQUE (organization_id, id),
  CHECK ((webhook_url IS NULL) = (webhook_events IS NULL)),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id)
) STRICT;
CREATE INDEX connections_unused ON connections (created_at) WHERE connected_at IS NULL;

-- The request of an app that waits until its visitor has signed in: the query of /oauth/authorize.
ALTER TABLE sign_in_links ADD COLUMN connect_query TEXT;
