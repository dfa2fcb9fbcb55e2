import { type SQL, sql } from "drizzle-orm";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { events, webhookDeliveries } from "../../core/events/tables.ts";
import { now } from "../../db/columns.ts";
import { after, type Statement, view } from "../../db/trigger.ts";
import { organizations, plans } from "../../workspace/organizations/tables.ts";
import { webhookEndpoints } from "../endpoints/tables.ts";
import { testEvent } from "../test-event.ts";

/**
 * Triggers for fan-out, pausing and the circuit breaker. A pending delivery without next_attempt_at is held until its
 * endpoint is ready. held_due_at keeps the due time, so that a backoff, Retry-After or lease still applies after the
 * pause.
 */
const readyEndpoints = view(
  "ready_webhook_endpoints",
  sql`SELECT webhook_endpoints.id, webhook_endpoints.organization_id
FROM ${webhookEndpoints}
JOIN ${organizations} ON organizations.id = webhook_endpoints.organization_id
JOIN ${plans} ON plans.name = organizations.plan
WHERE webhook_endpoints.enabled = 1 AND webhook_endpoints.deleted_at IS NULL AND plans.api_access = 1`,
);
const ready = sql.raw(readyEndpoints.name);

/**
 * A UUID version 7, which ascends with time. The milliseconds are followed by the low bits of the event's row number.
 */
const idOfDelivery = sql`printf(
  '%08x-%04x-7%03x-%s%s-%s',
  cast(unixepoch('subsec') * 1000 AS INTEGER) >> 16,
  cast(unixepoch('subsec') * 1000 AS INTEGER) & 65535,
  NEW.rowid & 4095,
  substr('89ab', 1 + (random() & 3), 1),
  lower(substr(hex(randomblob(2)), 2)),
  lower(hex(randomblob(6)))
)`;

const hold = sql`UPDATE ${webhookDeliveries} SET held_due_at = next_attempt_at, next_attempt_at = NULL`;

/** A resumed delivery waits until its lease ends, so that it is not sent while an attempt is in progress. */
const resume = sql`UPDATE ${webhookDeliveries} SET
  next_attempt_at = max(${now}, coalesce(held_due_at, '')),
  held_due_at = NULL
WHERE status = 'pending' AND next_attempt_at IS NULL`;

const fanOut: readonly Statement[] = [
  // Creates a delivery for every subscribed endpoint, held if the endpoint is not ready. A test is delivered only
  // to the tested endpoint (send-test.ts).
  after(events, "INSERT", "fan_out", ({ NEW }) => ({
    when: sql`${NEW.event} <> ${testEvent}`,
    do: sql`INSERT INTO ${webhookDeliveries} (id, organization_id, endpoint_id, event_id, event, next_attempt_at)
      SELECT
        ${idOfDelivery},
        organization_id,
        id,
        ${NEW.id},
        ${NEW.event},
        iif(
          id IN (SELECT id FROM ${ready} WHERE organization_id = ${NEW.organization_id}),
          ${now},
          NULL
        )
      FROM ${webhookEndpoints}
      WHERE organization_id = ${NEW.organization_id}
        AND deleted_at IS NULL
        AND (
          events IS NULL
          OR EXISTS (
            SELECT 1 FROM json_each(webhook_endpoints.events)
            WHERE value IN (${NEW.event}, ${NEW.category})
          )
        )`,
  })),
];

/** Holds, resumes or ends deliveries when an endpoint, an organization's plan or a plan changes. */
const pausing: readonly Statement[] = [
  after(webhookEndpoints, ["enabled"], "disabled", ({ NEW, OLD }) => ({
    when: sql`${OLD.enabled} = 1 AND ${NEW.enabled} = 0`,
    do: [
      sql`UPDATE ${webhookEndpoints} SET disabled_reason = 'admin' WHERE id = ${NEW.id} AND disabled_reason IS NULL`,
      sql`${hold} WHERE endpoint_id = ${NEW.id} AND status = 'pending' AND next_attempt_at IS NOT NULL`,
    ],
  })),
  after(webhookEndpoints, ["enabled"], "enabled", ({ NEW, OLD }) => ({
    when: sql`${OLD.enabled} = 0 AND ${NEW.enabled} = 1`,
    do: [
      sql`UPDATE ${webhookEndpoints} SET consecutive_dead = 0, disabled_reason = NULL WHERE id = ${NEW.id}`,
      sql`${resume} AND endpoint_id IN (SELECT id FROM ${ready} WHERE id = ${NEW.id})`,
    ],
  })),
  // Failures at an earlier address say nothing about the new address.
  after(webhookEndpoints, ["url"], "moved", ({ NEW, OLD }) => ({
    when: sql`${NEW.url} <> ${OLD.url}`,
    do: sql`UPDATE ${webhookEndpoints} SET url_changed_at = ${now}, consecutive_failures = 0, consecutive_dead = 0
      WHERE id = ${NEW.id}`,
  })),
  after(organizations, ["plan"], "plan_changed", ({ NEW, OLD }) => ({
    when: sql`${NEW.plan} <> ${OLD.plan}`,
    do: holdOrResume(sql`= ${NEW.id}`),
  })),
  after(plans, ["api_access"], "api_access_changed", ({ NEW, OLD }) => ({
    when: sql`${NEW.api_access} <> ${OLD.api_access}`,
    do: holdOrResume(sql`IN (SELECT id FROM ${organizations} WHERE plan = ${NEW.name})`),
  })),
  // A deleted endpoint is never called again, so its pending deliveries end. They don't count as failures.
  after(webhookEndpoints, ["deleted_at"], "deleted", ({ NEW, OLD }) => ({
    when: sql`${OLD.deleted_at} IS NULL AND ${NEW.deleted_at} IS NOT NULL`,
    do: sql`UPDATE ${webhookDeliveries} SET status = 'dead', next_attempt_at = NULL, settled_at = ${now}
      WHERE endpoint_id = ${NEW.id} AND status = 'pending'`,
  })),
  // Holds a delivery if its endpoint was no longer ready when the attempt ended or the replay was requested.
  after(webhookDeliveries, ["status", "attempts"], "come_back", ({ NEW, OLD }) => ({
    when: sql`${NEW.status} = 'pending' AND ${NEW.next_attempt_at} IS NOT NULL
      AND (${OLD.status} <> 'pending' OR ${NEW.attempts} <> ${OLD.attempts})
      AND ${NEW.endpoint_id} NOT IN (SELECT id FROM ${ready} WHERE id = ${NEW.endpoint_id})`,
    do: [
      sql`${hold} WHERE id = ${NEW.id}`,
      sql`UPDATE ${webhookDeliveries} SET status = 'dead', settled_at = ${now}
        WHERE id = ${NEW.id}
          AND EXISTS (SELECT 1 FROM ${webhookEndpoints} WHERE id = ${NEW.endpoint_id} AND deleted_at IS NOT NULL)`,
    ],
  })),
];

function holdOrResume(organizationsAre: SQL): SQL[] {
  const its = (endpoints: unknown) =>
    sql`(SELECT id FROM ${endpoints} WHERE organization_id ${organizationsAre})`;
  return [
    sql`${hold}
      WHERE status = 'pending' AND next_attempt_at IS NOT NULL
        AND endpoint_id IN ${its(webhookEndpoints)}
        AND endpoint_id NOT IN ${its(ready)}`,
    sql`${resume} AND endpoint_id IN ${its(ready)}`,
  ];
}

/** Disables an endpoint after too many consecutive dead deliveries. */
const circuitBreaker: readonly Statement[] = [
  after(webhookDeliveries, ["status"], "dead", ({ NEW, OLD }) => ({
    when: sql`${OLD.status} = 'pending' AND ${NEW.status} = 'dead'`,
    do: sql`UPDATE ${webhookEndpoints} SET consecutive_dead = consecutive_dead + 1
      WHERE id = ${NEW.endpoint_id} AND deleted_at IS NULL`,
  })),
  after(webhookDeliveries, ["status"], "delivered", ({ NEW, OLD }) => ({
    when: sql`${OLD.status} <> 'delivered' AND ${NEW.status} = 'delivered'`,
    do: sql`UPDATE ${webhookEndpoints} SET consecutive_dead = 0
      WHERE id = ${NEW.endpoint_id} AND consecutive_dead <> 0`,
  })),
  after(webhookEndpoints, ["consecutive_dead"], "break", ({ NEW, OLD }) => ({
    when: sql`${NEW.consecutive_dead} >= ${webhookLimits.deadDeliveriesToDisable}
      AND ${NEW.enabled} = 1 AND ${NEW.consecutive_dead} > ${OLD.consecutive_dead}`,
    do: sql`UPDATE ${webhookEndpoints} SET
        enabled = 0,
        disabled_reason = 'circuit_breaker',
        notice = 'disabled',
        notice_due_at = ${now}
      WHERE id = ${NEW.id}`,
  })),
  // The owner is warned halfway to the number that disables the endpoint.
  after(webhookEndpoints, ["consecutive_dead"], "warn", ({ NEW, OLD }) => ({
    when: sql`${NEW.consecutive_dead} >= ${webhookLimits.deadDeliveriesToWarn}
      AND ${OLD.consecutive_dead} < ${webhookLimits.deadDeliveriesToWarn}
      AND ${NEW.consecutive_dead} < ${webhookLimits.deadDeliveriesToDisable} AND ${NEW.enabled} = 1`,
    do: sql`UPDATE ${webhookEndpoints} SET notice = 'warning', notice_due_at = ${now} WHERE id = ${NEW.id}`,
  })),
];

export const deliveryGuards: readonly Statement[] = [
  readyEndpoints,
  ...fanOut,
  ...pausing,
  ...circuitBreaker,
];
