-- Invitations beyond what one address gets in a day, from all workspaces, wait for the next day.

ALTER TABLE invitations ADD COLUMN waits_since TEXT; -- NULL: its mail went out
ALTER TABLE invitations ADD COLUMN mail_due_at TEXT; -- of one that waits: when its mail is tried next
CREATE INDEX invitations_waiting ON invitations (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE INDEX invitations_waiting_for ON invitations (email) WHERE waits_since IS NOT NULL;
-- Of the invitations that a workspace asked for, those that went out.
ALTER TABLE mail_counts ADD COLUMN invitations_mailed INTEGER NOT NULL DEFAULT 0;
