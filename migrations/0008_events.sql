-- The eleven events: written, with their deliveries, by the state transition itself, whoever makes it.
-- events.payload is the body of every delivery, byte for byte. Amounts are decimals of the invoice's own currency.
-- Every trigger on one physical line. A transition that assigns what its event tells (number, review state) stands here
-- too, in one trigger with the event: the order of several triggers on one change is undefined.

-- What an event tells of its subject; sample data has no row here and so never makes an event. No e-mail address,
-- no free text of a client, no identifier of a payment processor. project_name is '' where there is no project.
CREATE VIEW IF NOT EXISTS deliverable_event_data AS
SELECT deliverables.id, deliverables.organization_id, json_object(
  'deliverable_id', deliverables.id, 'title', deliverables.title, 'version_number', deliverables.version_number,
  'review_state', deliverables.review_state, 'client_id', clients.id, 'client_name', clients.name,
  'project_id', projects.id, 'project_name', coalesce(projects.name, '')) AS data
FROM deliverables JOIN clients ON clients.id = deliverables.client_id LEFT JOIN projects ON projects.id = deliverables.project_id
WHERE deliverables.is_sample = 0 AND clients.is_sample = 0;

CREATE VIEW IF NOT EXISTS invoice_event_data AS
SELECT invoices.id, invoices.organization_id, json_object(
  'invoice_id', invoices.id, 'number', invoices.number, 'status', invoices.status, 'currency', invoices.currency,
  'total', invoices.total_minor * 1.0 / minor_units_per_unit, 'amount_paid', invoices.amount_paid_minor * 1.0 / minor_units_per_unit,
  'amount_due', invoices.amount_due_minor * 1.0 / minor_units_per_unit, 'issue_date', invoices.issue_date, 'due_date', invoices.due_date,
  'client_id', clients.id, 'client_name', clients.name, 'project_id', projects.id, 'project_name', coalesce(projects.name, '')) AS data,
  minor_units_per_unit
FROM invoices JOIN currencies ON currencies.code = invoices.currency JOIN clients ON clients.id = invoices.client_id
LEFT JOIN projects ON projects.id = invoices.project_id
WHERE clients.is_sample = 0;

CREATE VIEW IF NOT EXISTS change_order_event_data AS
SELECT change_orders.id, change_orders.organization_id, json_object(
  'change_order_id', change_orders.id, 'title', change_orders.title, 'status', change_orders.status,
  'previous_status', iif(change_orders.status = 'sent', 'draft', 'sent'), 'currency', change_orders.currency,
  'amount', change_orders.amount_minor * 1.0 / minor_units_per_unit, 'client_id', clients.id, 'client_name', clients.name,
  'project_id', projects.id, 'project_name', projects.name) AS data
FROM change_orders JOIN currencies ON currencies.code = change_orders.currency
JOIN projects ON projects.id = change_orders.project_id JOIN clients ON clients.id = projects.client_id
WHERE clients.is_sample = 0;

CREATE VIEW IF NOT EXISTS change_decision_event_data AS
SELECT change_decisions.id, change_decisions.organization_id, json_object(
  'change_decision_id', change_decisions.id, 'title', change_decisions.title, 'kind', change_decisions.kind,
  'status', change_decisions.status, 'previous_status', 'draft', 'client_id', clients.id, 'client_name', clients.name,
  'project_id', projects.id, 'project_name', projects.name) AS data
FROM change_decisions JOIN projects ON projects.id = change_decisions.project_id JOIN clients ON clients.id = projects.client_id
WHERE clients.is_sample = 0;

CREATE VIEW IF NOT EXISTS deposit_event_data AS
SELECT deposits.id, deposits.organization_id, json_object(
  'deposit_id', deposits.id, 'status', deposits.status, 'previous_status', 'pending', 'currency', deposits.currency,
  'amount', deposits.amount_minor * 1.0 / minor_units_per_unit, 'collected_via', coalesce(deposits.collected_via, 'offline'),
  'client_id', clients.id, 'client_name', clients.name, 'project_id', projects.id, 'project_name', projects.name) AS data
FROM deposits JOIN currencies ON currencies.code = deposits.currency
JOIN projects ON projects.id = deposits.project_id JOIN clients ON clients.id = projects.client_id
WHERE clients.is_sample = 0;

-- Deliverables. A send is a row in deliverable_sends; setting deliverables.sent_at records one. After a sign-off only the
-- mail that went out is recorded, the row stays as it is.
CREATE TRIGGER IF NOT EXISTS deliverables_sent_by_hand AFTER UPDATE OF sent_at ON deliverables WHEN NEW.sent_at IS NOT NULL AND NEW.sent_at IS NOT OLD.sent_at AND NOT EXISTS (SELECT 1 FROM deliverable_sends WHERE deliverable_id = NEW.id AND sent_at = NEW.sent_at) BEGIN INSERT INTO deliverable_sends (organization_id, deliverable_id, version_number, sent_at) VALUES (NEW.organization_id, NEW.id, NEW.version_number, NEW.sent_at); END;
CREATE TRIGGER IF NOT EXISTS deliverable_sends_event AFTER INSERT ON deliverable_sends BEGIN UPDATE deliverables SET sent_at = NEW.sent_at, sent_version_number = max(coalesce(sent_version_number, 0), NEW.version_number), status_label = coalesce((SELECT on_send_status_label FROM organizations WHERE id = NEW.organization_id), status_label), reminder_due_at = NULL WHERE id = NEW.deliverable_id AND current_state = 'open'; INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'deliverable.sent', NEW.deliverable_id, json_object('event', 'deliverable.sent', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json_set(data, '$.version_number', NEW.version_number, '$.sent_at', NEW.sent_at)) FROM deliverable_event_data WHERE id = NEW.deliverable_id; END;
CREATE TRIGGER IF NOT EXISTS feedback_event AFTER INSERT ON feedback BEGIN UPDATE deliverables SET change_requested_version_number = max(coalesce(change_requested_version_number, 0), NEW.version_number) WHERE id = NEW.deliverable_id AND NEW.kind = 'change_request'; INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'feedback.created', NEW.deliverable_id, json_object('event', 'feedback.created', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json_set(data, '$.version_number', NEW.version_number, '$.feedback_id', NEW.id, '$.kind', NEW.kind, '$.author_name', NEW.author_name)) FROM deliverable_event_data WHERE id = NEW.deliverable_id; END;
CREATE TRIGGER IF NOT EXISTS deliverables_signed_off_event AFTER UPDATE OF current_state ON deliverables WHEN OLD.current_state = 'open' AND NEW.current_state = 'signed_off' BEGIN INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'signoff.recorded', NEW.id, json_object('event', 'signoff.recorded', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json_set(data, '$.signer_name', (SELECT signer_name FROM sign_offs WHERE deliverable_id = NEW.id))) FROM deliverable_event_data WHERE id = NEW.id; END;

-- Invoices. Opening assigns number and issue date; with nothing to pay it is settled at once, as no payment could.
CREATE TRIGGER IF NOT EXISTS invoices_open_event AFTER UPDATE OF status ON invoices WHEN OLD.status = 'draft' AND NEW.status = 'open' BEGIN UPDATE organizations SET next_invoice_number = next_invoice_number + 1 WHERE id = NEW.organization_id; UPDATE invoices SET number = (SELECT printf('INV-%04d', next_invoice_number - 1) FROM organizations WHERE id = NEW.organization_id), issue_date = coalesce(issue_date, date('now')) WHERE id = NEW.id; INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'invoice.sent', NEW.id, json_object('event', 'invoice.sent', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json_set(data, '$.previous_status', OLD.status)) FROM invoice_event_data WHERE id = NEW.id; UPDATE invoices SET status = 'paid' WHERE id = NEW.id AND total_minor = 0; END;
CREATE TRIGGER IF NOT EXISTS invoices_paid_event AFTER UPDATE OF status, amount_paid_minor ON invoices WHEN NEW.amount_paid_minor <> OLD.amount_paid_minor OR (NEW.status = 'paid' AND OLD.status <> 'paid') BEGIN INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'invoice.paid', NEW.id, json_object('event', 'invoice.paid', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json_set(json_remove(data, '$.issue_date', '$.due_date', '$.client_id', '$.project_id'), '$.amount_received', (NEW.amount_paid_minor - OLD.amount_paid_minor) * 1.0 / minor_units_per_unit, '$.previous_status', OLD.status, '$.collected_via', coalesce((SELECT collected_via FROM payments WHERE invoice_id = NEW.id ORDER BY rowid DESC LIMIT 1), 'offline'))) FROM invoice_event_data WHERE id = NEW.id; END;
CREATE TRIGGER IF NOT EXISTS invoices_overdue_event AFTER UPDATE OF status ON invoices WHEN NEW.status = 'overdue' AND OLD.status <> 'overdue' BEGIN INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'invoice.overdue', NEW.id, json_object('event', 'invoice.overdue', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json_set(data, '$.previous_status', OLD.status)) FROM invoice_event_data WHERE id = NEW.id; END;

-- Change orders, change decisions, deposits: some are written in the later state at once.
CREATE TRIGGER IF NOT EXISTS change_orders_event AFTER UPDATE OF status ON change_orders WHEN NEW.status <> OLD.status BEGIN INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'change_order.' || NEW.status, NEW.id, json_object('event', 'change_order.' || NEW.status, 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json(data)) FROM change_order_event_data WHERE id = NEW.id; END;
CREATE TRIGGER IF NOT EXISTS change_orders_event_at_once AFTER INSERT ON change_orders WHEN NEW.status = 'sent' BEGIN INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'change_order.sent', NEW.id, json_object('event', 'change_order.sent', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json(data)) FROM change_order_event_data WHERE id = NEW.id; END;
CREATE TRIGGER IF NOT EXISTS change_decisions_event AFTER UPDATE OF status ON change_decisions WHEN NEW.status <> OLD.status BEGIN INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'change_decision.sent', NEW.id, json_object('event', 'change_decision.sent', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json(data)) FROM change_decision_event_data WHERE id = NEW.id; END;
CREATE TRIGGER IF NOT EXISTS change_decisions_event_at_once AFTER INSERT ON change_decisions WHEN NEW.status = 'sent' BEGIN INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'change_decision.sent', NEW.id, json_object('event', 'change_decision.sent', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json(data)) FROM change_decision_event_data WHERE id = NEW.id; END;
CREATE TRIGGER IF NOT EXISTS deposits_event AFTER UPDATE OF status ON deposits WHEN NEW.status <> OLD.status BEGIN INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'deposit.cleared', NEW.id, json_object('event', 'deposit.cleared', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json(data)) FROM deposit_event_data WHERE id = NEW.id; END;
CREATE TRIGGER IF NOT EXISTS deposits_event_at_once AFTER INSERT ON deposits WHEN NEW.status = 'cleared' BEGIN INSERT INTO events (organization_id, event, subject_id, payload) SELECT organization_id, 'deposit.cleared', NEW.id, json_object('event', 'deposit.cleared', 'created_at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'data', json(data)) FROM deposit_event_data WHERE id = NEW.id; END;

-- Fan-out: one delivery for every endpoint that subscribes. An endpoint that may not be called (disabled, or the plan
-- lacks api_access) gets its delivery too, held: next_attempt_at NULL until the endpoint is ready again.
CREATE VIEW IF NOT EXISTS ready_webhook_endpoints AS
SELECT webhook_endpoints.id, webhook_endpoints.organization_id
FROM webhook_endpoints JOIN organizations ON organizations.id = webhook_endpoints.organization_id JOIN plans ON plans.name = organizations.plan
WHERE webhook_endpoints.enabled = 1 AND webhook_endpoints.deleted_at IS NULL AND plans.api_access = 1;

CREATE TRIGGER IF NOT EXISTS events_fan_out AFTER INSERT ON events BEGIN INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, next_attempt_at) SELECT printf('%08x-%04x-7%03x-%s%s-%s', cast(unixepoch('subsec') * 1000 AS INTEGER) >> 16, cast(unixepoch('subsec') * 1000 AS INTEGER) & 65535, NEW.rowid & 4095, substr('89ab', 1 + (random() & 3), 1), lower(substr(hex(randomblob(2)), 2)), lower(hex(randomblob(6)))), organization_id, id, NEW.id, NEW.event, iif(id IN (SELECT id FROM ready_webhook_endpoints WHERE organization_id = NEW.organization_id), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), NULL) FROM webhook_endpoints WHERE organization_id = NEW.organization_id AND deleted_at IS NULL AND (events IS NULL OR EXISTS (SELECT 1 FROM json_each(webhook_endpoints.events) WHERE value IN (NEW.event, (SELECT category FROM event_types WHERE name = NEW.event)))); END;

-- Hold and release: an endpoint is switched, an organization changes its plan, a plan changes. A lease outlives both, so that
-- what is released is not sent beside an attempt that is still under way.
CREATE TRIGGER IF NOT EXISTS webhook_endpoints_disabled AFTER UPDATE OF enabled ON webhook_endpoints WHEN OLD.enabled = 1 AND NEW.enabled = 0 BEGIN UPDATE webhook_endpoints SET disabled_reason = 'admin' WHERE id = NEW.id AND disabled_reason IS NULL; UPDATE webhook_deliveries SET next_attempt_at = NULL WHERE endpoint_id = NEW.id AND status = 'pending' AND next_attempt_at IS NOT NULL; END;
CREATE TRIGGER IF NOT EXISTS webhook_endpoints_enabled AFTER UPDATE OF enabled ON webhook_endpoints WHEN OLD.enabled = 0 AND NEW.enabled = 1 BEGIN UPDATE webhook_endpoints SET consecutive_dead = 0, disabled_reason = NULL WHERE id = NEW.id; UPDATE webhook_deliveries SET next_attempt_at = max(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), coalesce(lease_ends_at, '')) WHERE status = 'pending' AND next_attempt_at IS NULL AND endpoint_id IN (SELECT id FROM ready_webhook_endpoints WHERE id = NEW.id); END;
CREATE TRIGGER IF NOT EXISTS organizations_plan_changed AFTER UPDATE OF plan ON organizations WHEN NEW.plan <> OLD.plan BEGIN UPDATE webhook_deliveries SET next_attempt_at = NULL WHERE status = 'pending' AND next_attempt_at IS NOT NULL AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE organization_id = NEW.id) AND endpoint_id NOT IN (SELECT id FROM ready_webhook_endpoints WHERE organization_id = NEW.id); UPDATE webhook_deliveries SET next_attempt_at = max(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), coalesce(lease_ends_at, '')) WHERE status = 'pending' AND next_attempt_at IS NULL AND endpoint_id IN (SELECT id FROM ready_webhook_endpoints WHERE organization_id = NEW.id); END;
CREATE TRIGGER IF NOT EXISTS plans_api_access_changed AFTER UPDATE OF api_access ON plans WHEN NEW.api_access <> OLD.api_access BEGIN UPDATE webhook_deliveries SET next_attempt_at = NULL WHERE status = 'pending' AND next_attempt_at IS NOT NULL AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE organization_id IN (SELECT id FROM organizations WHERE plan = NEW.name)) AND endpoint_id NOT IN (SELECT id FROM ready_webhook_endpoints WHERE organization_id IN (SELECT id FROM organizations WHERE plan = NEW.name)); UPDATE webhook_deliveries SET next_attempt_at = max(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), coalesce(lease_ends_at, '')) WHERE status = 'pending' AND next_attempt_at IS NULL AND endpoint_id IN (SELECT id FROM ready_webhook_endpoints WHERE organization_id IN (SELECT id FROM organizations WHERE plan = NEW.name)); END;

-- A deleted endpoint is never called again: what was pending ends here, and counts as nobody's failure.
CREATE TRIGGER IF NOT EXISTS webhook_endpoints_deleted AFTER UPDATE OF deleted_at ON webhook_endpoints WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN UPDATE webhook_deliveries SET status = 'dead', next_attempt_at = NULL, settled_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE endpoint_id = NEW.id AND status = 'pending'; END;

-- An attempt that was under way, or a replay, comes back to an endpoint that is not ready any more.
CREATE TRIGGER IF NOT EXISTS webhook_deliveries_come_back AFTER UPDATE OF status, attempts ON webhook_deliveries WHEN NEW.status = 'pending' AND NEW.next_attempt_at IS NOT NULL AND (OLD.status <> 'pending' OR NEW.attempts <> OLD.attempts) AND NEW.endpoint_id NOT IN (SELECT id FROM ready_webhook_endpoints WHERE id = NEW.endpoint_id) BEGIN UPDATE webhook_deliveries SET next_attempt_at = NULL WHERE id = NEW.id; UPDATE webhook_deliveries SET status = 'dead', settled_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = NEW.id AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = NEW.endpoint_id AND deleted_at IS NOT NULL); END;

-- The circuit breaker: 20 dead deliveries with none delivered between them disable the endpoint.
CREATE TRIGGER IF NOT EXISTS webhook_deliveries_dead AFTER UPDATE OF status ON webhook_deliveries WHEN OLD.status = 'pending' AND NEW.status = 'dead' BEGIN UPDATE webhook_endpoints SET consecutive_dead = consecutive_dead + 1 WHERE id = NEW.endpoint_id AND deleted_at IS NULL; END;
CREATE TRIGGER IF NOT EXISTS webhook_deliveries_delivered AFTER UPDATE OF status ON webhook_deliveries WHEN OLD.status <> 'delivered' AND NEW.status = 'delivered' BEGIN UPDATE webhook_endpoints SET consecutive_dead = 0 WHERE id = NEW.endpoint_id AND consecutive_dead <> 0; END;
CREATE TRIGGER IF NOT EXISTS webhook_endpoints_break AFTER UPDATE OF consecutive_dead ON webhook_endpoints WHEN NEW.consecutive_dead >= 20 AND NEW.enabled = 1 AND NEW.consecutive_dead > OLD.consecutive_dead BEGIN UPDATE webhook_endpoints SET enabled = 0, disabled_reason = 'circuit_breaker', notice_due_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = NEW.id; END;
