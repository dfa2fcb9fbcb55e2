-- The event of deposits.

CREATE VIEW deposit_event_data AS
SELECT
  deposits.id,
  deposits.organization_id,
  json_object(
    'deposit_id', deposits.id,
    'status', deposits.status,
    'previous_status', 'pending',
    'currency', deposits.currency,
    'amount', {{decimalOf deposits.amount_minor}},
    'collected_via', coalesce(deposits.collected_via, 'offline'),
    'client_id', clients.id,
    'client_name', {{nameOf clients.name}},
    'project_id', projects.id,
    'project_name', {{nameOf projects.name}}
  ) AS data
FROM deposits
JOIN currencies ON currencies.code = deposits.currency
JOIN projects ON projects.id = deposits.project_id
JOIN clients ON clients.id = projects.client_id
WHERE clients.is_sample = 0;

-- Some are written as cleared at once.
-- each name, change, condition: deposits_event, UPDATE OF status, NEW.status <> OLD.status
--   | deposits_event_at_once, INSERT, NEW.status = 'cleared'
CREATE TRIGGER {{name}} AFTER {{change}} ON deposits
WHEN {{condition}}
BEGIN
  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'deposit.cleared', NEW.id, json_object(
    'event', 'deposit.cleared',
    'created_at', {{now}},
    'data', json(data)
  )
  FROM deposit_event_data WHERE id = NEW.id;
END;
