-- Rows that are written once. Guards that ask `erasures` yield to an erasure, and to nothing else: it holds the
-- organization from the first statement of a batch to the last.

-- each table, row: revision_overrides, a revision override | payments, a payment
--   | payment_reversals, a reversal | deliverable_versions, a deliverable version
CREATE TRIGGER {{table}}_immutable BEFORE UPDATE ON {{table}}
BEGIN
  SELECT RAISE(ABORT, '{{row}} is immutable');
END;

-- These hold names and words of people.
-- each table, row: events, an event | feedback, feedback
CREATE TRIGGER {{table}}_immutable BEFORE UPDATE ON {{table}}
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, '{{row}} is immutable');
END;

-- Events are deleted when they are old, versions with their deliverable.
-- each table, row: revision_overrides, a revision override | payments, a payment
--   | payment_reversals, a reversal | feedback, feedback | sign_offs, a sign-off
CREATE TRIGGER {{table}}_kept BEFORE DELETE ON {{table}}
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, '{{row}} is immutable');
END;

-- The trigger that completes a sign-off writes its hash; from then on nothing of it changes.
CREATE TRIGGER sign_offs_immutable BEFORE UPDATE ON sign_offs
WHEN OLD.version_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'a sign-off is immutable');
END;

CREATE TRIGGER audit_log_immutable BEFORE UPDATE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- INSERT OR REPLACE deletes the old row without firing a delete trigger. Deliverables and versions have this guard in
-- the trigger with their other guards, where it comes first: the order of several triggers is undefined.
-- each table: invoices | payments | payment_reversals | feedback | sign_offs
CREATE TRIGGER {{table}}_not_replaced BEFORE INSERT ON {{table}}
WHEN EXISTS (SELECT 1 FROM {{table}} WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, '{{table}} has a row with this id already');
END;

CREATE TRIGGER audit_log_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE sequence = NEW.sequence)
BEGIN
  SELECT RAISE(ABORT, 'audit_log has a row with this number already');
END;
