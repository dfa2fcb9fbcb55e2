import { Refusal, refuse } from "../contract/refusal.ts";
import { tracingEvents } from "../core/events/tracing-events.ts";
import {
  findEntryOfToken,
  type LedgerEntry,
  ledgerKeys,
  type RequestIdentity,
} from "../core/ledger/ledger.ts";
import type { Services } from "../core/services.ts";
import { batch, noQuery, type Query, run } from "../db/query.ts";
import type { ClaimRequest } from "../durable/claims.ts";
import { sha256Hex } from "../platform/digest.ts";
import { findTokenActor, type TokenActor } from "../workspace/tokens/principal.ts";
import { authorize } from "./authenticate.ts";
import { dryRunServices } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import type { Work, WriteDeclaration } from "./route.ts";
import type { Input } from "./write-input.ts";

/** Decides what a write does next. One round trip loads what the decision needs, then a pure function decides. */

/** A request to a write route. */
export interface Attempt<Params, Body, Data> {
  route: WriteDeclaration<Params, Body, Data>;
  request: PartnerRequest;
  /** A refusal if the parameters or the body are invalid. */
  input: Input<Params, Body> | Refusal;
  /** The Idempotency-Key; null for a request without one, such as the legacy create or a dry run that omits it. */
  key: string | null;
  isDry: boolean;
}

/** What a write does next. */
export type Decision =
  | { state: "refused"; refusal: Refusal }
  | { state: "done"; answer: object; isReplay: boolean }
  /** An earlier request with this key is sending its e-mail. The e-mail lease ends at `untilMs`. */
  | { state: "in_progress"; untilMs: number; claim: ClaimRequest }
  /** If there is no claim, other requests do not wait for this one. */
  | { state: "ready"; work: Work; claim: ClaimRequest | undefined };

export const claimOf = (decision: Decision): ClaimRequest | undefined =>
  decision.state === "ready" || decision.state === "in_progress" ? decision.claim : undefined;

interface Loaded<Data> {
  actor: TokenActor | null;
  entry: LedgerEntry | null;
  /** Undefined if the input is rejected, in which case nothing was loaded. */
  data?: Data;
}

/** Loads the token, the key's ledger entry and the route's data in one round trip. */
export async function load<Params, Body, Data>(attempt: Attempt<Params, Body, Data>): Promise<Loaded<Data>> {
  const { route, request, input, key } = attempt;
  const { services, tokenHash } = request;
  if (input instanceof Refusal) {
    return { actor: await run(services.db, findTokenActor(tokenHash)), entry: null };
  }
  const earlier: Query<LedgerEntry | null> =
    key === null ? noQuery : findEntryOfToken({ tokenHash, key: ledgerKeys.idempotencyKey(key) });
  const [actor, entry, data] = await batch(services.db, [
    findTokenActor(tokenHash),
    earlier,
    route.load(writeRequestOf(attempt, input)),
  ]);
  return { actor, entry, data };
}

/** Loads and decides again, because other requests may have changed something. */
export const reload = async <Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
): Promise<Decision> => decide(attempt, actor, await load(attempt));

function writeRequestOf<Params, Body, Data>(
  { request, key }: Attempt<Params, Body, Data>,
  { params, body }: Input<Params, Body>,
) {
  const { tokenHash, raw, id } = request;
  return { tokenHash, key: key ?? id, origin: raw.headers.get("origin"), params, body };
}

/** Steps 8 to 14, without I/O. */
export function decide<Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
  { entry: earlier, data }: Loaded<Data>,
): Decision {
  const { route, request, input, key, isDry } = attempt;
  const refusal = authorize(route, actor, request);
  if (refusal) return refused(refusal);
  if (input instanceof Refusal) return refused(input);
  // The cast is safe: data is missing only if the input is rejected.
  const identity = identify(attempt, actor, input, data as Data);
  const { key: entryKey, fingerprint } = identity;
  if (earlier && earlier.fingerprint !== fingerprint) return refused(refuse("idempotency_key_reused"));
  if (earlier?.answer) {
    const answer = route.answerOf?.(earlier.answer) ?? JSON.parse(earlier.answer);
    // The request's own entry: the work was committed, but D1's response was lost.
    return { state: "done", answer, isReplay: earlier.requestId !== request.id };
  }
  if (earlier && earlier.leaseEndsAt === null) {
    return { state: "ready", work: recall(attempt, actor, earlier), claim: undefined };
  }
  if (actor.fence !== null) return refused(refuse("organization_is_moving"));
  const claim = { key: entryKey, fingerprint, holder: crypto.randomUUID(), isDry };
  const untilMs = Date.parse(earlier?.leaseEndsAt ?? "");
  if (untilMs > Date.now()) return { state: "in_progress", untilMs, claim };
  const context = {
    services: isDry ? dryRunServices(request.services, identity) : tracedServices(request.services),
    organization: {
      id: actor.organizationId,
      name: actor.organizationName,
      currency: actor.currency,
      link_prefix: actor.linkPrefix,
    },
    actor,
    request: identity,
  };
  const { action } = route;
  const entry = (subjectId: string, details?: Record<string, unknown>) => ({
    ...identity,
    action,
    subjectId,
    details,
  });
  const decided = route.decide(context, { ...writeRequestOf(attempt, input), isDry, entry }, data as Data);
  if (decided instanceof Refusal) return refused(decided);
  if (typeof decided !== "function") return { state: "done", answer: decided.replay, isReplay: true };
  return { state: "ready", work: decided, claim: key === null ? undefined : claim };
}

/** Rebuilds the response from the record, for a replay after the ledger's response was purged. */
const recall =
  <Params, Body, Data>(
    { route, request }: Attempt<Params, Body, Data>,
    { organizationId }: TokenActor,
    entry: LedgerEntry,
  ): Work =>
  async () => {
    const answer = await run(request.services.db, route.recall?.(organizationId, entry) ?? noQuery);
    return answer ? { answer, hasDueDeliveries: false, isReplay: true } : refuse("idempotency_key_reused");
  };

/** Traces the events that a write records, for the request log (contract U3). */
const tracedServices = (services: Services): Services => ({ ...services, db: tracingEvents(services.db) });

/** Returns how the ledger identifies the request. */
function identify<Params, Body, Data>(
  { route, request, key }: Attempt<Params, Body, Data>,
  { organizationId, tokenId }: TokenActor,
  { params, bodyHash }: Input<Params, Body>,
  data: Data,
): RequestIdentity {
  const parts = ["post", route.path, params, route.identifiedBy?.(data), bodyHash];
  return {
    organizationId,
    key: key === null ? ledgerKeys.request(request.id) : ledgerKeys.idempotencyKey(key),
    fingerprint: sha256Hex(JSON.stringify(parts)),
    requestId: request.id,
    actor: tokenId,
  };
}

const refused = (refusal: Refusal): Decision => ({ state: "refused", refusal });
