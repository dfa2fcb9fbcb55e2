import { claimLimits, limits } from "../contract/limits.ts";
import { Refusal, refusalRaised, refuse } from "../contract/refusal.ts";
import { batch, nothing, type Query, run } from "../db/query.ts";
import { sha256Hex } from "../platform/digest.ts";
import { note, report } from "../platform/log.ts";
import {
  findLineOfToken,
  type LedgerLine,
  ledgerKeys,
  type RequestIdentity,
} from "../workspace/requests/ledger.ts";
import { findTokenActor, type TokenActor } from "../workspace/tokens/principal.ts";
import { authenticate } from "./authenticate.ts";
import { authorize, checkSender, idempotencyKeyOf, type Sender } from "./check-sender.ts";
import { enqueueDeliveries } from "./enqueue-deliveries.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { coordinatorOf, inTime, windowOf } from "./rate-window.ts";
import { errorResponse } from "./responses.ts";
import type { Work, WriteDeclaration, WriteFunctions, WriteRoute, WriteSettings } from "./route.ts";
import { serialize } from "./serialize.ts";
import { type Input, readInput } from "./write-input.ts";

const defaults: WriteSettings = { status: 201, idempotent: true, maximumBodyBytes: limits.bodyBytes };

/** Declares a write. Its request costs two trips to D1 and one to the coordinator; a replay one and one. */
export const write = <Params, Body, Found>(
  declared: WriteFunctions<Params, Body, Found> & Partial<WriteSettings>,
): WriteRoute => {
  const route = { ...defaults, ...declared };
  return { ...route, kind: "write", method: "post", handle: (request) => handleWrite(route, request) };
};

/**
 * A write, from its sender to its answer (contract R1, 5 to 14). The first trip reads who asks, whether they asked
 * before and what the decision needs; the second does the work together with its line in the ledger.
 */
async function handleWrite<Params, Body, Found>(
  route: WriteDeclaration<Params, Body, Found>,
  request: PartnerRequest,
): Promise<Response> {
  const sender = await checkSender(route, request);
  if (sender instanceof Refusal) return errorResponse(sender);
  try {
    const outcome = await answerWrite(route, request, sender);
    if (outcome instanceof Refusal) return errorResponse(outcome);
    const answer = serialize(route.answer, outcome.answer);
    if (!outcome.isReplay) return Response.json(answer, { status: route.status });
    note({ replay: true });
    return Response.json({ ...answer, idempotent_replay: true });
  } finally {
    sender.release?.();
  }
}

type Outcome = Refusal | { answer: object; isReplay: boolean };

/** One request to one route. */
interface Attempt<Params, Body, Found> {
  route: WriteDeclaration<Params, Body, Found>;
  request: PartnerRequest;
  /** A refusal where parameters or body are not valid. */
  input: Input<Params, Body> | Refusal;
}

async function answerWrite<Params, Body, Found>(
  route: WriteDeclaration<Params, Body, Found>,
  request: PartnerRequest,
  sender: Sender,
): Promise<Outcome> {
  const attempt = { route, request, input: await readInput(route, request) };
  const seen = await look(attempt);
  const actor = authenticate(seen.actor, request);
  if (actor instanceof Refusal) return actor;
  const decision = decide(attempt, actor, seen);
  const claim = claimOf(decision);

  const ceiling = sender.isCounted ? null : actor.requestsPerMinute;
  const acquiring = coordinatorOf(request, actor).acquire(ceiling, actor.tokenId, claim);
  const { claim: claimed, ...counted } = await inTime(acquiring, claimLimits.waitSeconds);
  if (!sender.isCounted) sender.release?.();
  const limited = windowOf(request, actor, counted);
  if (limited) return limited;
  switch (claimed.state) {
    case "none":
    case "fresh":
      break;
    case "sent":
      return { answer: JSON.parse(claimed.answer), isReplay: true };
    case "mismatch":
      return refuse("idempotency_key_reused");
    case "in_progress":
      return inProgress();
    default:
      return claimed satisfies never;
  }
  // What another request with this key did while this one waited for it was not seen yet.
  const isOutdated = claimed.state === "fresh" && claimed.waited;
  const working = workUnder(claim, attempt, actor, isOutdated ? undefined : decision);
  // A client that disconnects leaves no half of a request behind.
  request.waitUntil(working.catch(() => {}));
  return working;
}

/** Acts on a decision, and gives its key back: behind the answer of a success, before that of a failure. */
async function workUnder<Params, Body, Found>(
  claim: Claim | undefined,
  attempt: Attempt<Params, Body, Found>,
  actor: TokenActor,
  decision: Decision | undefined,
): Promise<Outcome> {
  const { request } = attempt;
  const release = async () => {
    const releasing = claim && coordinatorOf(request, actor).release(claim);
    await releasing?.catch((error) => report({ failed: "release" }, error));
  };
  try {
    const outcome = await carryOut(attempt, actor, decision ?? (await lookAgain(attempt, actor)));
    if (outcome instanceof Refusal) await release();
    else if (claim) request.waitUntil(scheduler.wait(0).then(release));
    return outcome;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Decides anew, by what other requests did since the first look. */
const lookAgain = async <Params, Body, Found>(
  attempt: Attempt<Params, Body, Found>,
  actor: TokenActor,
): Promise<Decision> => decide(attempt, actor, await look(attempt));

/** What is known of a request before its work. */
type Decision =
  | { state: "refused"; refusal: Refusal }
  | { state: "answered"; answer: object; isReplay: boolean }
  /** The line of an earlier request has dropped its answer. */
  | { state: "to_recall"; line: LedgerLine }
  /** An earlier request is about to mail; it has until then. */
  | { state: "under_way"; untilMs: number; claim: Claim }
  /** Without a claim, nobody can wait for this request: it has no key. */
  | { state: "to_do"; work: Work; claim: Claim | undefined };

interface Claim {
  key: string;
  fingerprint: string;
  /** New for each request: if the runtime repeats a call, it finds the claim that it took already. */
  holder: string;
}

const claimOf = (decision: Decision): Claim | undefined =>
  decision.state === "to_do" || decision.state === "under_way" ? decision.claim : undefined;

interface Seen<Found> {
  actor: TokenActor | null;
  line: LedgerLine | null;
  /** undefined: the input is refused, and nothing was loaded for it. */
  found?: Found;
}

/** One trip: who asks, whether they asked before, and what the decision needs. */
async function look<Params, Body, Found>({
  route,
  request,
  input,
}: Attempt<Params, Body, Found>): Promise<Seen<Found>> {
  const { services, tokenHash } = request;
  if (input instanceof Refusal) {
    return { actor: await run(services.db, findTokenActor(tokenHash)), line: null };
  }
  const earlier: Query<LedgerLine | null> = route.idempotent
    ? findLineOfToken({ tokenHash, key: ledgerKeys.idempotencyKey(idempotencyKeyOf(request)) })
    : nothing;
  const [actor, line, found] = await batch(services.db, [
    findTokenActor(tokenHash),
    earlier,
    route.load(asked(request, input)),
  ]);
  return { actor, line, found };
}

function asked<Params, Body>(request: PartnerRequest, { params, body }: Input<Params, Body>) {
  const { tokenHash, raw } = request;
  return { tokenHash, key: idempotencyKeyOf(request), origin: raw.headers.get("origin"), params, body };
}

/** Steps 8 to 14, without I/O. */
function decide<Params, Body, Found>(
  { route, request, input }: Attempt<Params, Body, Found>,
  actor: TokenActor,
  { line: earlier, found }: Seen<Found>,
): Decision {
  const refusal = authorize(route, actor, idempotencyKeyOf(request));
  if (refusal) return refused(refusal);
  if (input instanceof Refusal) return refused(input);
  // The cast: an input that is not refused was looked up together with what was found for it.
  const known = found as Found;
  const identity = identify(route, request, actor, input, known);
  const { key: lineKey, fingerprint } = identity;
  if (earlier && earlier.fingerprint !== fingerprint) return refused(refuse("idempotency_key_reused"));
  if (earlier?.answer) {
    const answer = route.answerOf?.(earlier.answer) ?? JSON.parse(earlier.answer);
    // Its own line: the work took effect, and the word of it was lost.
    return { state: "answered", answer, isReplay: earlier.requestId !== request.id };
  }
  if (earlier && earlier.leaseEndsAt === null) return { state: "to_recall", line: earlier };
  const claim = { key: lineKey, fingerprint, holder: crypto.randomUUID() };
  const untilMs = Date.parse(earlier?.leaseEndsAt ?? "");
  if (untilMs > Date.now()) return { state: "under_way", untilMs, claim };
  const context = {
    services: request.services,
    organization: { id: actor.organizationId, name: actor.organizationName, currency: actor.currency },
    actor,
    request: identity,
  };
  const { action } = route;
  const line = (subjectId: string, details?: Record<string, unknown>) => ({
    ...identity,
    action,
    subjectId,
    details,
  });
  const decided = route.decide(context, { ...asked(request, input), line }, known);
  if (decided instanceof Refusal) return refused(decided);
  if (typeof decided !== "function") return { state: "answered", answer: decided.replay, isReplay: true };
  return { state: "to_do", work: decided, claim: route.idempotent ? claim : undefined };
}

/** How the ledger knows the request. */
function identify<Params, Body, Found>(
  route: WriteDeclaration<Params, Body, Found>,
  request: PartnerRequest,
  { organizationId, tokenId }: TokenActor,
  { params, bodyHash }: Input<Params, Body>,
  found: Found,
): RequestIdentity {
  const parts = ["post", route.path, params, route.identifiedBy?.(found), bodyHash];
  return {
    organizationId,
    key: route.idempotent
      ? ledgerKeys.idempotencyKey(idempotencyKeyOf(request))
      : ledgerKeys.request(request.id),
    fingerprint: sha256Hex(JSON.stringify(parts)),
    requestId: request.id,
    actor: tokenId,
  };
}

const refused = (refusal: Refusal): Decision => ({ state: "refused", refusal });

/** How long a request that waits for a mail of its own key sleeps between two looks. */
const pauseMs = 250;

async function carryOut<Params, Body, Found>(
  attempt: Attempt<Params, Body, Found>,
  actor: TokenActor,
  first: Decision,
): Promise<Outcome> {
  const { route, request } = attempt;
  const { organizationId } = actor;
  const { db } = request.services;
  const patienceEndsMs = Date.now() + claimLimits.waitSeconds * 1000;
  for (let decision = first; ; ) {
    switch (decision.state) {
      case "refused":
        return decision.refusal;
      case "answered":
        if (!decision.isReplay) request.waitUntil(enqueueDeliveries(request, organizationId));
        return decision;
      case "to_recall": {
        const answer = await run(db, route.recall?.(organizationId, decision.line) ?? nothing);
        return answer ? { answer, isReplay: true } : refuse("idempotency_key_reused");
      }
      case "under_way": {
        if (Date.now() >= patienceEndsMs) return inProgress();
        await scheduler.wait(Math.min(pauseMs, Math.max(decision.untilMs - Date.now(), 1)));
        decision = await lookAgain(attempt, actor);
        break;
      }
      case "to_do": {
        try {
          const done = await decision.work();
          if (done instanceof Refusal) return done;
          if (done.hasDue) request.waitUntil(enqueueDeliveries(request, organizationId));
          return { answer: done.answer, isReplay: false };
        } catch (error) {
          if (!/SQLITE_CONSTRAINT/.test(String(error))) throw error;
          decision = await lookAgain(attempt, actor);
          if (decision.state === "to_do") return refusalRaised(error) ?? Promise.reject(error);
        }
        break;
      }
      default:
        return decision satisfies never;
    }
  }
}

const inProgress = () => refuse("idempotency_key_in_progress", {}, { "Retry-After": "1" });
