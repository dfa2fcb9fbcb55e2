-- The event of change decisions.

CREATE VIEW change_decision_event_data AS
SELECT
  change_decisions.id,
  change_decisions.organization_id,
  json_object(
    'change_decision_id', change_decisions.id,
    'title', change_decisions.title,
    'kind', change_decisions.kind,
    'status', change_decisions.status,
    'previous_status', 'draft',
    'client_id', clients.id,
    'client_name', {{nameOf clients.name}},
    'project_id', projects.id,
    'project_name', {{nameOf projects.name}}
  ) AS data
FROM change_decisions
JOIN projects ON projects.id = change_decisions.project_id
JOIN clients ON clients.id = projects.client_id
WHERE clients.is_sample = 0;

-- Some are written as sent at once.
-- each name, change, condition: change_decisions_event, UPDATE OF status, NEW.status <> OLD.status
--   | change_decisions_event_at_once, INSERT, NEW.status = 'sent'
CREATE TRIGGER {{name}} AFTER {{change}} ON change_decisions
WHEN {{condition}}
BEGIN
  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'change_decision.sent', NEW.id, json_object(
    'event', 'change_decision.sent',
    'created_at', {{now}},
    'data', json(data)
  )
  FROM change_decision_event_data WHERE id = NEW.id;
END;
