import { webhookLimits } from "../../contract/webhook-limits.ts";
import type { PostOutcome } from "../../platform/post-webhook.ts";
import { retryAfterSeconds } from "./retry-after.ts";

/** The outcome of one attempt: that of the POST, or of the address check before it. */
export type AttemptOutcome =
  | PostOutcome
  | { kind: "blocked_address" | "unresolved_address"; latencyMs: number };

/** Why an attempt failed, for the delivery log. */
type ErrorClass =
  | "redirect"
  | "client_error"
  | "server_error"
  | "timeout"
  | "network_error"
  | "blocked_address"
  | "unresolved_address";

export interface AttemptVerdict {
  status: "delivered" | "pending" | "dead";
  /** When the next attempt is due (UTC, milliseconds); null unless pending. */
  nextAttemptAt: string | null;
  /** Null when delivered. */
  errorClass: ErrorClass | null;
}

/**
 * Classifies an attempt (contract W16, W18). A delivery is delivered after a 2xx, dead after a 4xx other than 408 and
 * 429, and otherwise retried until the schedule ends. `attemptNumber` is 1 for the first attempt; `random` is uniform
 * in [0, 1), like Math.random.
 */
export function classifyAttempt(
  outcome: AttemptOutcome,
  attemptNumber: number,
  now: Date,
  random: () => number,
): AttemptVerdict {
  const errorClass = errorClassOf(outcome);
  if (errorClass === null) return { status: "delivered", nextAttemptAt: null, errorClass };
  const delaySeconds = webhookLimits.retryDelaysSeconds[attemptNumber - 1];
  if (delaySeconds === undefined || !isRetryable(outcome)) {
    return { status: "dead", nextAttemptAt: null, errorClass };
  }
  const waitSeconds = Math.max(random() * delaySeconds, hintSeconds(outcome, now));
  const nextAttemptAt = new Date(now.getTime() + Math.round(waitSeconds * 1000)).toISOString();
  return { status: "pending", nextAttemptAt, errorClass };
}

function errorClassOf(outcome: AttemptOutcome): ErrorClass | null {
  if (outcome.kind !== "answer") return outcome.kind;
  const { status } = outcome;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "redirect";
  if (status >= 400 && status < 500) return "client_error";
  return "server_error";
}

/** 408 and 429 mean "later"; any other 4xx means "never". */
const isRetryable = (outcome: AttemptOutcome): boolean =>
  errorClassOf(outcome) !== "client_error" ||
  (outcome.kind === "answer" && (outcome.status === 408 || outcome.status === 429));

/** Returns how many seconds the receiver's Retry-After asks for, at most 24 h; 0 if it is missing or invalid. */
function hintSeconds(outcome: AttemptOutcome, now: Date): number {
  if (outcome.kind !== "answer") return 0;
  return Math.min(retryAfterSeconds(outcome.retryAfter, now) ?? 0, webhookLimits.retryAfterMaxSeconds);
}
