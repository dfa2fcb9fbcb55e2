import { and, eq, isNull, or, sql } from "drizzle-orm";
import { build, insertSelect, prepared, statement } from "../../db/build.ts";
import type { Query } from "../../db/query.ts";
import { now } from "../../db/schema/columns.ts";
import {
  webhookAttempts as attemptLog,
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
} from "../../db/schema/webhooks.ts";
import type { DeliveryAttempt } from "./attempt-delivery.ts";

/** Everything that follows from attempts, for one transaction. */
export function recordAttempts(attempts: readonly DeliveryAttempt[]): Query<void>[] {
  const counters = [...failureCounters(attempts)];
  return [
    settle({ made: JSON.stringify(attempts.map(settlement)) }),
    log({ made: JSON.stringify(attempts.map(logEntry)) }),
    ...(counters.length > 0 ? [countFailures({ counters: JSON.stringify(counters) })] : []),
  ];
}

const settlement = ({ delivery: { id, lease, attempts }, verdict }: DeliveryAttempt) => ({
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

/** Raw where it is: `json_each` gives the attempts as rows, so that a batch is one statement. */
const made = sql`json_each(${sql.placeholder("made")}) AS made`;

/**
 * Moves the deliveries to what the verdict says. Fenced: the row must still be as it was when the attempt began, or be
 * held meanwhile (next_attempt_at NULL). Triggers hold a retry whose endpoint is not ready any more, count dead
 * deliveries in a row and open the circuit breaker.
 */
const settle = prepared<{ made: string }, void>(() =>
  statement(
    build
      .update(deliveries)
      .set({
        status: sql`made.value ->> 'status'`,
        attempts: sql`${deliveries.attempts} + 1`,
        next_attempt_at: sql`made.value ->> 'next_attempt_at'`,
        lease_ends_at: null,
        settled_at: sql`iif(made.value ->> 'status' = 'pending', NULL, ${now})`,
      })
      .from(made)
      .where(
        and(
          eq(deliveries.id, sql`made.value ->> 'id'`),
          eq(deliveries.status, "pending"),
          eq(deliveries.attempts, sql`made.value ->> 'attempts'`),
          or(eq(deliveries.next_attempt_at, sql`made.value ->> 'lease'`), isNull(deliveries.next_attempt_at)),
        ),
      ),
  ),
);

/**
 * The delivery log. An attempt is logged even if its lease was lost; of a purged delivery, nothing is. Two attempts of
 * one delivery in one millisecond (a message that the queue brought twice) are one line.
 */
const log = prepared<{ made: string }, void>(() =>
  statement(
    insertSelect(
      attemptLog,
      {
        organization_id: sql`${deliveries.organization_id}`,
        delivery_id: sql`${deliveries.id}`,
        attempt_number: sql`made.value ->> 'attempt_number'`,
        attempted_at: sql`made.value ->> 'attempted_at'`,
        next_attempt_at: sql`made.value ->> 'next_attempt_at'`,
        response_status: sql`made.value ->> 'response_status'`,
        latency_ms: sql`made.value ->> 'latency_ms'`,
        error_class: sql`made.value ->> 'error_class'`,
        response_body: sql`made.value ->> 'response_body'`,
      },
      sql`FROM ${made} CROSS JOIN ${deliveries} WHERE ${deliveries.id} = made.value ->> 'id' ON CONFLICT DO NOTHING`,
    ),
  ),
);

const countFailures = prepared<{ counters: string }, void>(() =>
  statement(
    build
      .update(endpoints)
      .set({
        consecutive_failures: sql`iif(counter.value ->> 'reset', 0, ${endpoints.consecutive_failures})
          + (counter.value ->> 'failures')`,
      })
      .from(sql`json_each(${sql.placeholder("counters")}) AS counter`)
      .where(eq(endpoints.id, sql`counter.value ->> 'id'`)),
  ),
);

interface FailureCounter {
  /** The endpoint's. */
  id: string;
  /** Whether a success makes it start at 0 again. */
  reset: boolean;
  /** To add: those behind the last success. */
  failures: number;
}

/** An endpoint that had no failures and has none now is left alone. */
function* failureCounters(attempts: readonly DeliveryAttempt[]): Iterable<FailureCounter> {
  const counters = new Map<string, FailureCounter & { before: number }>();
  for (const { delivery, verdict } of attempts) {
    const { endpoint_id: id, consecutive_failures: before } = delivery;
    const counter = counters.get(id) ?? { id, reset: false, failures: 0, before };
    counters.set(id, counter);
    if (verdict.errorClass !== null) counter.failures += 1;
    else Object.assign(counter, { reset: true, failures: 0 });
  }
  for (const { before, ...counter } of counters.values()) {
    if (counter.failures > 0 || before > 0) yield counter;
  }
}
