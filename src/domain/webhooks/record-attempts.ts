import { type Query, statement } from "../../db/query.ts";
import type { Attempt } from "./attempt-delivery.ts";

/**
 * Moves the deliveries to what the verdict says. Fenced: the row must still stand as it was when the attempt began, or be
 * held meanwhile (next_attempt_at NULL). Triggers hold a retry whose endpoint is not ready any more, count dead
 * deliveries in a row and open the circuit breaker.
 */
const settleSql = `
UPDATE webhook_deliveries
SET status = made.value ->> 3, attempts = attempts + 1, next_attempt_at = made.value ->> 4, lease_ends_at = NULL,
  settled_at = iif(made.value ->> 3 = 'pending', NULL, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
FROM json_each(?) AS made
WHERE webhook_deliveries.id = made.value ->> 0 AND status = 'pending' AND attempts = made.value ->> 2
  AND (webhook_deliveries.next_attempt_at = made.value ->> 1 OR webhook_deliveries.next_attempt_at IS NULL)`;

/**
 * The delivery log. An attempt that was made is logged even if its lease was lost; of a purged delivery, nothing is. OR
 * IGNORE: two attempts of one delivery in one millisecond (a message that the queue brought twice) are one line.
 */
const logSql = `
INSERT OR IGNORE INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, next_attempt_at, response_status,
  latency_ms, error_class, response_body)
SELECT delivery.organization_id, delivery.id, made.value ->> 1, made.value ->> 2, made.value ->> 3, made.value ->> 4,
  made.value ->> 5, made.value ->> 6, made.value ->> 7
FROM json_each(?) AS made CROSS JOIN webhook_deliveries AS delivery ON delivery.id = made.value ->> 0`;

const countSql = `
UPDATE webhook_endpoints
SET consecutive_failures = iif(counted.value ->> 1, 0, consecutive_failures) + (counted.value ->> 2)
FROM json_each(?) AS counted WHERE webhook_endpoints.id = counted.value ->> 0`;

/** Everything that follows from attempts, for one transaction. */
export function recordAttempts(attempts: readonly Attempt[]): Query<void>[] {
  const counters = [...failureCounters(attempts)];
  return [
    statement(settleSql, JSON.stringify(attempts.map(settlement))),
    statement(logSql, JSON.stringify(attempts.map(logLine))),
    ...(counters.length > 0 ? [statement(countSql, JSON.stringify(counters))] : []),
  ];
}

const settlement = ({ delivery, verdict }: Attempt) => [
  delivery.id,
  delivery.lease,
  delivery.attempts,
  verdict.status,
  verdict.nextAttemptAt,
];

const logLine = ({ delivery, attemptedAt, outcome, verdict }: Attempt) => [
  delivery.id,
  delivery.attempts + 1,
  attemptedAt,
  verdict.nextAttemptAt,
  outcome.kind === "answer" ? outcome.status : null,
  outcome.latencyMs,
  verdict.errorClass,
  outcome.kind === "answer" ? outcome.body : null,
];

/**
 * [endpoint, whether it starts at 0 again, failures to add]: a success starts it again, failures behind it count. An
 * endpoint that had no failures and has none now is left alone.
 */
function* failureCounters(attempts: readonly Attempt[]): Iterable<[string, boolean, number]> {
  const counters = new Map<string, { before: number; reset: boolean; failures: number }>();
  for (const { delivery, verdict } of attempts) {
    const counter = counters.get(delivery.endpointId) ?? {
      before: delivery.consecutiveFailures,
      reset: false,
      failures: 0,
    };
    counters.set(delivery.endpointId, counter);
    if (verdict.errorClass !== null) counter.failures += 1;
    else Object.assign(counter, { reset: true, failures: 0 });
  }
  for (const [endpointId, { before, reset, failures }] of counters) {
    if (failures > 0 || before > 0) yield [endpointId, reset, failures];
  }
}
