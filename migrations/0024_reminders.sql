-- Reminders of a send that its client has not answered.

-- Days after a send; 0: clients get no reminders.
ALTER TABLE organizations ADD COLUMN reminder_days INTEGER NOT NULL DEFAULT 0 CHECK (reminder_days >= 0);
-- Days to the next reminder; NULL or 0: none follows.
ALTER TABLE deliverable_sends ADD COLUMN remind_after_days INTEGER CHECK (remind_after_days >= 0);
-- Which reminder of its send it is, from 1; NULL: it is the send.
ALTER TABLE deliverable_sends ADD COLUMN reminder INTEGER CHECK (reminder > 0);
-- Of the pending reminder, whose mail was not accepted.
ALTER TABLE deliverables ADD COLUMN reminder_attempts INTEGER NOT NULL DEFAULT 0;

CREATE INDEX deliverables_to_remind ON deliverables (reminder_due_at) WHERE reminder_due_at IS NOT NULL;
CREATE INDEX deliverables_to_remind_of ON deliverables (organization_id, reminder_due_at)
  WHERE reminder_due_at IS NOT NULL;
CREATE INDEX deliverables_to_remind_client ON deliverables (client_id) WHERE reminder_due_at IS NOT NULL;
