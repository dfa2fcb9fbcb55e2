-- Feedback and sign-offs. A sign-off binds to the newest version: nobody signs what has been replaced.

CREATE TRIGGER feedback_while_open BEFORE INSERT ON feedback
WHEN (SELECT current_state FROM deliverables WHERE id = NEW.deliverable_id) = 'signed_off'
BEGIN
  SELECT RAISE(ABORT, 'deliverable_signed_off');
END;

CREATE TRIGGER sign_offs_while_open BEFORE INSERT ON sign_offs
BEGIN
  SELECT RAISE(ABORT, 'deliverable_signed_off')
  WHERE (SELECT current_state FROM deliverables WHERE id = NEW.deliverable_id) = 'signed_off';

  SELECT RAISE(ABORT, 'only the newest version can be signed off')
  WHERE (SELECT version_number FROM deliverables WHERE id = NEW.deliverable_id) <> NEW.version_number;
END;

CREATE TRIGGER sign_offs_complete AFTER INSERT ON sign_offs
BEGIN
  UPDATE deliverables SET current_state = 'signed_off' WHERE id = NEW.deliverable_id;
END;
