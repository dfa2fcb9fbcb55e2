import { Refusal, refuse } from "../contract/refusal.ts";
import { batch, nothing, type Query, run } from "../db/query.ts";
import type { ClaimRequest } from "../durable/claims.ts";
import { sha256Hex } from "../platform/digest.ts";
import { tracingEvents } from "../workspace/events/tracing-events.ts";
import {
  findLineOfToken,
  type LedgerLine,
  ledgerKeys,
  type RequestIdentity,
} from "../workspace/requests/ledger.ts";
import type { Services } from "../workspace/services.ts";
import { findTokenActor, type TokenActor } from "../workspace/tokens/principal.ts";
import { authorize } from "./check-sender.ts";
import { dryRunServices } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import type { Work, WriteDeclaration } from "./route.ts";
import type { Input } from "./write-input.ts";

/** What a write is found to be: one trip that looks, and a judgement without I/O. */

/** One request to one route. */
export interface Attempt<Params, Body, Found> {
  route: WriteDeclaration<Params, Body, Found>;
  request: PartnerRequest;
  /** A refusal where parameters or body are not valid. */
  input: Input<Params, Body> | Refusal;
  /** The Idempotency-Key; null: the request has none, as the legacy create, or a dry run that may leave it out. */
  key: string | null;
  isDry: boolean;
}

/** What is known of a request before its work. */
export type Decision =
  | { state: "refused"; refusal: Refusal }
  | { state: "answered"; answer: object; isReplay: boolean }
  /** The line of an earlier request has dropped its answer. */
  | { state: "to_recall"; line: LedgerLine }
  /** An earlier request is about to mail; it has until then. */
  | { state: "under_way"; untilMs: number; claim: ClaimRequest }
  /** Without a claim, nobody can wait for this request: it has no key. */
  | { state: "to_do"; work: Work; claim: ClaimRequest | undefined };

export const claimOf = (decision: Decision): ClaimRequest | undefined =>
  decision.state === "to_do" || decision.state === "under_way" ? decision.claim : undefined;

interface Seen<Found> {
  actor: TokenActor | null;
  line: LedgerLine | null;
  /** undefined: the input is refused, and nothing was loaded for it. */
  found?: Found;
}

/** One trip: who asks, whether they asked before, and what the decision needs. */
export async function look<Params, Body, Found>(attempt: Attempt<Params, Body, Found>): Promise<Seen<Found>> {
  const { route, request, input, key } = attempt;
  const { services, tokenHash } = request;
  if (input instanceof Refusal) {
    return { actor: await run(services.db, findTokenActor(tokenHash)), line: null };
  }
  const earlier: Query<LedgerLine | null> =
    key === null ? nothing : findLineOfToken({ tokenHash, key: ledgerKeys.idempotencyKey(key) });
  const [actor, line, found] = await batch(services.db, [
    findTokenActor(tokenHash),
    earlier,
    route.load(asked(attempt, input)),
  ]);
  return { actor, line, found };
}

/** Decides anew, by what other requests did since the first look. */
export const lookAgain = async <Params, Body, Found>(
  attempt: Attempt<Params, Body, Found>,
  actor: TokenActor,
): Promise<Decision> => decide(attempt, actor, await look(attempt));

function asked<Params, Body, Found>(
  { request, key }: Attempt<Params, Body, Found>,
  { params, body }: Input<Params, Body>,
) {
  const { tokenHash, raw, id } = request;
  return { tokenHash, key: key ?? id, origin: raw.headers.get("origin"), params, body };
}

/** Steps 8 to 14, without I/O. */
export function decide<Params, Body, Found>(
  attempt: Attempt<Params, Body, Found>,
  actor: TokenActor,
  { line: earlier, found }: Seen<Found>,
): Decision {
  const { route, request, input, key, isDry } = attempt;
  const refusal = authorize(route, actor, request);
  if (refusal) return refused(refusal);
  if (input instanceof Refusal) return refused(input);
  // The cast: an input that is not refused was looked up together with what was found for it.
  const known = found as Found;
  const identity = identify(attempt, actor, input, known);
  const { key: lineKey, fingerprint } = identity;
  if (earlier && earlier.fingerprint !== fingerprint) return refused(refuse("idempotency_key_reused"));
  if (earlier?.answer) {
    const answer = route.answerOf?.(earlier.answer) ?? JSON.parse(earlier.answer);
    // Its own line: the work took effect, and the word of it was lost.
    return { state: "answered", answer, isReplay: earlier.requestId !== request.id };
  }
  if (earlier && earlier.leaseEndsAt === null) return { state: "to_recall", line: earlier };
  const claim = { key: lineKey, fingerprint, holder: crypto.randomUUID(), isDry };
  const untilMs = Date.parse(earlier?.leaseEndsAt ?? "");
  if (untilMs > Date.now()) return { state: "under_way", untilMs, claim };
  const context = {
    services: isDry ? dryRunServices(request.services, identity) : tracedServices(request.services),
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
  const decided = route.decide(context, { ...asked(attempt, input), isDry, line }, known);
  if (decided instanceof Refusal) return refused(decided);
  if (typeof decided !== "function") return { state: "answered", answer: decided.replay, isReplay: true };
  return { state: "to_do", work: decided, claim: key === null ? undefined : claim };
}

/** What a verb may use: the request log tells which events it made (contract U3). */
const tracedServices = (services: Services): Services => ({ ...services, db: tracingEvents(services.db) });

/** How the ledger knows the request. */
function identify<Params, Body, Found>(
  { route, request, key }: Attempt<Params, Body, Found>,
  { organizationId, tokenId }: TokenActor,
  { params, bodyHash }: Input<Params, Body>,
  found: Found,
): RequestIdentity {
  const parts = ["post", route.path, params, route.identifiedBy?.(found), bodyHash];
  return {
    organizationId,
    key: key === null ? ledgerKeys.request(request.id) : ledgerKeys.idempotencyKey(key),
    fingerprint: sha256Hex(JSON.stringify(parts)),
    requestId: request.id,
    actor: tokenId,
  };
}

const refused = (refusal: Refusal): Decision => ({ state: "refused", refusal });
