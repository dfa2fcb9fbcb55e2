import { eq, sql } from "drizzle-orm";
import { build, insertSelect, prepared, statement } from "../../db/build.ts";
import { jsonFields } from "../../db/json-fields.ts";
import type { Query } from "../../db/query.ts";
import { now } from "../../db/schema/columns.ts";
import {
  webhookAttempts as attemptLog,
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
} from "../../db/schema/webhooks.ts";
import type { DeliveryAttempt } from "./attempt-delivery.ts";

/** Everything that follows from attempts, for one transaction. Raw where `json_each` gives them as rows. */
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

const made = sql`json_each(${sql.placeholder("made")}) AS made`;

/**
 * Moves the deliveries to what the verdict says. Fenced: the row must still be as it was when the attempt began, or be
 * held meanwhile (next_attempt_at NULL). Triggers hold a retry whose endpoint is not ready any more, count dead
 * deliveries in a row and open the circuit breaker.
 */
const settle = prepared<{ made: string }, void>(() => {
  const { id, lease, attempts, ...changes } = jsonFields(
    "made",
    "id",
    "lease",
    "attempts",
    "status",
    "next_attempt_at",
  );
  const { next_attempt_at } = deliveries;
  const isAsBefore = sql`${deliveries.id} = ${id} AND ${deliveries.status} = 'pending'
    AND ${deliveries.attempts} = ${attempts} AND (${next_attempt_at} = ${lease} OR ${next_attempt_at} IS NULL)`;
  const settled_at = sql`iif(${changes.status} = 'pending', NULL, ${now})`;
  const counted = sql`${deliveries.attempts} + 1`;
  return statement(
    build
      .update(deliveries)
      .set({ ...changes, attempts: counted, lease_ends_at: null, settled_at })
      .from(made)
      .where(isAsBefore),
  );
});

/**
 * The delivery log. An attempt is logged even if its lease was lost; of a purged delivery, nothing is. Two attempts of
 * one delivery in one millisecond (a message that the queue brought twice) are one line.
 */
const log = prepared<{ made: string }, void>(() => {
  const columns = {
    organization_id: sql`${deliveries.organization_id}`,
    delivery_id: sql`${deliveries.id}`,
    ...jsonFields("made", "attempt_number", "attempted_at", "next_attempt_at", "response_status"),
    ...jsonFields("made", "latency_ms", "error_class", "response_body"),
  };
  const { id } = jsonFields("made", "id");
  const joined = sql`FROM ${made} CROSS JOIN ${deliveries} WHERE ${eq(deliveries.id, id)} ON CONFLICT DO NOTHING`;
  return statement(insertSelect(attemptLog, columns, joined));
});

const countFailures = prepared<{ counters: string }, void>(() => {
  const { id, reset, failures } = jsonFields("counter", "id", "reset", "failures");
  const { consecutive_failures } = endpoints;
  return statement(
    build
      .update(endpoints)
      .set({ consecutive_failures: sql`iif(${reset}, 0, ${consecutive_failures}) + (${failures})` })
      .from(sql`json_each(${sql.placeholder("counters")}) AS counter`)
      .where(eq(endpoints.id, id)),
  );
});

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
  for (const [id, ofEndpoint] of Map.groupBy(attempts, ({ delivery }) => delivery.endpoint_id)) {
    const lastSuccess = ofEndpoint.findLastIndex(({ verdict }) => verdict.errorClass === null);
    const failures = ofEndpoint.length - 1 - lastSuccess;
    const before = ofEndpoint[0]?.delivery.consecutive_failures ?? 0;
    if (failures > 0 || before > 0) yield { id, reset: lastSuccess >= 0, failures };
  }
}
