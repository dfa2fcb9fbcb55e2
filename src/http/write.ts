import { claimLimits, limits } from "../contract/limits.ts";
import { Refusal, raisedRefusal, refuse } from "../contract/refusal.ts";
import type { Services } from "../core/services.ts";
import { run } from "../db/query.ts";
import type { Claim, ClaimRequest } from "../durable/claims.ts";
import { note, report } from "../platform/log.ts";
import { findTokenActor, type TokenActor } from "../workspace/tokens/principal.ts";
import { type Authorizable, authenticate, authorize } from "./authenticate.ts";
import { type Attempt, type Decision, decide, load, reload } from "./decide-write.ts";
import { DryRunParameters, withoutKey } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { askCoordinator, coordinatorOf, count, windowOf } from "./rate-window.ts";
import { bytesToRead, isLargeBody } from "./read-body.ts";
import { noteSubject } from "./request-log.ts";
import { errorResponse, rateLimited } from "./responses.ts";
import type {
  Outcome,
  Success,
  WriteDeclaration,
  WriteFunctions,
  WriteRoute,
  WriteSettings,
} from "./route.ts";
import {
  isKnownToken,
  isLimited,
  isRefusedSender,
  reserveLargeBody,
  reserveUncountedRead,
} from "./senders.ts";
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
  const slot = await admit(route, request);
  if (slot instanceof Refusal) return errorResponse(slot);
  try {
    const input = await readInput(route, request);
    if (input instanceof Refusal) return errorResponse(await refuseInput(route, request, slot, input));
    const attempt = { route, request, input };
    const outcome = await answerWrite(attempt, slot);
    return outcome instanceof Refusal ? errorResponse(outcome) : responseOf(attempt, outcome);
  } finally {
    slot.release();
  }
}

/** A place to read the body in: a slot for an uncounted read, or memory for a large body. */
interface Slot {
  /** Whether the request was already counted. */
  isCounted: boolean;
  release(): void;
}

/** By then, another large body has usually been read. */
const largeBodyRetrySeconds = 1;

/**
 * Admits a request before its body is read. A token that is new to this isolate costs an extra round trip to D1. A
 * large body, or a request that must be counted before it reads data, costs another one to the coordinator.
 */
async function admit(
  route: Authorizable & { maximumBodyBytes: number },
  request: PartnerRequest,
): Promise<Slot | Refusal> {
  const { tokenHash, raw, address } = request;
  const isLarge = isLargeBody(raw);
  const reserve = () =>
    isLarge || isLimited(tokenHash, Date.now()) ? undefined : reserveUncountedRead(tokenHash);
  const isExpected = isKnownToken(tokenHash) && !isRefusedSender(tokenHash, address);
  const early = isExpected ? reserve() : undefined;
  if (early) return { isCounted: false, release: early };
  const actor = await findActor(request);
  if (actor instanceof Refusal) return actor;
  const late = authorize(route, actor, request) ? undefined : reserve();
  if (late) return { isCounted: false, release: late };
  const refusal = await countAndAuthorize(route, actor, request);
  if (refusal) return refusal;
  if (!isLarge) return { isCounted: true, release: () => {} };
  const release = reserveLargeBody(actor.organizationId, bytesToRead(raw, route.maximumBodyBytes));
  return release ? { isCounted: true, release } : rateLimited(largeBodyRetrySeconds);
}

const findActor = async (request: PartnerRequest): Promise<TokenActor | Refusal> =>
  authenticate(await run(request.services.db, findTokenActor(request.tokenHash)), request);

/** Steps 7 to 11. */
async function countAndAuthorize(
  route: Authorizable,
  actor: TokenActor,
  request: PartnerRequest,
): Promise<Refusal | undefined> {
  const counted = await count(request, actor);
  return counted instanceof Refusal ? counted : authorize(route, actor, request);
}

/** Returns the refusal for invalid input, unless an earlier step refuses the request. */
async function refuseInput(
  route: Authorizable,
  request: PartnerRequest,
  { isCounted }: Slot,
  refusal: Refusal,
): Promise<Refusal> {
  if (isCounted) return refusal;
  const actor = await findActor(request);
  return actor instanceof Refusal ? actor : ((await countAndAuthorize(route, actor, request)) ?? refusal);
}

function responseOf<Params, Body, Data>(
  { route, request, input }: Attempt<Params, Body, Data>,
  { answer, isReplay }: Success,
): Response {
  if (isReplay) note({ replay: true });
  const mark = isReplay ? { idempotent_replay: true } : {};
  const status = isReplay ? 200 : route.status;
  if (input.isDry) {
    const shown = serialize(route.dryRunAnswer ?? route.answer, withoutKey(answer, request.id));
    return Response.json({ dry_run: true, would_be: status, ...shown, ...mark });
  }
  if ("id" in answer) noteSubject(answer.id);
  return Response.json({ ...serialize(route.answer, answer), ...mark }, { status });
}

async function answerWrite<Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  slot: Slot,
): Promise<Outcome> {
  const { route, request } = attempt;
  const loaded = await load(attempt);
  const actor = authenticate(loaded.actor, request);
  if (actor instanceof Refusal) return actor;
  const refusal = authorize(route, actor, request);
  const decision: Decision = refusal ? { state: "ended", outcome: refusal } : decide(attempt, actor, loaded);

  const ceiling = slot.isCounted ? null : actor.requestsPerMinute;
  const acquiring = coordinatorOf(request, actor).acquire(ceiling, actor.tokenId, decision.claim);
  const { claim, ...counted } = await askCoordinator(acquiring, claimLimits.waitSeconds);
  if (!slot.isCounted) slot.release();
  const ended = windowOf(request, actor, counted) ?? outcomeOf(claim);
  if (ended) return ended;
  // A request that waited for another one with the same key decides again, based on the outcome.
  const hasWaited = claim.state === "fresh" && claim.waited;
  const working = workUnder(decision.claim, attempt, actor, hasWaited ? undefined : decision);
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
    else {
      if (claim) request.waitUntil(scheduler.wait(0).then(release));
      if (outcome.hasDueDeliveries)
        request.waitUntil(enqueueDeliveries(request.services, actor.organizationId));
    }
    return outcome;
  } catch (error) {
    await release();
    throw error;
  }
}

/** The delay before each reload while an earlier request with the same key is sending its e-mail. */
const pauseMs = 250;

async function carryOut<Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
  first: Decision,
): Promise<Outcome> {
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

/** Enqueues after the response, so that the response does not wait. */
async function enqueueDeliveries(services: Services, organizationId: string): Promise<void> {
  await scheduler.wait(0);
  await services.enqueueDueDeliveries(organizationId);
}
