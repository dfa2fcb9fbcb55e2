import { type Refusal, refuse } from "../contract/refusal.ts";
import { tracingEvents } from "../core/events/tracing-events.ts";
import {
  findEntryOfToken,
  type LedgerEntry,
  ledgerKeys,
  type RequestIdentity,
} from "../core/ledger/ledger.ts";
import { batch, noQuery, type Query, run } from "../db/query.ts";
import type { ClaimRequest } from "../durable/claims.ts";
import { sha256Hex } from "../platform/digest.ts";
import { findTokenActor, type TokenActor } from "../workspace/tokens/principal.ts";
import { authorize } from "./check-caller.ts";
import { dryRunServices } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import type { Success, Work, WriteDeclaration, WriteInput } from "./route.ts";

/** Decides what a write does next. One round trip loads what the decision needs, then a pure function decides. */

/** A request with valid input to a write route. */
export interface Attempt<Params, Body, Data> {
  route: WriteDeclaration<Params, Body, Data>;
  request: PartnerRequest;
  input: WriteInput<Params, Body>;
}

/** What a write does next. Without a claim, other requests do not wait for this one. */
export type Decision =
  | { state: "ended"; outcome: Success | Refusal; claim?: undefined }
  /** An earlier request with this key is sending its e-mail. The e-mail lease ends at `untilMs`. */
  | { state: "in_progress"; untilMs: number; claim: ClaimRequest }
  | { state: "ready"; work: Work; claim?: ClaimRequest | undefined };

interface Loaded<Data> {
  actor: TokenActor | null;
  /** The ledger entry of an earlier request with this key. */
  earlier: LedgerEntry | null;
  data: Data;
}

/** Loads the token, the key's ledger entry and the route's data in one round trip. */
export async function load<Params, Body, Data>({
  route,
  request,
  input,
}: Attempt<Params, Body, Data>): Promise<Loaded<Data>> {
  const { services, tokenHash } = request;
  const entryOfKey: Query<LedgerEntry | null> = input.hasKey
    ? findEntryOfToken({ tokenHash, key: ledgerKeys.idempotencyKey(input.key) })
    : noQuery;
  const [actor, earlier, data] = await batch(services.db, [
    findTokenActor(tokenHash),
    entryOfKey,
    route.load(input),
  ]);
  return { actor, earlier, data };
}

/** Loads and decides again, because other requests may have changed something. */
export const reload = async <Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
): Promise<Decision> => decide(attempt, actor, await load(attempt));

/** Steps 8 to 14, without I/O. */
export function decide<Params, Body, Data>(
  attempt: Attempt<Params, Body, Data>,
  actor: TokenActor,
  { earlier, data }: Loaded<Data>,
): Decision {
  const { route, request, input } = attempt;
  const refusal = authorize(route, actor, request);
  if (refusal) return ended(refusal);
  const identity = identify(attempt, actor, data);
  const { key, fingerprint } = identity;
  if (earlier && earlier.fingerprint !== fingerprint) return ended(refuse("idempotency_key_reused"));
  if (earlier?.answer) {
    const answer = route.answerOf?.(earlier.answer) ?? JSON.parse(earlier.answer);
    // The request's own entry: the work was committed, but D1's response was lost.
    return ended({ answer, ...(earlier.requestId === request.id ? { hasDueDeliveries: true } : replayed) });
  }
  if (earlier && earlier.leaseEndsAt === null)
    return { state: "ready", work: recall(attempt, actor, earlier) };
  if (actor.fence !== null) return ended(refuse("organization_is_moving"));
  const claim = { key, fingerprint, holder: crypto.randomUUID(), isDry: input.isDry };
  const untilMs = Date.parse(earlier?.leaseEndsAt ?? "");
  if (untilMs > Date.now()) return { state: "in_progress", untilMs, claim };
  const { services } = request;
  const context = {
    // Traces the events that a write records, for the request log (contract U3).
    services: input.isDry
      ? dryRunServices(services, identity)
      : { ...services, db: tracingEvents(services.db) },
    organization: {
      id: actor.organizationId,
      name: actor.organizationName,
      currency: actor.currency,
      link_prefix: actor.linkPrefix,
    },
    actor,
    request: identity,
  };
  const entry = (subjectId: string, details?: Record<string, unknown>) => ({
    ...identity,
    action: route.action,
    subjectId,
    details,
  });
  const decided = route.decide(context, { ...input, entry }, data);
  if (typeof decided !== "function") return ended(decided);
  return { state: "ready", work: decided, claim: input.hasKey ? claim : undefined };
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
    return answer ? { answer, ...replayed } : refuse("idempotency_key_reused");
  };

const replayed = { isReplay: true } as const;

/** Returns how the ledger identifies the request. */
function identify<Params, Body, Data>(
  { route, request, input }: Attempt<Params, Body, Data>,
  { organizationId, tokenId }: TokenActor,
  data: Data,
): RequestIdentity {
  const { params, bodyHash, key, hasKey } = input;
  const parts = ["post", route.path, params, route.identifiedBy?.(data), bodyHash];
  return {
    organizationId,
    key: hasKey ? ledgerKeys.idempotencyKey(key) : ledgerKeys.request(request.id),
    fingerprint: sha256Hex(JSON.stringify(parts)),
    requestId: request.id,
    actor: tokenId,
  };
}

const ended = (outcome: Success | Refusal): Decision => ({ state: "ended", outcome });
