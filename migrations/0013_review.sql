-- The client's review: how somebody was known, what a sign-off keeps as evidence, what was mailed to whom.

-- What stands behind /review/ in a share URL leads to its deliverable, under whichever origin.
CREATE UNIQUE INDEX deliverables_by_share_token ON deliverables (substr(share_url, instr(share_url, '/review/') + 8));

ALTER TABLE feedback ADD COLUMN attribution TEXT NOT NULL DEFAULT 'recorded_by_admin' CHECK (attribution IN ('mailed_link', 'mailed_code', 'recorded_by_admin', 'link_only'));

ALTER TABLE sign_offs ADD COLUMN attribution TEXT NOT NULL DEFAULT 'recorded_by_admin' CHECK (attribution IN ('mailed_link', 'mailed_code', 'recorded_by_admin'));
ALTER TABLE sign_offs ADD COLUMN version_hash TEXT; -- a trigger writes it and the workspace's name, whoever inserts
ALTER TABLE sign_offs ADD COLUMN workspace TEXT;
ALTER TABLE sign_offs ADD COLUMN consent TEXT; -- the words that the signer agreed to; NULL: an admin recorded it
ALTER TABLE sign_offs ADD COLUMN consent_version INTEGER;
ALTER TABLE sign_offs ADD COLUMN ip_address TEXT; -- this and the next stand on the certificate alone
ALTER TABLE sign_offs ADD COLUMN user_agent TEXT;

DROP TRIGGER IF EXISTS sign_offs_immutable;
UPDATE sign_offs SET version_hash = (SELECT hash FROM deliverable_versions AS v WHERE v.deliverable_id = sign_offs.deliverable_id AND v.version_number = sign_offs.version_number), workspace = (SELECT name FROM organizations WHERE id = sign_offs.organization_id);

-- Keys that prove a mailbox: of mailed links, and what a code was exchanged for. One opens one deliverable.
CREATE TABLE review_keys (
  key_hash TEXT PRIMARY KEY, -- SHA-256, hex
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL,
  email TEXT NOT NULL, -- the address it went to; of no use once the client has another
  attribution TEXT NOT NULL CHECK (attribution IN ('mailed_link', 'mailed_code')),
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

CREATE UNIQUE INDEX feedback_of_organization ON feedback (organization_id, id);
CREATE UNIQUE INDEX sign_offs_of_organization ON sign_offs (organization_id, id);

-- Mails about what happened in a review: triggers write them together with what they tell of.
CREATE TABLE review_notices (
  id TEXT PRIMARY KEY DEFAULT (lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  deliverable_id TEXT NOT NULL,
  feedback_id TEXT,
  sign_off_id TEXT,
  recipient TEXT NOT NULL CHECK (recipient IN ('owner', 'client')),
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), -- NULL: sent or given up
  leased_until TEXT,
  sent_at TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  FOREIGN KEY (organization_id, deliverable_id) REFERENCES deliverables (organization_id, id),
  FOREIGN KEY (organization_id, feedback_id) REFERENCES feedback (organization_id, id),
  FOREIGN KEY (organization_id, sign_off_id) REFERENCES sign_offs (organization_id, id)
) STRICT;
CREATE INDEX review_notices_due ON review_notices (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX review_notices_due_of ON review_notices (organization_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX review_notices_by_deliverable ON review_notices (organization_id, deliverable_id);
CREATE UNIQUE INDEX review_notices_of_feedback ON review_notices (feedback_id, recipient) WHERE feedback_id IS NOT NULL;
CREATE UNIQUE INDEX review_notices_of_sign_off ON review_notices (sign_off_id, recipient) WHERE sign_off_id IS NOT NULL;
