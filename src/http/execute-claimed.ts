import type { Claim, ClaimRequest } from "../contract/claims.ts";
import { Refusal } from "../contract/failures.ts";
import { type Attempt, execute, type Outcome, readBack } from "../domain/idempotency.ts";
import type { Author } from "../domain/principal.ts";
import { report } from "../platform/log.ts";
import { inTries } from "../platform/time-limit.ts";
import type { PartnerRequest } from "./pipeline.ts";
import { coordinatorOf } from "./rate-window.ts";
import type { Operation } from "./route.ts";
import { serialize } from "./serialize.ts";

/** An attempt with the claim that it asked for and what it got. */
interface ClaimedAttempt extends Attempt {
  claimed: ClaimRequest | undefined;
  claim: Claim;
}

/**
 * Executes an attempt, also when its caller has gone. A success completes the claim behind the answer; a failure gives
 * the key back before its answer leaves.
 */
export function executeClaimed(
  route: Operation & { makesEvent?: boolean },
  request: PartnerRequest,
  author: Author,
  { claimed, claim, ...attempt }: ClaimedAttempt,
): Promise<Outcome> {
  const { key, fingerprint } = attempt;
  const release = async () => {
    if (claimed?.take) await coordinatorOf(request, author).release(key, claimed.holder);
  };
  const executeAndComplete = async (): Promise<Outcome> => {
    const { db } = request.services;
    if (claim.state === "replay") return readBack(db, attempt);
    const outcome = await execute(db, attempt, claim.state === "fresh" && claim.waited);
    if (outcome instanceof Refusal) {
      await release().catch((error) => report({ failed: "release" }, error));
      return outcome;
    }
    const answer = serialize(route.answer, outcome.answer);
    if (claimed?.take) {
      const completion = { key, fingerprint, answer: JSON.stringify(answer) };
      // If the record of a mail is delayed, only this completion tells a retry that the mail went out.
      const complete = () => coordinatorOf(request, author).complete(completion);
      const completing = scheduler.wait(0).then(() => inTries(complete));
      request.waitUntil(completing.catch((error) => report({ failed: "complete" }, error)));
    }
    if (route.makesEvent) request.waitUntil(enqueueDeliveries(request, author));
    return { ...outcome, answer };
  };
  const executed = executeAndComplete().catch(async (error) => {
    await release().catch(() => {});
    throw error;
  });
  request.waitUntil(executed.catch(() => {}));
  return executed;
}

/** Behind the answer. The minute's cron finds what this misses. */
async function enqueueDeliveries({ services }: PartnerRequest, { organizationId }: Author): Promise<void> {
  try {
    await scheduler.wait(0);
    await services.enqueueDueDeliveries(organizationId);
  } catch (error) {
    report({ failed: "enqueue" }, error);
  }
}
