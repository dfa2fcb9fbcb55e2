-- What clients review, sign and decide.

CREATE TABLE deliverables (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  client_id TEXT NOT NULL,
  project_id TEXT,
  title TEXT NOT NULL,
  embed_url TEXT,
  asset_path TEXT, -- key of the image in the private bucket
  share_url TEXT NOT NULL UNIQUE,
  status_label TEXT, -- display only
  current_state TEXT NOT NULL DEFAULT 'open',
  version_number INTEGER NOT NULL DEFAULT 1,
  sent_version_number INTEGER, -- newest version that was sent
  change_requested_version_number INTEGER, -- newest version with a change request
  review_state TEXT NOT NULL GENERATED ALWAYS AS (
    iif(current_state = 'signed_off', 'approved',
      iif(change_requested_version_number IS version_number, 'changes_requested',
        iif(sent_version_number IS version_number, 'in_review', 'draft')))
  ) VIRTUAL,
  is_sample INTEGER NOT NULL DEFAULT 0 CHECK (is_sample IN (0, 1)),
  reminder_due_at TEXT, -- the pending reminder; a send clears it
  sent_at TEXT,
  signed_off_at TEXT,
  is_final INTEGER NOT NULL DEFAULT 0 CHECK (is_final IN (0, 1)), -- 1 once signed off: nothing changes any more
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  change_request_count INTEGER NOT NULL DEFAULT 0, -- of the newest version
  UNIQUE (organization_id, id),
  FOREIGN KEY (organization_id, client_id) REFERENCES clients (organization_id, id),
  FOREIGN KEY (client_id, project_id) REFERENCES projects (client_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE INDEX deliverables_changed ON deliverables (organization_id, updated_at, id);
CREATE INDEX deliverables_sample ON deliverables (organization_id, updated_at, id) WHERE is_sample = 1;
CREATE INDEX deliverables_by_review_state ON deliverables (organization_id, review_state, updated_at, id);
CREATE INDEX deliverables_by_client ON deliverables (client_id, organization_id, updated_at, id);
CREATE INDEX deliverables_by_project ON deliverables (project_id, organization_id, updated_at, id)
  WHERE project_id IS NOT NULL;
-- What stands behind /review/ in a share URL leads to its deliverable, under whichever origin.
CREATE UNIQUE INDEX deliverables_by_share_token ON deliverables (substr(share_url, instr(share_url, '/review/') + 8));

CREATE TABLE deliverable_versions (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL,
  version_number INTEGER NOT NULL CHECK (version_number >= 1),
  title TEXT NOT NULL,
  embed_url TEXT,
  asset_path TEXT,
  asset_content_type TEXT,
  asset_sha256 TEXT,
  note TEXT,
  previous_hash TEXT, -- NULL on version 1
  hash TEXT NOT NULL, -- SHA-256 hex of the RFC 8785 JSON of the other fields except id
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (deliverable_id, version_number),
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE INDEX deliverable_versions_of_organization ON deliverable_versions (organization_id, deliverable_id);

CREATE TABLE deliverable_sends (
  -- a random UUID (version 4)
  id TEXT PRIMARY KEY DEFAULT (
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
      || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL,
  version_number INTEGER NOT NULL,
  message TEXT,
  status_warning TEXT,
  sent_by TEXT, -- NULL: somebody set deliverables.sent_at
  sent_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id),
  FOREIGN KEY (organization_id, sent_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE INDEX deliverable_sends_by_deliverable ON deliverable_sends (deliverable_id, sent_at);
CREATE INDEX deliverable_sends_of_organization ON deliverable_sends (organization_id, deliverable_id);

CREATE TABLE feedback (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL,
  version_number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  author_name TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  attribution TEXT NOT NULL DEFAULT 'recorded_by_admin', -- how its author was known
  -- the spot of the image that it points at, each 0 to 1; NULL: it points at none
  anchor_x REAL CHECK (anchor_x BETWEEN 0 AND 1),
  anchor_y REAL CHECK (anchor_y BETWEEN 0 AND 1),
  CHECK ((anchor_x IS NULL) = (anchor_y IS NULL)),
  FOREIGN KEY (deliverable_id, version_number) REFERENCES deliverable_versions (deliverable_id, version_number),
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id)
) STRICT;
CREATE UNIQUE INDEX feedback_of_organization ON feedback (organization_id, id);
CREATE INDEX feedback_by_deliverable ON feedback (deliverable_id, created_at, id);

CREATE TABLE sign_offs (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL UNIQUE,
  version_number INTEGER NOT NULL,
  signer_name TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  attribution TEXT NOT NULL DEFAULT 'recorded_by_admin', -- how the signer was known
  version_hash TEXT, -- a trigger writes it and the workspace's name, whoever inserts
  workspace TEXT,
  consent TEXT, -- the words that the signer agreed to; NULL: an admin recorded it
  consent_version INTEGER,
  ip_address TEXT, -- this and the next stand on the certificate alone
  user_agent TEXT,
  erased_at TEXT, -- when the signer's name, address and browser were erased
  FOREIGN KEY (deliverable_id, version_number) REFERENCES deliverable_versions (deliverable_id, version_number),
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id)
) STRICT;
CREATE UNIQUE INDEX sign_offs_of_organization ON sign_offs (organization_id, id);

CREATE TABLE change_orders (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL,
  title TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  currency TEXT NOT NULL REFERENCES currencies (code),
  status TEXT NOT NULL DEFAULT 'draft',
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
-- For the key alone: its look for children when a project is deleted.
CREATE INDEX change_orders_by_project ON change_orders (organization_id, project_id);

CREATE TABLE change_decisions (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'draft',
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
-- For the key alone: its look for children when a project is deleted.
CREATE INDEX change_decisions_by_project ON change_decisions (organization_id, project_id);

CREATE TABLE deposits (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  project_id TEXT NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  currency TEXT NOT NULL REFERENCES currencies (code),
  status TEXT NOT NULL DEFAULT 'pending',
  collected_via TEXT,
  cleared_at TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  processor_payment_id TEXT,
  FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE UNIQUE INDEX deposits_of_processor ON deposits (processor_payment_id) WHERE processor_payment_id IS NOT NULL;
-- For the key alone: its look for children when a project is deleted.
CREATE INDEX deposits_by_project ON deposits (organization_id, project_id);

CREATE TABLE scope_request_evidence (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  client_id TEXT NOT NULL,
  project_id TEXT,
  deliverable_id TEXT,
  content TEXT NOT NULL,
  author_kind TEXT NOT NULL DEFAULT 'client',
  author_name TEXT,
  author_address TEXT,
  external_id TEXT NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  created_by TEXT NOT NULL,
  content_fingerprint TEXT NOT NULL, -- SHA-256 of what was ingested, to tell a repeat from a clash on external_id
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  UNIQUE (organization_id, external_id),
  FOREIGN KEY (organization_id, client_id) REFERENCES clients (organization_id, id),
  FOREIGN KEY (client_id, project_id) REFERENCES projects (client_id, id),
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id),
  FOREIGN KEY (organization_id, created_by) REFERENCES members (organization_id, id)
) STRICT;
CREATE INDEX scope_request_evidence_by_client ON scope_request_evidence (client_id, project_id);

-- Keys that prove a mailbox: of mailed links, and what a code was exchanged for. One opens one deliverable.
CREATE TABLE review_keys (
  key_hash TEXT PRIMARY KEY, -- SHA-256, hex
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL,
  email TEXT NOT NULL, -- the address it went to; of no use once the client has another
  attribution TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  expires_at TEXT NOT NULL,
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id)
) STRICT;
CREATE INDEX review_keys_by_deliverable ON review_keys (organization_id, deliverable_id);
CREATE INDEX review_keys_expiring ON review_keys (expires_at);

CREATE TABLE review_codes (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL,
  email TEXT NOT NULL,
  code_hash TEXT NOT NULL, -- HMAC-SHA256, keyed
  tries INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  expires_at TEXT NOT NULL,
  used_at TEXT,
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id)
) STRICT;
CREATE INDEX review_codes_by_email ON review_codes (organization_id, email, created_at);
CREATE INDEX review_codes_by_deliverable ON review_codes (organization_id, deliverable_id);
CREATE INDEX review_codes_expiring ON review_codes (expires_at);

-- Mails about what happened in a review: triggers write them together with what they tell of.
CREATE TABLE review_notices (
  -- a random UUID (version 4)
  id TEXT PRIMARY KEY DEFAULT (
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
      || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL,
  feedback_id TEXT,
  sign_off_id TEXT,
  recipient TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- NULL: sent or given up
  leased_until TEXT,
  sent_at TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id),
  FOREIGN KEY (organization_id, feedback_id) REFERENCES feedback (organization_id, id),
  FOREIGN KEY (organization_id, sign_off_id) REFERENCES sign_offs (organization_id, id)
) STRICT;
CREATE INDEX review_notices_due_of ON review_notices (organization_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX review_notices_by_deliverable ON review_notices (organization_id, deliverable_id);
CREATE UNIQUE INDEX review_notices_of_feedback ON review_notices (feedback_id, recipient) WHERE feedback_id IS NOT NULL;
CREATE UNIQUE INDEX review_notices_of_sign_off ON review_notices (sign_off_id, recipient) WHERE sign_off_id IS NOT NULL;
