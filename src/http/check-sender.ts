import { characters } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { invalid, Refusal, refuse } from "../contract/refusal.ts";
import { run } from "../db/query.ts";
import { findTokenActor, type TokenActor } from "../workspace/tokens/principal.ts";
import { authenticate, checkScopes } from "./authenticate.ts";
import { asksForDryRun } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { count } from "./rate-window.ts";
import { bytesToRead, isLargeBody } from "./read-body.ts";
import { rateLimited } from "./responses.ts";
import type { WriteDeclaration } from "./route.ts";
import { isKnownToken, isLimited, takeLargeBody, takeUncountedRead } from "./senders.ts";

/** What is known of a sender before the body is read. */
export interface Sender {
  /** Whether the request was counted already. */
  isCounted: boolean;
  /** Gives back the room of a large body, or the room to read data before the request is counted. */
  release?: () => void;
}

/**
 * A body is read only when its sender is known: a token that is new to this isolate costs one trip more, a large body
 * another one to the coordinator; so does one without room to read before it is counted.
 */
export async function checkSender(
  route: Authorizable & { maximumBodyBytes: number },
  request: PartnerRequest,
): Promise<Sender | Refusal> {
  const { tokenHash, raw, services } = request;
  const isLarge = isLargeBody(raw);
  const takeRoom = () =>
    isLarge || isLimited(tokenHash, Date.now()) ? undefined : takeUncountedRead(tokenHash);
  const early = isKnownToken(tokenHash) ? takeRoom() : undefined;
  if (early) return { isCounted: false, release: early };
  const actor = authenticate(await run(services.db, findTokenActor(tokenHash)), request);
  if (actor instanceof Refusal) return actor;
  const refusal = authorize(route, actor, request);
  const late = refusal ? undefined : takeRoom();
  if (late) return { isCounted: false, release: late };
  const counted = await count(request, actor);
  const refused = counted instanceof Refusal ? counted : refusal;
  if (refused) return refused;
  if (!isLarge) return { isCounted: true };
  const release = takeLargeBody(actor.organizationId, bytesToRead(raw, route.maximumBodyBytes));
  return release ? { isCounted: true, release } : rateLimited(largeBodyRetrySeconds);
}

/** By then one of the other large bodies has usually been taken in. */
const largeBodyRetrySeconds = 1;

/** The Idempotency-Key. */
export const idempotencyKeyOf = ({ raw }: PartnerRequest): string => raw.headers.get("idempotency-key") ?? "";

type Authorizable = Pick<
  WriteDeclaration<unknown, unknown, unknown>,
  "scope" | "feature" | "idempotent" | "ignoresUnknown"
>;

/** Steps 8 to 11. A dry run may leave its key out. */
export function authorize(
  route: Authorizable,
  actor: TokenActor,
  request: PartnerRequest,
): Refusal | undefined {
  const scope = checkScopes(actor, [route.scope]);
  if (scope) return scope;
  if (route.feature && !actor.features.includes(route.feature)) return refuse("feature_disabled");
  if (!actor.isAdmin) return refuse("api_actor_unavailable");
  const key = idempotencyKeyOf(request);
  return route.idempotent && !(key === "" && asksForDryRun(route, request)) ? refuseKey(key) : undefined;
}

/** Step 11. Invalid UTF-8 arrives as replacement characters: keys that differ in them would be one key. */
function refuseKey(key: string): Refusal | undefined {
  if (key === "" || characters(key) > limits.idempotencyKeyCharacters)
    return invalid(`Idempotency-Key is required (1-${limits.idempotencyKeyCharacters} characters)`);
  return key.includes("\uFFFD") ? invalid("Idempotency-Key must be ASCII or UTF-8 text") : undefined;
}
