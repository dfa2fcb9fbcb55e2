-- Fan-out, pausing and resuming, and the circuit breaker. A pending delivery without next_attempt_at is held: its
-- endpoint is not ready. held_due_at keeps when it was due, so that a backoff, Retry-After or lease outlasts the pause.

CREATE VIEW ready_webhook_endpoints AS
SELECT webhook_endpoints.id, webhook_endpoints.organization_id
FROM webhook_endpoints
JOIN organizations ON organizations.id = webhook_endpoints.organization_id
JOIN plans ON plans.name = organizations.plan
WHERE webhook_endpoints.enabled = 1 AND webhook_endpoints.deleted_at IS NULL AND plans.api_access = 1;

-- One delivery for every endpoint that subscribes; one for an endpoint that is not ready is held. The ids ascend with
-- time (UUID version 7), with the event's row number behind the millisecond. A test goes to the endpoint that it names.
CREATE TRIGGER events_fan_out AFTER INSERT ON events
WHEN NEW.event <> '{{testEvent}}'
BEGIN
  INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, next_attempt_at)
  SELECT
    printf(
      '%08x-%04x-7%03x-%s%s-%s',
      cast(unixepoch('subsec') * 1000 AS INTEGER) >> 16,
      cast(unixepoch('subsec') * 1000 AS INTEGER) & 65535,
      NEW.rowid & 4095,
      substr('89ab', 1 + (random() & 3), 1),
      lower(substr(hex(randomblob(2)), 2)),
      lower(hex(randomblob(6)))
    ),
    organization_id,
    id,
    NEW.id,
    NEW.event,
    iif(
      id IN (SELECT id FROM ready_webhook_endpoints WHERE organization_id = NEW.organization_id),
      {{now}},
      NULL
    )
  FROM webhook_endpoints
  WHERE organization_id = NEW.organization_id
    AND deleted_at IS NULL
    AND (
      events IS NULL
      OR EXISTS (
        SELECT 1 FROM json_each(webhook_endpoints.events)
        WHERE value IN (NEW.event, (SELECT category FROM event_types WHERE name = NEW.event))
      )
    );
END;

-- An endpoint is switched, an organization changes its plan, a plan changes. What resumes waits for the end of a lease:
-- it is not sent beside an attempt that has not ended yet.

CREATE TRIGGER webhook_endpoints_disabled AFTER UPDATE OF enabled ON webhook_endpoints
WHEN OLD.enabled = 1 AND NEW.enabled = 0
BEGIN
  UPDATE webhook_endpoints SET disabled_reason = 'admin' WHERE id = NEW.id AND disabled_reason IS NULL;

  UPDATE webhook_deliveries SET held_due_at = next_attempt_at, next_attempt_at = NULL
  WHERE endpoint_id = NEW.id AND status = 'pending' AND next_attempt_at IS NOT NULL;
END;

CREATE TRIGGER webhook_endpoints_enabled AFTER UPDATE OF enabled ON webhook_endpoints
WHEN OLD.enabled = 0 AND NEW.enabled = 1
BEGIN
  UPDATE webhook_endpoints SET consecutive_dead = 0, disabled_reason = NULL WHERE id = NEW.id;

  UPDATE webhook_deliveries SET
    next_attempt_at = max({{now}}, coalesce(held_due_at, '')),
    held_due_at = NULL
  WHERE status = 'pending' AND next_attempt_at IS NULL
    AND endpoint_id IN (SELECT id FROM ready_webhook_endpoints WHERE id = NEW.id);
END;

-- each name, change, table, condition, organizations:
--   organizations_plan_changed, plan, organizations, NEW.plan <> OLD.plan, = NEW.id
--   | plans_api_access_changed, api_access, plans, NEW.api_access <> OLD.api_access,
--   IN (SELECT id FROM organizations WHERE plan = NEW.name)
CREATE TRIGGER {{name}} AFTER UPDATE OF {{change}} ON {{table}}
WHEN {{condition}}
BEGIN
  UPDATE webhook_deliveries SET held_due_at = next_attempt_at, next_attempt_at = NULL
  WHERE status = 'pending' AND next_attempt_at IS NOT NULL
    AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE organization_id {{organizations}})
    AND endpoint_id NOT IN (SELECT id FROM ready_webhook_endpoints WHERE organization_id {{organizations}});

  UPDATE webhook_deliveries SET
    next_attempt_at = max({{now}}, coalesce(held_due_at, '')),
    held_due_at = NULL
  WHERE status = 'pending' AND next_attempt_at IS NULL
    AND endpoint_id IN (SELECT id FROM ready_webhook_endpoints WHERE organization_id {{organizations}});
END;

-- A deleted endpoint is never called again: what was pending ends here, and counts as nobody's failure.
CREATE TRIGGER webhook_endpoints_deleted AFTER UPDATE OF deleted_at ON webhook_endpoints
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL
BEGIN
  UPDATE webhook_deliveries SET status = 'dead', next_attempt_at = NULL, settled_at = {{now}}
  WHERE endpoint_id = NEW.id AND status = 'pending';
END;

-- An attempt ended, or a replay was asked for, while the endpoint was not ready any more.
CREATE TRIGGER webhook_deliveries_come_back AFTER UPDATE OF status, attempts ON webhook_deliveries
WHEN NEW.status = 'pending' AND NEW.next_attempt_at IS NOT NULL
  AND (OLD.status <> 'pending' OR NEW.attempts <> OLD.attempts)
  AND NEW.endpoint_id NOT IN (SELECT id FROM ready_webhook_endpoints WHERE id = NEW.endpoint_id)
BEGIN
  UPDATE webhook_deliveries SET held_due_at = next_attempt_at, next_attempt_at = NULL WHERE id = NEW.id;

  UPDATE webhook_deliveries SET status = 'dead', settled_at = {{now}}
  WHERE id = NEW.id
    AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = NEW.endpoint_id AND deleted_at IS NOT NULL);
END;

-- The circuit breaker: so many dead deliveries with none delivered between them disable the endpoint.

CREATE TRIGGER webhook_deliveries_dead AFTER UPDATE OF status ON webhook_deliveries
WHEN OLD.status = 'pending' AND NEW.status = 'dead'
BEGIN
  UPDATE webhook_endpoints SET consecutive_dead = consecutive_dead + 1
  WHERE id = NEW.endpoint_id AND deleted_at IS NULL;
END;

CREATE TRIGGER webhook_deliveries_delivered AFTER UPDATE OF status ON webhook_deliveries
WHEN OLD.status <> 'delivered' AND NEW.status = 'delivered'
BEGIN
  UPDATE webhook_endpoints SET consecutive_dead = 0 WHERE id = NEW.endpoint_id AND consecutive_dead <> 0;
END;

CREATE TRIGGER webhook_endpoints_break AFTER UPDATE OF consecutive_dead ON webhook_endpoints
WHEN NEW.consecutive_dead >= {{webhookLimits.deadDeliveriesToDisable}}
  AND NEW.enabled = 1 AND NEW.consecutive_dead > OLD.consecutive_dead
BEGIN
  UPDATE webhook_endpoints SET
    enabled = 0,
    disabled_reason = 'circuit_breaker',
    notice = 'disabled',
    notice_due_at = {{now}}
  WHERE id = NEW.id;
END;

-- Halfway there the owner is warned.
CREATE TRIGGER webhook_endpoints_warn AFTER UPDATE OF consecutive_dead ON webhook_endpoints
WHEN NEW.consecutive_dead >= {{webhookLimits.deadDeliveriesToWarn}}
  AND OLD.consecutive_dead < {{webhookLimits.deadDeliveriesToWarn}}
  AND NEW.consecutive_dead < {{webhookLimits.deadDeliveriesToDisable}} AND NEW.enabled = 1
BEGIN
  UPDATE webhook_endpoints SET notice = 'warning', notice_due_at = {{now}} WHERE id = NEW.id;
END;
