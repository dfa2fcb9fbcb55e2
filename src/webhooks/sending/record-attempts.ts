import { and, eq, type Placeholder, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { webhookDeliveries as deliveries } from "../../core/events/tables.ts";
import { build, insertSelect, type Placeholders, prepared, statement } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { notFenced } from "../../db/fencing.ts";
import { jsonFields } from "../../db/json-fields.ts";
import type { Query } from "../../db/query.ts";
import { attemptCounts, webhookAttempts as attemptLog } from "../deliveries/tables.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";
import type { DeliveryAttempt } from "./attempt-delivery.ts";

/** Builds the statements that record attempts, for one transaction. */
export function recordAttempts(attempts: readonly DeliveryAttempt[]): Query<void>[] {
  const counters = [...failureCounters(attempts)];
  const aged = attempts.filter(mayHaveMany).map(({ delivery }) => delivery.id);
  return [
    saveOutcomes({ made: JSON.stringify(attempts.map(outcomeRow)) }),
    log({ made: JSON.stringify(attempts.map(logEntry)) }),
    countMinute(countsOf(attempts)),
    ...(aged.length > 0 ? [forgetOldest({ ids: JSON.stringify(aged) })] : []),
    ...(counters.length > 0 ? [countFailures({ counters: JSON.stringify(counters) })] : []),
  ];
}

const outcomeRow = ({ delivery: { id, lease, attempts }, verdict }: DeliveryAttempt) => ({
  id,
  lease,
  attempts,
  status: verdict.status,
  next_attempt_at: verdict.nextAttemptAt,
});

const logEntry = ({ delivery, attemptedAt, outcome, verdict }: DeliveryAttempt) => ({
  id: delivery.id,
  attempt_number: delivery.attempts + 1,
  attempted_at: attemptedAt,
  next_attempt_at: verdict.nextAttemptAt,
  response_status: outcome.kind === "answer" ? outcome.status : null,
  latency_ms: outcome.latencyMs,
  error_class: verdict.errorClass,
  response_body: outcome.kind === "answer" ? outcome.body : null,
});

const asRows = (made: Placeholder) => sql`json_each(${made}) AS made`;

/**
 * Sets each delivery's status to its verdict, if the row is unchanged since the attempt began or has only been held
 * (next_attempt_at is NULL). Triggers hold a retry if the endpoint is no longer ready, count consecutive dead
 * deliveries and open the circuit breaker.
 */
const saveOutcomes = prepared((bind: Placeholders<{ made: string }>) => {
  const { id, lease, attempts } = jsonFields("made", "id", "lease", "attempts");
  const changes = jsonFields("made", "status", "next_attempt_at");
  const { next_attempt_at } = deliveries;
  const isAsBefore = sql`${deliveries.id} = ${id} AND ${deliveries.status} = 'pending'
    AND ${deliveries.attempts} = ${attempts} AND (${next_attempt_at} = ${lease} OR ${next_attempt_at} IS NULL)`;
  const settled_at = sql`iif(${changes.status} = 'pending', NULL, ${now})`;
  const failed_at = sql`iif(${changes.status} = 'delivered', ${deliveries.failed_at}, ${now})`;
  const counted = sql`${deliveries.attempts} + 1`;
  return statement(
    build
      .update(deliveries)
      .set({ ...changes, attempts: counted, settled_at, failed_at })
      .from(asRows(bind.made))
      .where(isAsBefore),
  );
});

/**
 * Writes the attempts log. An attempt is logged even if its lease was lost, but not if its delivery was purged.
 * If the queue delivers a message twice, two attempts in the same millisecond are logged as one.
 */
const log = prepared((bind: Placeholders<{ made: string }>) => {
  const columns = {
    organization_id: sql`${deliveries.organization_id}`,
    delivery_id: sql`${deliveries.id}`,
    ...jsonFields("made", "attempt_number", "attempted_at", "next_attempt_at", "response_status"),
    ...jsonFields("made", "latency_ms", "error_class", "response_body"),
  };
  const { id } = jsonFields("made", "id");
  const joined = sql`FROM ${asRows(bind.made)} CROSS JOIN ${deliveries} WHERE ${and(eq(deliveries.id, id), notFenced(deliveries.organization_id))}`;
  return statement(insertSelect(attemptLog, columns, sql`${joined} ON CONFLICT DO NOTHING`));
});

const countsOf = (attempts: readonly DeliveryAttempt[]) => {
  const of = (status: string) => attempts.filter(({ verdict }) => verdict.status === status).length;
  return { delivered: of("delivered"), failed: of("pending"), dead: of("dead") };
};

/** Counts outcomes for the cron run's log entry (cron/read-minute.ts). */
const countMinute = prepared((bind: Placeholders<{ delivered: number; failed: number; dead: number }>) => {
  const { delivered, failed, dead } = attemptCounts;
  const more = (column: SQLiteColumn, by: Placeholder) => sql`${column} + ${by}`;
  return statement(
    build
      .insert(attemptCounts)
      .values({
        minute: sql`strftime('%Y-%m-%dT%H:%M', 'now')`,
        delivered: sql`${bind.delivered}`,
        failed: sql`${bind.failed}`,
        dead: sql`${bind.dead}`,
      })
      .onConflictDoUpdate({
        target: attemptCounts.minute,
        set: {
          delivered: more(delivered, bind.delivered),
          failed: more(failed, bind.failed),
          dead: more(dead, bind.dead),
        },
      }),
  );
});

/** Only a delivery that has been replayed for more than a minute can have more attempts than the log keeps. */
const mayHaveMany = ({ delivery, attemptedAt }: DeliveryAttempt): boolean =>
  Date.parse(attemptedAt) - Date.parse(delivery.created_at) > 60_000;

/** Deletes the oldest attempts beyond `keptAttempts`. The order of the table finds the newest one to delete. */
const forgetOldest = prepared((bind: Placeholders<{ ids: string }>) => {
  const attemptsOf = (name: string) =>
    sql.raw(`SELECT attempted_at FROM webhook_attempts WHERE delivery_id = ${name}`);
  return statement(sql`DELETE FROM ${attemptLog} WHERE (delivery_id, attempted_at) IN (
    SELECT old.delivery_id, old.attempted_at FROM json_each(${bind.ids}) AS made
    CROSS JOIN ${attemptLog} AS old ON old.delivery_id = made.value
    WHERE old.attempted_at <= (${attemptsOf("made.value")}
      ORDER BY attempted_at DESC LIMIT 1 OFFSET ${sql.raw(String(webhookLimits.keptAttempts))}))`);
});

const countFailures = prepared((bind: Placeholders<{ counters: string }>) => {
  const { id, reset, failures } = jsonFields("counter", "id", "reset", "failures");
  const { consecutive_failures } = endpoints;
  return statement(
    build
      .update(endpoints)
      .set({ consecutive_failures: sql`iif(${reset}, 0, ${consecutive_failures}) + (${failures})` })
      .from(sql`json_each(${bind.counters}) AS counter`)
      .where(eq(endpoints.id, id)),
  );
});

/**
 * Yields, for each endpoint, whether a success resets its failures to 0 and how many failures followed. Skips endpoints
 * without failures before or after.
 */
function* failureCounters(attempts: readonly DeliveryAttempt[]) {
  for (const [id, ofEndpoint] of Map.groupBy(attempts, ({ delivery }) => delivery.endpoint_id)) {
    const lastSuccess = ofEndpoint.findLastIndex(({ verdict }) => verdict.errorClass === null);
    const failures = ofEndpoint.length - 1 - lastSuccess;
    const before = ofEndpoint[0]?.delivery.consecutive_failures ?? 0;
    if (failures > 0 || before > 0) yield { id, reset: lastSuccess >= 0, failures };
  }
}
