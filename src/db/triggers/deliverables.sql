-- Deliverables: counted against the plan, and final once they are signed off.

CREATE TRIGGER deliverables_start BEFORE INSERT ON deliverables
BEGIN
  SELECT RAISE(ABORT, 'deliverables has a row with this id already')
  WHERE EXISTS (SELECT 1 FROM deliverables WHERE id = NEW.id);

  SELECT RAISE(ABORT, 'a deliverable starts open')
  WHERE NEW.current_state <> 'open' OR NEW.is_final <> 0;

  SELECT RAISE(ABORT, 'plan_deliverable_cap')
  FROM organizations JOIN plans ON plans.name = organizations.plan
  WHERE organizations.id = NEW.organization_id AND organizations.deliverable_count >= plans.deliverable_cap;
END;

CREATE TRIGGER deliverables_counted AFTER INSERT ON deliverables
BEGIN
  UPDATE organizations SET deliverable_count = deliverable_count + 1, record_count = record_count + 1
  WHERE id = NEW.organization_id;
END;

CREATE TRIGGER deliverables_uncounted AFTER DELETE ON deliverables
BEGIN
  UPDATE organizations SET deliverable_count = deliverable_count - 1, record_count = record_count - 1
  WHERE id = OLD.organization_id;
END;

CREATE TRIGGER deliverables_final BEFORE UPDATE ON deliverables
WHEN OLD.is_final = 1
BEGIN
  SELECT RAISE(ABORT, 'deliverable_signed_off');
END;

CREATE TRIGGER deliverables_final_by_sign_off BEFORE UPDATE OF is_final ON deliverables
WHEN NEW.is_final <> OLD.is_final AND OLD.current_state = 'open'
BEGIN
  SELECT RAISE(ABORT, 'is_final is set by the sign-off');
END;

CREATE TRIGGER deliverables_finalize AFTER UPDATE OF current_state ON deliverables
WHEN OLD.current_state = 'open' AND NEW.current_state = 'signed_off'
BEGIN
  UPDATE deliverables SET
    is_final = 1,
    reminder_due_at = NULL,
    signed_off_at = coalesce(
      signed_off_at,
      (SELECT created_at FROM sign_offs WHERE deliverable_id = NEW.id),
      {{now}}
    ),
    updated_at = max(updated_at, {{now}})
  WHERE id = NEW.id;
END;

CREATE TRIGGER deliverables_kept BEFORE DELETE ON deliverables
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'deliverable_signed_off')
  WHERE OLD.current_state = 'signed_off';

  SELECT RAISE(ABORT, 'a deliverable that was sent or has several versions cannot be deleted')
  WHERE OLD.sent_at IS NOT NULL OR OLD.version_number <> 1;
END;

CREATE TRIGGER deliverables_take_versions_along AFTER DELETE ON deliverables
BEGIN
  DELETE FROM deliverable_versions WHERE deliverable_id = OLD.id;
END;
