-- The events of change orders.

CREATE VIEW change_order_event_data AS
SELECT
  change_orders.id,
  change_orders.organization_id,
  json_object(
    'change_order_id', change_orders.id,
    'title', change_orders.title,
    'status', change_orders.status,
    'previous_status', iif(change_orders.status = 'sent', 'draft', 'sent'),
    'currency', change_orders.currency,
    'amount', {{decimalOf change_orders.amount_minor}},
    'client_id', clients.id,
    'client_name', {{nameOf clients.name}},
    'project_id', projects.id,
    'project_name', {{nameOf projects.name}}
  ) AS data
FROM change_orders
JOIN currencies ON currencies.code = change_orders.currency
JOIN projects ON projects.id = change_orders.project_id
JOIN clients ON clients.id = projects.client_id
WHERE clients.is_sample = 0;

-- Some are written as sent at once.
-- each name, change, condition: change_orders_event, UPDATE OF status, NEW.status <> OLD.status
--   | change_orders_event_at_once, INSERT, NEW.status = 'sent'
CREATE TRIGGER {{name}} AFTER {{change}} ON change_orders
WHEN {{condition}}
BEGIN
  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'change_order.' || NEW.status, NEW.id, json_object(
    'event', 'change_order.' || NEW.status,
    'created_at', {{now}},
    'data', json(data)
  )
  FROM change_order_event_data WHERE id = NEW.id;
END;
