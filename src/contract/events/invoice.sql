-- The events of invoices. Amounts are decimals in the invoice's own currency.

CREATE VIEW invoice_event_data AS
SELECT
  invoices.id,
  invoices.organization_id,
  json_object(
    'invoice_id', invoices.id,
    'number', invoices.number,
    'status', invoices.status,
    'currency', invoices.currency,
    'total', {{decimalOf invoices.total_minor}},
    'amount_paid', {{decimalOf invoices.amount_paid_minor}},
    'amount_due', {{decimalOf invoices.amount_due_minor}},
    'issue_date', invoices.issue_date,
    'due_date', invoices.due_date,
    'client_id', clients.id,
    'client_name', {{nameOf clients.name}},
    'project_id', projects.id,
    'project_name', coalesce({{nameOf projects.name}}, '')
  ) AS data,
  minor_units_per_unit
FROM invoices
JOIN currencies ON currencies.code = invoices.currency
JOIN clients ON clients.id = invoices.client_id
LEFT JOIN projects ON projects.id = invoices.project_id
WHERE clients.is_sample = 0;

-- Opening assigns number and issue date; with nothing to pay the invoice is paid at once, as no payment could.
CREATE TRIGGER invoices_open_event AFTER UPDATE OF status ON invoices
WHEN OLD.status = 'draft' AND NEW.status = 'open'
BEGIN
  UPDATE organizations SET next_invoice_number = next_invoice_number + 1 WHERE id = NEW.organization_id;

  UPDATE invoices SET
    number = (
      SELECT printf('INV-%04d', next_invoice_number - 1) FROM organizations WHERE id = NEW.organization_id
    ),
    issue_date = coalesce(issue_date, date('now'))
  WHERE id = NEW.id;

  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'invoice.sent', NEW.id, json_object(
    'event', 'invoice.sent',
    'created_at', {{now}},
    'data', json_set(data, '$.previous_status', OLD.status)
  )
  FROM invoice_event_data WHERE id = NEW.id;

  UPDATE invoices SET status = 'paid' WHERE id = NEW.id AND total_minor = 0;
END;

CREATE TRIGGER invoices_paid_event AFTER UPDATE OF status, amount_paid_minor ON invoices
WHEN NEW.amount_reversed_minor = OLD.amount_reversed_minor
  AND (NEW.amount_paid_minor <> OLD.amount_paid_minor OR (NEW.status = 'paid' AND OLD.status <> 'paid'))
BEGIN
  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'invoice.paid', NEW.id, json_object(
    'event', 'invoice.paid',
    'created_at', {{now}},
    'data', json_set(
      json_remove(data, '$.issue_date', '$.due_date', '$.client_id', '$.project_id'),
      '$.amount_received', {{decimalOf (NEW.amount_paid_minor - OLD.amount_paid_minor)}},
      '$.previous_status', OLD.status,
      '$.collected_via', coalesce(
        (SELECT collected_via FROM payments WHERE invoice_id = NEW.id ORDER BY rowid DESC LIMIT 1),
        'offline'
      )
    )
  )
  FROM invoice_event_data WHERE id = NEW.id;
END;

CREATE TRIGGER invoices_overdue_event AFTER UPDATE OF status ON invoices
WHEN NEW.status = 'overdue' AND OLD.status NOT IN ('overdue', 'paid')
BEGIN
  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'invoice.overdue', NEW.id, json_object(
    'event', 'invoice.overdue',
    'created_at', {{now}},
    'data', json_set(data, '$.previous_status', OLD.status)
  )
  FROM invoice_event_data WHERE id = NEW.id;
END;

-- The newest reversal is the one that moves the invoice.
CREATE TRIGGER invoices_refunded_event AFTER UPDATE OF amount_reversed_minor ON invoices
WHEN (SELECT kind FROM payment_reversals WHERE invoice_id = NEW.id ORDER BY rowid DESC LIMIT 1) = 'refund'
BEGIN
  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'invoice.refunded', NEW.id, json_object(
    'event', 'invoice.refunded',
    'created_at', {{now}},
    'data', json_set(
      data,
      '$.amount_refunded', {{decimalOf (NEW.amount_reversed_minor - OLD.amount_reversed_minor)}},
      '$.previous_status', OLD.status
    )
  )
  FROM invoice_event_data WHERE id = NEW.id;
END;

CREATE TRIGGER invoices_disputed_event AFTER UPDATE OF amount_reversed_minor ON invoices
WHEN (SELECT kind FROM payment_reversals WHERE invoice_id = NEW.id ORDER BY rowid DESC LIMIT 1) <> 'refund'
BEGIN
  INSERT INTO events (organization_id, event, subject_id, payload)
  SELECT organization_id, 'invoice.disputed', NEW.id, json_object(
    'event', 'invoice.disputed',
    'created_at', {{now}},
    'data', json_set(
      data,
      '$.amount_disputed', {{decimalOf abs(NEW.amount_reversed_minor - OLD.amount_reversed_minor)}},
      '$.dispute_status', iif(NEW.amount_reversed_minor > OLD.amount_reversed_minor, 'opened', 'won'),
      '$.previous_status', OLD.status
    )
  )
  FROM invoice_event_data WHERE id = NEW.id;
END;
