import type { Claim, ClaimRequest } from "../contract/claims.ts";
import { Refusal, refusalRaised, refuse } from "../contract/failures.ts";
import { type Query, run } from "../db/query.ts";
import type { Existing } from "../db/resource.ts";

/**
 * Exactly once (CONTRACT 4). A write claims its key before its work, and the id of its row derives from the key. A
 * repeated request therefore gets the claim's answer, waits for the first one, or finds the row that it left.
 */

/** The work of a write; it gives the answer, or a refusal. */
type Work = () => Promise<object | Refusal>;

/** What a write will do, decided without I/O. */
export type Plan = Work | Refusal;

/** One request with its key, and what is known of an earlier one. */
export interface Attempt {
  key: string;
  /** SHA-256 of everything that identifies the request. */
  fingerprint: string;
  plan: Plan;
  /** The earlier record that the preconditions found; null if they found none or did not look. */
  existing: Existing | null;
  /** null: a request without a key has no earlier attempt. */
  findExisting: Query<Existing | null> | null;
}

export type Outcome = Refusal | { answer: object; isReplay: boolean };

/** A refused request takes no key; it asks only whether an earlier one with its key succeeded. */
export const claimRequestOf = ({ key, fingerprint, plan }: Attempt): ClaimRequest => ({
  key,
  fingerprint,
  holder: crypto.randomUUID(),
  take: !(plan instanceof Refusal),
});

/**
 * Reads the answer of a finished request back from its row. If the row is gone (a restore), the key counts as reused.
 */
export const readBack = async (db: D1Database, attempt: Attempt): Promise<Outcome> =>
  (await replayExisting(db, attempt)) ?? refuse("idempotency_key_reused");

/** The outcome that the claim alone decides: an earlier request's answer, or a refusal. undefined: the plan goes on. */
export function outcomeOfClaim(claim: Claim): Outcome | undefined {
  switch (claim.state) {
    case "none":
    case "fresh":
      return undefined;
    case "replay":
      return claim.answer === null ? undefined : { answer: JSON.parse(claim.answer), isReplay: true };
    case "mismatch":
      return refuse("idempotency_key_reused");
    case "in_progress":
      return refuse("idempotency_key_in_progress", {}, { "Retry-After": "1" });
    default:
      return claim satisfies never;
  }
}

/**
 * Does the work, or answers with the record of an earlier attempt. `waited`: the preconditions were read before the
 * wait for another request, which may have made its record since.
 */
export async function execute(db: D1Database, attempt: Attempt, waited: boolean): Promise<Outcome> {
  const { plan, existing } = attempt;
  if (existing || waited || plan instanceof Refusal) {
    const replay = await replayExisting(db, attempt);
    if (replay) return replay;
  }
  if (plan instanceof Refusal) return plan;
  try {
    const result = await plan();
    if (!(result instanceof Refusal)) return { answer: result, isReplay: false };
    return (await replayExisting(db, attempt)) ?? result;
  } catch (error) {
    if (!/SQLITE_CONSTRAINT/.test(String(error))) throw error;
    const outcome = (await replayExisting(db, attempt)) ?? refusalRaised(error);
    if (outcome) return outcome;
    throw error;
  }
}

/** The answer of an earlier attempt; a refusal if another request made that record; undefined if there is none. */
async function replayExisting(db: D1Database, attempt: Attempt): Promise<Outcome | undefined> {
  const { findExisting } = attempt;
  const existing = attempt.existing ?? (findExisting && (await run(db, findExisting)));
  if (!existing) return undefined;
  if (existing.fingerprint !== attempt.fingerprint) return refuse("idempotency_key_reused");
  return { answer: existing.answer, isReplay: true };
}
