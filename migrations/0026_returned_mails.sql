-- E-mails that come back: what the mail service reports about an e-mail after accepting it.

ALTER TABLE deliverables ADD COLUMN delivery_problem TEXT CHECK (json_valid(delivery_problem));
ALTER TABLE members ADD COLUMN delivery_problem TEXT CHECK (json_valid(delivery_problem));
ALTER TABLE invitations ADD COLUMN delivery_problem TEXT CHECK (json_valid(delivery_problem));

-- Without angle brackets.
ALTER TABLE deliverable_sends ADD COLUMN message_id TEXT;
ALTER TABLE deliverable_sends ADD COLUMN delivery_problem TEXT CHECK (json_valid(delivery_problem));

CREATE INDEX deliverables_with_problem ON deliverables (organization_id, updated_at) WHERE delivery_problem IS NOT NULL;
CREATE INDEX deliverable_sends_by_message_id ON deliverable_sends (message_id) WHERE message_id IS NOT NULL;

-- Invitations, and notices to owners and members.
CREATE TABLE member_mails (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  email TEXT NOT NULL COLLATE NOCASE,
  message_id TEXT NOT NULL,
  sent_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  PRIMARY KEY (organization_id, email, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_mails_by_message_id ON member_mails (message_id);
CREATE INDEX member_mails_by_age ON member_mails (sent_at);

-- Reports that match no e-mail, or not yet.
CREATE TABLE mail_events (
  message_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  at TEXT NOT NULL,
  reason TEXT,
  received_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_events_by_age ON mail_events (received_at);

-- When the mail service last reported anything.
CREATE TABLE mail_reports (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  received_at TEXT NOT NULL
) STRICT;
