-- updated_at: stamped in the statement that changes the row, never backwards. A row that was never changed keeps
-- updated_at = created_at.

-- each table: members | projects | milestones | time_entries | invoices | change_orders | change_decisions
--   | deposits
CREATE TRIGGER {{table}}_stamp AFTER UPDATE ON {{table}}
WHEN NEW.updated_at <= OLD.updated_at AND NEW.updated_at < {{now}}
BEGIN
  UPDATE {{table}} SET updated_at = max(OLD.updated_at, {{now}})
  WHERE id = NEW.id AND organization_id = NEW.organization_id;
END;

-- A sort key that follows its name is no edit of its own.
CREATE TRIGGER clients_stamp AFTER UPDATE ON clients
WHEN NEW.updated_at <= OLD.updated_at AND NEW.updated_at < {{now}} AND NEW.sort_name IS OLD.sort_name
BEGIN
  UPDATE clients SET updated_at = max(OLD.updated_at, {{now}}) WHERE id = NEW.id;
END;

-- A signed-off deliverable was stamped by its sign-off, and is final.
CREATE TRIGGER deliverables_stamp AFTER UPDATE ON deliverables
WHEN NEW.updated_at <= OLD.updated_at AND NEW.updated_at < {{now}} AND NEW.current_state = 'open'
BEGIN
  UPDATE deliverables SET updated_at = max(OLD.updated_at, {{now}}) WHERE id = NEW.id;
END;

-- Counters are no edit: they would cost a write for every deliverable made and every delivery attempted.
CREATE TRIGGER organizations_stamp
AFTER UPDATE OF slug, name, plan, currency, features, on_send_status_label ON organizations
WHEN NEW.updated_at <= OLD.updated_at AND NEW.updated_at < {{now}}
BEGIN
  UPDATE organizations SET updated_at = max(OLD.updated_at, {{now}}) WHERE id = NEW.id;
END;

CREATE TRIGGER webhook_endpoints_stamp
AFTER UPDATE OF url, description, events, enabled, secret_encrypted, previous_secret_encrypted, deleted_at
ON webhook_endpoints
WHEN NEW.updated_at <= OLD.updated_at AND NEW.updated_at < {{now}}
BEGIN
  UPDATE webhook_endpoints SET updated_at = max(OLD.updated_at, {{now}}) WHERE id = NEW.id;
END;

-- What a project, an invoice or a deliverable shows of its children moves it too. Children written together with their
-- parent carry its created_at, and leave it as never changed. (Payments, revision rounds, sends, sign-offs and later
-- versions update their parent itself.)

-- each child, parent, parent_id, name: milestones, projects, project_id, milestones_added_to_project
--   | invoice_line_items, invoices, invoice_id, invoice_line_items_added_to_invoice
CREATE TRIGGER {{name}} AFTER INSERT ON {{child}}
BEGIN
  UPDATE {{parent}} SET updated_at = {{now}}
  WHERE id = NEW.{{parent_id}} AND created_at <> NEW.created_at AND updated_at < {{now}};
END;

CREATE TRIGGER milestones_changed_in_project
AFTER UPDATE OF project_id, name, position, status, due_date, amount_minor ON milestones
BEGIN
  UPDATE projects SET updated_at = {{now}}
  WHERE id IN (OLD.project_id, NEW.project_id) AND updated_at < {{now}};
END;

CREATE TRIGGER invoice_line_items_changed_in_invoice
AFTER UPDATE OF position, description, quantity, unit_price_minor, tax_rate, amount_minor ON invoice_line_items
BEGIN
  UPDATE invoices SET updated_at = {{now}} WHERE id = NEW.invoice_id AND updated_at < {{now}};
END;

-- each child, parent, parent_id, name: milestones, projects, project_id, milestones_removed_from_project
--   | invoice_line_items, invoices, invoice_id, invoice_line_items_removed_from_invoice
CREATE TRIGGER {{name}} AFTER DELETE ON {{child}}
BEGIN
  UPDATE {{parent}} SET updated_at = {{now}} WHERE id = OLD.{{parent_id}} AND updated_at < {{now}};
END;

CREATE TRIGGER feedback_added_to_deliverable AFTER INSERT ON feedback
BEGIN
  UPDATE deliverables SET updated_at = {{now}} WHERE id = NEW.deliverable_id AND updated_at < {{now}};
END;
