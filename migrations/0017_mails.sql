-- Where links in review mails may lead, and how many mails a day may go out.

ALTER TABLE plans ADD COLUMN mails_per_day INTEGER NOT NULL DEFAULT 50 CHECK (mails_per_day >= 0);
UPDATE plans SET mails_per_day = 100 WHERE name = 'solo';
UPDATE plans SET mails_per_day = 500 WHERE name = 'studio';
UPDATE plans SET mails_per_day = 2000 WHERE name = 'agency';

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

-- Mails of a workspace in a day (UTC), kept by triggers on what is mailed: in all (address '') and to each address.
CREATE TABLE mail_counts (
  day TEXT NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  address TEXT NOT NULL,
  mails INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, organization_id, address)
) STRICT, WITHOUT ROWID;
