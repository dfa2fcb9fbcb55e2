-- The events of deliverables. A send is a row in deliverable_sends; setting deliverables.sent_at records one. After a
-- sign-off the mail that went out is recorded, and the row stays as it is. Sending the version again answers the change
-- requests on it that came before.

-- What the events tell. Sample data has no row here and so never makes an event.
CREATE VIEW deliverable_event_data AS
SELECT
  deliverables.id,
  deliverables.organization_id,
  json_object(
    'deliverable_id', deliverables.id,
    'title', deliverables.title,
    'version_number', deliverables.version_number,
    'review_state', deliverables.review_state,
    'client_id', clients.id,
    'client_name', {{nameOf clients.name}},
    'project_id', projects.id,
    'project_name', coalesce({{nameOf projects.name}}, '')
  ) AS data
FROM deliverables
JOIN clients ON clients.id = deliverables.client_id
LEFT JOIN projects ON projects.id = deliverables.project_id
WHERE deliverables.is_sample = 0 AND clients.is_sample = 0;

CREATE TRIGGER deliverables_sent_by_hand AFTER UPDATE OF sent_at ON deliverables
WHEN NEW.sent_at IS NOT NULL AND NEW.sent_at IS NOT OLD.sent_at
  AND NOT EXISTS (SELECT 1 FROM deliverable_sends WHERE deliverable_id = NEW.id AND sent_at = NEW.sent_at)
BEGIN
  INSERT INTO deliverable_sends (organization_id, deliverable_id, version_number, sent_at)
  VALUES (NEW.organization_id, NEW.id, NEW.version_number, NEW.sent_at);
END;

CREATE TRIGGER deliverable_sends_event AFTER INSERT ON deliverable_sends
BEGIN
  UPDATE deliverables SET
    sent_at = max(coalesce(sent_at, ''), NEW.sent_at),
    sent_version_number = max(coalesce(sent_version_number, 0), NEW.version_number),
    change_requested_version_number = iif(
      EXISTS (
        SELECT 1 FROM feedback
        WHERE deliverable_id = NEW.deliverable_id AND version_number = NEW.version_number
          AND kind = 'change_request' AND created_at > NEW.sent_at
      ),
      change_requested_version_number,
      nullif(change_requested_version_number, NEW.version_number)
    ),
    status_label = coalesce(
      (SELECT on_send_status_label FROM organizations WHERE id = NEW.organization_id),
      status_label
    ),
    reminder_due_at = NULL
  WHERE id = NEW.deliverable_id AND current_state = 'open';

  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'deliverable.sent', NEW.deliverable_id, json_object(
    'event', 'deliverable.sent',
    'created_at', {{now}},
    'data', json_set(data, '$.version_number', NEW.version_number, '$.sent_at', NEW.sent_at)
  )
  FROM deliverable_event_data WHERE id = NEW.deliverable_id;
END;

CREATE TRIGGER feedback_event AFTER INSERT ON feedback
BEGIN
  UPDATE deliverables SET
    change_requested_version_number = max(coalesce(change_requested_version_number, 0), NEW.version_number)
  WHERE id = NEW.deliverable_id AND NEW.kind = 'change_request';

  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'feedback.created', NEW.deliverable_id, json_object(
    'event', 'feedback.created',
    'created_at', {{now}},
    'data', json_set(
      data,
      '$.version_number', NEW.version_number,
      '$.feedback_id', NEW.id,
      '$.kind', NEW.kind,
      '$.author_name', {{nameOf NEW.author_name}}
    )
  )
  FROM deliverable_event_data WHERE id = NEW.deliverable_id;
END;

CREATE TRIGGER deliverables_signed_off_event AFTER UPDATE OF current_state ON deliverables
WHEN OLD.current_state = 'open' AND NEW.current_state = 'signed_off'
BEGIN
  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'signoff.recorded', NEW.id, json_object(
    'event', 'signoff.recorded',
    'created_at', {{now}},
    'data', json_set(
      data,
      '$.signer_name', (SELECT {{nameOf signer_name}} FROM sign_offs WHERE deliverable_id = NEW.id)
    )
  )
  FROM deliverable_event_data WHERE id = NEW.id;
END;
