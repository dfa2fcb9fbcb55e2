import { claimLimits, limits } from "../contract/limits.ts";
import { Refusal, raisedRefusal, refuse } from "../contract/refusal.ts";
import type { Claim, ClaimRequest } from "../durable/claims.ts";
import { note, report } from "../platform/log.ts";
import type { TokenActor } from "../workspace/tokens/principal.ts";
import { authenticate, idempotencyKeyOf } from "./authenticate.ts";
import { checkSender, type Sender } from "./check-sender.ts";
import { type Attempt, claimOf, type Decision, decide, load, reload } from "./decide-write.ts";
import { DryRunParameters, dryRunAnswer, isDryRun } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { askCoordinator, coordinatorOf, windowOf } from "./rate-window.ts";
import { noteSubject } from "./request-log.ts";
import { errorResponse } from "./responses.ts";
import type { WriteDeclaration, WriteFunctions, WriteRoute, WriteSettings } from "./route.ts";
import { serialize } from "./serialize.ts";
import { readInput } from "./write-input.ts";

const defaults: WriteSettings = { status: 201, idempotent: true, maximumBodyBytes: limits.bodyBytes };

/**
 * Declares a write. A request costs two round trips to D1 and one to the coordinator. A replay costs one round trip to
 * each.
 */
export const write = <Params, Body, Data>(
  declared: WriteFunctions<Params, Body, Data> & Partial<WriteSettings>,
): WriteRoute => {
  const route = { ...defaults, ...declared };
  return {
    ...route,
    ...(route.ignoresUnknown ? {} : { query: DryRunParameters }),
    kind: "write",
    method: "post",
    handle: (request) => handleWrite(route, request),
  };
};

/**
 * Handles a write (contract R1, steps 5 to 14). The first round trip reads the token, any earlier request with
 * this key and the data for the decision; the second does the work and writes its entry in the ledger.
 */
async function handleWrite<Params, Body, Data>(
  route: WriteDeclaration<Params, Body, Data>,
  request: PartnerRequest,
): Promise<Response> {
  const sender = await checkSender(route, request);
  if (sender instanceof Refusal) return errorResponse(sender);
  try {
    const isDry = isDryRun(route, request);
    const given = idempotencyKeyOf(request);
    const key = route.idempotent && !(isDry && given === "") ? given : null;
    const attempt = { route, request, input: await readInput(route, request), key, isDry };
    const outcome = await answerWrite(attempt, sender);
    return outcome instanceof Refusal ? errorResponse(outcome) : successOf(attempt, outcome);
  } finally {
    sender.release?.();
  }
}

interface Success {
  answer: object;
  isReplay: boolean;
}
type Outcome = Refusal | Success;

function successOf<Params, Body, Data>(
  { route, request, key, isDry }: Attempt<Params, Body, Data>,
  { answer, isReplay }: Success,
): Response {
  const mark = isReplay ? { idempotent_replay: true } : {};
  if (isReplay) note({ replay: true });
  if (!isDry && "id" in answer) noteSubject(answer.id);
  const status = isReplay ? 200 : route.status;
  if (!isDry) return Response.json({ ...serialize(route.answer, answer), ...mark }, { status });
  const dry = { answer, wouldBe: status, keyStandIn: key === null ? request.id : undefined };
  return Response.json({ ...dryRunAnswer(route.dryRunAnswer ?? route.answer, dry), ...mark });
}

async function answerWrite<Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  sender: Sender,
): Promise<Outcome> {
  const { request } = attempt;
  const loaded = await load(attempt);
  const actor = authenticate(loaded.actor, request);
  if (actor instanceof Refusal) return actor;
  const decision = decide(attempt, actor, loaded);
  const claim = claimOf(decision);

  const ceiling = sender.isCounted ? null : actor.requestsPerMinute;
  const acquiring = coordinatorOf(request, actor).acquire(ceiling, actor.tokenId, claim);
  const { claim: claimed, ...counted } = await askCoordinator(acquiring, claimLimits.waitSeconds);
  if (!sender.isCounted) sender.release?.();
  const ended = windowOf(request, actor, counted) ?? outcomeOf(claimed);
  if (ended) return ended;
  // A request that waited for another one with the same key decides again, based on the outcome.
  const hasWaited = claimed.state === "fresh" && claimed.waited;
  const working = workUnder(claim, attempt, actor, hasWaited ? undefined : decision);
  // A request is finished even if its client disconnects.
  request.waitUntil(working.catch(() => {}));
  return working;
}

/** Returns the outcome if another request holds or has used the key; undefined if this request can proceed. */
function outcomeOf(claim: Claim): Outcome | undefined {
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

/**
 * Carries out a decision, then releases the key: after the response if it succeeds, before the response if it fails.
 */
async function workUnder<Params, Body, Data>(
  claim: ClaimRequest | undefined,
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
  decision: Decision | undefined,
): Promise<Outcome> {
  const { request } = attempt;
  const release = async () => {
    const releasing = claim && coordinatorOf(request, actor).release(claim);
    await releasing?.catch((error) => report({ failed: "release" }, error));
  };
  try {
    const outcome = await carryOut(attempt, actor, decision ?? (await reload(attempt, actor)));
    if (outcome instanceof Refusal) await release();
    else if (claim) request.waitUntil(scheduler.wait(0).then(release));
    return outcome;
  } catch (error) {
    await release();
    throw error;
  }
}

async function enqueueDeliveries({ services }: PartnerRequest, organizationId: string): Promise<void> {
  await scheduler.wait(0);
  await services.enqueueDueDeliveries(organizationId);
}

/** The delay before each reload while an earlier request with the same key is sending its e-mail. */
const pauseMs = 250;

async function carryOut<Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
  first: Decision,
): Promise<Outcome> {
  const { request } = attempt;
  const enqueue = () => request.waitUntil(enqueueDeliveries(request, actor.organizationId));
  const patienceEndsMs = Date.now() + claimLimits.waitSeconds * 1000;
  for (let decision = first; ; ) {
    switch (decision.state) {
      case "refused":
        return decision.refusal;
      case "done":
        if (!decision.isReplay) enqueue();
        return decision;
      case "in_progress":
        if (Date.now() >= patienceEndsMs) return inProgress();
        await scheduler.wait(Math.min(pauseMs, Math.max(decision.untilMs - Date.now(), 1)));
        decision = await reload(attempt, actor);
        break;
      case "ready": {
        try {
          const done = await decision.work();
          if (done instanceof Refusal) return done;
          if (done.hasDueDeliveries) enqueue();
          return { answer: done.answer, isReplay: done.isReplay ?? false };
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
