import { claimLimits } from "../contract/limits.ts";
import { Refusal, raisedRefusal, refuse } from "../contract/refusal.ts";
import type { Claim, ClaimRequest } from "../durable/claims.ts";
import { report } from "../platform/log.ts";
import type { TokenActor } from "../workspace/tokens/principal.ts";
import { askCoordinator } from "./ask-coordinator.ts";
import { checkWindow, type Slot } from "./check-caller.ts";
import { type Attempt, type Decision, reload } from "./decide-write.ts";
import type { PartnerRequest } from "./partner-request.ts";
import type { Success } from "./route.ts";

/**
 * Counts a request, unless `admit` counted it, and claims its key in the same call to the coordinator. Then carries out
 * its decision.
 */
export async function carryOut<Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
  decision: Decision,
  slot: Slot,
): Promise<Success | Refusal> {
  const { request } = attempt;
  const coordinator = request.services.coordinators.getByName(actor.organizationId);
  const ceiling = slot.isCounted ? null : actor.requestsPerMinute;
  const acquiring = coordinator.acquire(ceiling, actor.tokenId, decision.claim);
  const { claim, ...counted } = await askCoordinator(acquiring, claimLimits.waitSeconds);
  if (!slot.isCounted) slot.release();
  const ended = checkWindow(request, actor, counted) ?? outcomeOf(claim);
  if (ended) return ended;
  // A request that waited for another one with the same key decides again, based on the outcome.
  const hasWaited = claim.state === "fresh" && claim.waited;
  const working = workAndRelease(attempt, actor, decision.claim, hasWaited ? undefined : decision);
  // A request is finished even if its client disconnects.
  request.waitUntil(working.catch(() => {}));
  return working;
}

/** Returns the outcome if another request holds or has used the key; undefined if this request can proceed. */
function outcomeOf(claim: Claim): Success | Refusal | undefined {
  switch (claim.state) {
    case "none":
    case "fresh":
      return undefined;
    case "sent":
      return { answer: JSON.parse(claim.answer), isReplay: true };
    case "mismatch":
      return refuse("idempotency_key_reused");
    case "in_progress":
      return inProgress();
    default:
      return claim satisfies never;
  }
}

/** Releases the key after the response if the work succeeds, before the response if it fails. */
async function workAndRelease<Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
  claim: ClaimRequest | undefined,
  decision: Decision | undefined,
): Promise<Success | Refusal> {
  const { request } = attempt;
  const { organizationId } = actor;
  const release = async () => {
    const releasing = claim && request.services.coordinators.getByName(organizationId).release(claim);
    await releasing?.catch((error) => report({ failed: "release" }, error));
  };
  try {
    const outcome = await workUntilEnded(attempt, actor, decision ?? (await reload(attempt, actor)));
    if (outcome instanceof Refusal) await release();
    else {
      if (claim) request.waitUntil(scheduler.wait(0).then(release));
      if (outcome.hasDueDeliveries) request.waitUntil(enqueueDeliveries(request, organizationId));
    }
    return outcome;
  } catch (error) {
    await release();
    throw error;
  }
}

/** The delay before each reload while an earlier request with the same key is sending its e-mail. */
const pauseMs = 250;

async function workUntilEnded<Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
  first: Decision,
): Promise<Success | Refusal> {
  const patienceEndsMs = Date.now() + claimLimits.waitSeconds * 1000;
  for (let decision = first; ; ) {
    switch (decision.state) {
      case "ended":
        return decision.outcome;
      case "in_progress":
        if (Date.now() >= patienceEndsMs) return inProgress();
        await scheduler.wait(Math.min(pauseMs, Math.max(decision.untilMs - Date.now(), 1)));
        decision = await reload(attempt, actor);
        break;
      case "ready": {
        try {
          return await decision.work();
        } catch (error) {
          if (!/SQLITE_CONSTRAINT/.test(String(error))) throw error;
          decision = await reload(attempt, actor);
          if (decision.state === "ready") return raisedRefusal(error) ?? Promise.reject(error);
        }
        break;
      }
      default:
        return decision satisfies never;
    }
  }
}

const inProgress = () => refuse("idempotency_key_in_progress", {}, { "Retry-After": "1" });

async function enqueueDeliveries({ services }: PartnerRequest, organizationId: string): Promise<void> {
  await scheduler.wait(0);
  await services.enqueueDueDeliveries(organizationId);
}
