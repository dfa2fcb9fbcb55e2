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

-- What its proof says of the version and the workspace stands in the row itself, whoever inserted it.
CREATE TRIGGER sign_offs_complete AFTER INSERT ON sign_offs
BEGIN
  UPDATE sign_offs SET
    version_hash = (SELECT hash FROM deliverable_versions
      WHERE deliverable_id = NEW.deliverable_id AND version_number = NEW.version_number),
    workspace = (SELECT name FROM organizations WHERE id = NEW.organization_id)
  WHERE id = NEW.id;

  UPDATE deliverables SET current_state = 'signed_off' WHERE id = NEW.deliverable_id;
END;

-- Mails about what came through the client's page. What an admin records tells nobody, and sample data is never mailed.
CREATE TRIGGER feedback_notice AFTER INSERT ON feedback
WHEN NEW.attribution <> 'recorded_by_admin'
BEGIN
  INSERT INTO review_notices (organization_id, deliverable_id, feedback_id, recipient)
  SELECT NEW.organization_id, NEW.deliverable_id, NEW.id, 'owner'
  FROM deliverables JOIN clients ON clients.id = deliverables.client_id
  WHERE deliverables.id = NEW.deliverable_id AND NOT deliverables.is_sample AND NOT clients.is_sample;
END;

CREATE TRIGGER sign_offs_notices AFTER INSERT ON sign_offs
WHEN NEW.attribution <> 'recorded_by_admin'
BEGIN
  INSERT INTO review_notices (organization_id, deliverable_id, sign_off_id, recipient)
  VALUES (NEW.organization_id, NEW.deliverable_id, NEW.id, 'owner'),
    (NEW.organization_id, NEW.deliverable_id, NEW.id, 'client');
END;
