import canonicalize from "canonicalize";
import { invalid, Refusal, refusalRaised, refuse } from "../contract/failures.ts";
import { limits } from "../contract/limits.ts";
import { batch, run } from "../db/query.ts";
import { type Author, findAuthor } from "../domain/principal.ts";
import type { Recalled } from "../domain/recall.ts";
import { Unrecorded } from "../domain/unrecorded.ts";
import type { ClaimRequest, ClaimVerdict } from "../durable/organization-coordinator.ts";
import { derivedUuid, sha256Hex } from "../platform/digest.ts";
import { report } from "../platform/report.ts";
import { answered, CountedError, rateHeaders, refused } from "./answers.ts";
import { authenticate, checkScope, rateLimited } from "./authenticate.ts";
import { complete } from "./completions.ts";
import { documented } from "./documented.ts";
import type { Work, WriteContext, WriteRequest, WriteRoute } from "./operation.ts";
import type { Services } from "./services.ts";
import { type KeptAnswer, keepUnrecorded, recordKept, reportUnrecorded } from "./unrecorded.ts";
import { readJson, validate } from "./validate.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

/** What came in, before anybody is known: the validated input, or why there is none. */
interface Arrival {
  request: WriteRequest;
  /** SHA-256 of the body's canonical form, which itself may hold an image: too much to keep for the whole request. */
  bodyHash: string;
}

/** An admissible request: under which identity, what it would do, and what an earlier one did as far as is known. */
interface Attempt {
  context: WriteContext;
  work: Work | Refusal;
  earlier: Recalled | null;
}

/**
 * A write: read, gate, write. Two trips to D1 and one to the gate (CONTRACT 1, steps 5 to 14); a large body costs one
 * more, so that nobody unknown makes the Worker decode it.
 */
export async function handleWrite(
  route: WriteRoute,
  tokenHash: string,
  request: Request,
  params: unknown,
  services: Services,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<Response> {
  const key = request.headers.get("idempotency-key") ?? "";
  const arrival = await arrive(route, { tokenHash, key }, request, params, env.DB);
  const queries = arrival instanceof Refusal ? [] : [route.facts(arrival.request)];
  const [found, facts] = await batch(env.DB, [findAuthor(tokenHash), ...queries]);
  const principal = authenticate(found);
  if (principal instanceof Refusal) return refused(principal);

  const input = admissible(route, principal, key) ?? arrival;
  const gate = env.ORGANIZATION_COORDINATOR.getByName(principal.organizationId);
  const attempt = input instanceof Refusal ? input : judge(route, input, principal, facts, services);
  const claim = attempt instanceof Refusal || !route.idempotent ? undefined : claimOf(attempt);
  const admission = await gate.admit(principal.requestsPerMinute, claim);
  const headers = rateHeaders(principal.requestsPerMinute, admission.resetSeconds);
  if (admission.outcome === "limited") return refused(rateLimited(admission.resetSeconds), headers);
  if (attempt instanceof Refusal) return refused(attempt, headers);

  const settled = settledByClaim(admission.claim);
  if (settled instanceof Refusal) return refused(settled, headers);
  if (settled) {
    await recordKept(route, attempt.context, settled, env).catch(reportUnrecorded(attempt.context));
    return answered(replayed(route, settled), 200, headers);
  }

  const waited = admission.claim.state === "fresh" && admission.claim.waited;
  const finishing = finish(route, attempt, { held: claim?.hold ? claim : undefined, waited }, env, execution);
  execution.waitUntil(finishing.catch(() => {}));
  const outcome = await finishing.catch((cause) => {
    throw new CountedError(cause, headers);
  });
  if (outcome instanceof Refusal) return refused(outcome, headers);
  if (!outcome.unrecorded) execution.waitUntil(wakeWebhooks(route, attempt.context));
  return answered(outcome.answer, outcome.replayed ? 200 : route.status, headers);
}

async function arrive(
  route: WriteRoute,
  identity: Pick<WriteRequest, "tokenHash" | "key">,
  request: Request,
  pathParams: unknown,
  db: D1Database,
): Promise<Arrival | Refusal> {
  const params = route.params && validate(route.params, pathParams);
  if (params?.refusal) return params.refusal;
  const json = await readJson(request, route.maximumBodyBytes, async () => {
    const author = authenticate(await run(db, findAuthor(identity.tokenHash)));
    return author instanceof Refusal ? author : admissible(route, author, identity.key);
  });
  if (json.refusal) return json.refusal;
  const body = validate(route.body, json.value);
  if (body.refusal) return body.refusal;
  return {
    request: { ...identity, params: params?.value, body: body.value, origin: request.headers.get("origin") },
    bodyHash: route.idempotent ? sha256Hex(canonicalize(json.value) ?? "") : "",
  };
}

/** Steps 8 to 11. */
function admissible(route: WriteRoute, principal: Author, key: string): Refusal | undefined {
  const scope = checkScope(principal, route.scope);
  if (scope) return scope;
  if (route.feature && !principal.features.includes(route.feature)) return refuse("feature_disabled");
  if (!principal.actorIsAdmin) return refuse("api_actor_unavailable");
  if (route.idempotent && (key.length < 1 || key.length > limits.idempotencyKeyCharacters)) {
    return invalid(`Idempotency-Key is required (1-${limits.idempotencyKeyCharacters} characters)`);
  }
  return undefined;
}

function judge(
  route: WriteRoute,
  { request, bodyHash }: Arrival,
  principal: Author,
  facts: unknown,
  services: Services,
): Attempt {
  const { organizationId } = principal;
  const asked = [route.method, route.path, request.params, route.distinguish?.(facts), bodyHash];
  const context: WriteContext = {
    ...request,
    services,
    principal,
    id: route.idempotent ? derivedUuid(organizationId, route.path, request.key) : crypto.randomUUID(),
    fingerprint: sha256Hex(JSON.stringify(asked)),
  };
  return { context, work: route.decide(context, facts), earlier: route.earlier?.(facts) ?? null };
}

/** What is refused already only looks whether an earlier request with its key succeeded. */
const claimOf = ({ context: { key, fingerprint }, work }: Attempt): ClaimRequest => ({
  key,
  fingerprint,
  holder: crypto.randomUUID(),
  hold: !(work instanceof Refusal),
});

function settledByClaim(claim: ClaimVerdict): KeptAnswer | Refusal | undefined {
  switch (claim.state) {
    case "none":
    case "fresh":
      return undefined;
    case "replay":
      return JSON.parse(claim.answer);
    case "mismatch":
      return refuse("idempotency_key_reused");
    case "in_progress":
      return refuse("idempotency_key_in_progress", {}, { "Retry-After": "1" });
    default:
      return claim satisfies never;
  }
}

const replayed = (route: WriteRoute, answer: object): object => ({
  ...documented(route.answer, answer),
  idempotent_replay: true,
});

type Outcome = Refusal | { answer: object; replayed: boolean; unrecorded?: boolean };

/** Does the work, or meets the row of an earlier attempt; then completes the claim or gives the key back. */
async function finish(
  route: WriteRoute,
  attempt: Attempt,
  { held, waited }: { held: ClaimRequest | undefined; waited: boolean },
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<Outcome> {
  const { context } = attempt;
  const { organizationId } = context.principal;
  const giveBack = async () => {
    if (held) await env.ORGANIZATION_COORDINATOR.getByName(organizationId).release(held.key, held.holder);
  };
  let outcome: Outcome;
  try {
    outcome = await perform(route, attempt, waited);
  } catch (error) {
    await giveBack().catch(() => {});
    throw error;
  }
  if (outcome instanceof Refusal) await giveBack().catch((error) => report({ releasing: context.id }, error));
  else if (outcome.unrecorded) await keepUnrecorded(route, context, outcome.answer, env, execution);
  else if (held) {
    const { key, fingerprint } = held;
    const { idempotent_replay: _, ...answer } = outcome.answer as Record<string, unknown>;
    execution.waitUntil(complete(env, organizationId, { key, fingerprint, answer: JSON.stringify(answer) }));
  }
  return outcome;
}

/** `waited`: the facts are of before the wait for another request, which may have recorded its work since. */
async function perform(
  route: WriteRoute,
  { context, work, earlier }: Attempt,
  waited: boolean,
): Promise<Outcome> {
  const { db } = context.services;
  const recall = async (): Promise<Outcome | undefined> => {
    const row = earlier ?? (route.idempotent ? await run(db, route.recall(context)) : null);
    if (!row) return undefined;
    if (row.fingerprint !== context.fingerprint) return refuse("idempotency_key_reused");
    return { answer: replayed(route, row.answer), replayed: true };
  };
  const met = earlier || waited || work instanceof Refusal ? await recall() : undefined;
  if (met) return met;
  if (work instanceof Refusal) return work;
  let result: object | Refusal | Unrecorded;
  try {
    result = await work();
  } catch (error) {
    if (!/SQLITE_CONSTRAINT/.test(String(error))) throw error;
    const outcome = (await recall()) ?? refusalRaised(error);
    if (outcome) return outcome;
    throw error;
  }
  if (result instanceof Refusal) return (await recall()) ?? result;
  if (result instanceof Unrecorded) {
    return { answer: documented(route.answer, result.answer), replayed: false, unrecorded: true };
  }
  return { answer: documented(route.answer, result), replayed: false };
}
