-- Change orders, change decisions and deposits.

CREATE TRIGGER change_orders_start BEFORE INSERT ON change_orders
WHEN NEW.status NOT IN ('draft', 'sent')
BEGIN
  SELECT RAISE(ABORT, 'a change order starts as draft or sent');
END;

CREATE TRIGGER change_orders_status BEFORE UPDATE OF status ON change_orders
WHEN NEW.status <> OLD.status
  AND OLD.status || ' ' || NEW.status NOT IN ('draft sent', 'sent signed', 'sent declined')
BEGIN
  SELECT RAISE(ABORT, 'a change order goes from draft to sent, and from sent to signed or declined');
END;

CREATE TRIGGER change_orders_frozen BEFORE UPDATE OF project_id, title, amount_minor, currency ON change_orders
WHEN OLD.status <> 'draft' AND (
  NEW.project_id <> OLD.project_id
  OR NEW.title <> OLD.title
  OR NEW.amount_minor <> OLD.amount_minor
  OR NEW.currency <> OLD.currency
)
BEGIN
  SELECT RAISE(ABORT, 'a change order is frozen once it is sent');
END;

CREATE TRIGGER change_decisions_status BEFORE UPDATE OF status ON change_decisions
WHEN NEW.status <> OLD.status AND OLD.status || ' ' || NEW.status <> 'draft sent'
BEGIN
  SELECT RAISE(ABORT, 'a change decision goes from draft to sent');
END;

CREATE TRIGGER change_decisions_frozen BEFORE UPDATE OF project_id, title, kind ON change_decisions
WHEN OLD.status <> 'draft' AND (
  NEW.project_id <> OLD.project_id OR NEW.title <> OLD.title OR NEW.kind <> OLD.kind
)
BEGIN
  SELECT RAISE(ABORT, 'a change decision is frozen once it is sent');
END;

CREATE TRIGGER deposits_status BEFORE UPDATE OF status ON deposits
WHEN NEW.status <> OLD.status AND OLD.status || ' ' || NEW.status <> 'pending cleared'
BEGIN
  SELECT RAISE(ABORT, 'a deposit goes from pending to cleared');
END;

CREATE TRIGGER deposits_frozen BEFORE UPDATE OF project_id, amount_minor, currency ON deposits
WHEN OLD.status <> 'pending' AND (
  NEW.project_id <> OLD.project_id OR NEW.amount_minor <> OLD.amount_minor OR NEW.currency <> OLD.currency
)
BEGIN
  SELECT RAISE(ABORT, 'a deposit is frozen once it has cleared');
END;

-- A cleared deposit lets its project start. Some are written as cleared at once.
-- each name, change, condition:
--   deposits_start_project, UPDATE OF status, OLD.status = 'pending' AND NEW.status = 'cleared'
--   | deposits_start_project_at_once, INSERT, NEW.status = 'cleared'
CREATE TRIGGER {{name}} AFTER {{change}} ON deposits
WHEN {{condition}}
BEGIN
  UPDATE deposits SET cleared_at = coalesce(cleared_at, {{now}}) WHERE id = NEW.id;
  UPDATE projects SET kickoff_released_at = {{now}} WHERE id = NEW.project_id AND kickoff_released_at IS NULL;
END;
