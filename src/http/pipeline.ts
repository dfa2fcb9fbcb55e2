import canonicalize from "canonicalize";
import type { Claim, ClaimRequest } from "../contract/claims.ts";
import { invalid, Refusal, refuse } from "../contract/failures.ts";
import { limits } from "../contract/limits.ts";
import type { Scope } from "../contract/scopes.ts";
import { batch, mapped, type Query, run } from "../db/query.ts";
import {
  type Attempt,
  claimRequestOf,
  execute,
  type Outcome,
  outcomeOfClaim,
} from "../domain/idempotency.ts";
import { type Author, findAuthor, findPrincipal, type Principal } from "../domain/principal.ts";
import { derivedUuid, equalInConstantTime, sha256Hex } from "../platform/digest.ts";
import { report } from "../platform/log.ts";
import { errorResponse, rateHeaders, rateLimited } from "./responses.ts";
import type { Operation, ReadDeclaration, WriteContext, WriteDeclaration } from "./route.ts";
import { serialize } from "./serialize.ts";
import type { Services } from "./services.ts";
import { readJson, validate } from "./validate.ts";

/**
 * The way of every request (CONTRACT 1, steps 4 to 14): authenticate, count, authorize, validate, answer. The first
 * refusal wins. Steps 1 to 3 are the router's (http/app.ts); what makes a write happen once is domain/idempotency.ts.
 */
export interface PartnerRequest {
  raw: Request;
  params: unknown;
  query: unknown;
  /** SHA-256 of the bearer token. */
  tokenHash: string;
  services: Services;
  /** Keeps work alive behind the answer, also when the caller has gone. */
  waitUntil(work: Promise<unknown>): void;
  /** Headers of the answer, whatever it will be: an unexpected error's too. */
  setHeaders(headers: Record<string, string>): void;
}

const bearerPattern = /^Bearer (svc_[a-f0-9]{36})$/;

/** Steps 4 and 5 before any lookup: the gateway's key, then the strict form of the token; answers its SHA-256. */
export function identify(headers: Headers, gatewayPublicKey: string): string | Refusal {
  if (!equalInConstantTime(headers.get("apikey") ?? "", gatewayPublicKey)) return refuse("invalid_apikey");
  const token = bearerPattern.exec(headers.get("authorization") ?? "")?.[1];
  return token ? sha256Hex(token) : refuse("invalid_token");
}

/** Steps 5 and 6: the token is known and its organization has API access. */
function authenticate<P extends Principal>(principal: P | null): P | Refusal {
  if (!principal) return refuse("invalid_token");
  return principal.hasApiAccess ? principal : refuse("api_access_required");
}

/** Step 8. */
const checkScope = (principal: Principal, scope: Scope): Refusal | undefined =>
  principal.scopes.includes(scope) ? undefined : refuse("insufficient_scope", { required_scope: scope });

const coordinatorOf = ({ services }: PartnerRequest, { organizationId }: Principal) =>
  services.coordinators.getByName(organizationId);

/** A read: one trip to D1 for the principal and the data, one to the coordinator. */
export async function handleRead<Params, Parameters, Loaded>(
  route: ReadDeclaration<Params, Parameters, Loaded>,
  request: PartnerRequest,
): Promise<Response> {
  const { services, tokenHash } = request;
  const data = loadData(route, request);
  const [found, present] =
    data instanceof Refusal
      ? [await run(services.db, findPrincipal(tokenHash)), () => data]
      : await batch(services.db, [findPrincipal(tokenHash), data]);
  const principal = authenticate(found);
  if (principal instanceof Refusal) return errorResponse(principal);
  const { requestsPerMinute } = principal;
  const count = await coordinatorOf(request, principal).count(requestsPerMinute);
  request.setHeaders(rateHeaders(requestsPerMinute, count.resetSeconds));
  if (count.outcome === "limited") return errorResponse(rateLimited(count.resetSeconds));
  const answer = checkScope(principal, route.scope) ?? present(principal);
  return answer instanceof Refusal ? errorResponse(answer) : Response.json(serialize(route.answer, answer));
}

/** Validates the input; the data become the answer once it is known who asks. */
function loadData<Params, Parameters, Loaded>(
  route: ReadDeclaration<Params, Parameters, Loaded>,
  { tokenHash, services, ...asked }: PartnerRequest,
): Query<(principal: Principal) => object | Refusal> | Refusal {
  const params = validate(route.params, asked.params);
  if (params.refusal) return params.refusal;
  const query = validate(route.query, asked.query);
  if (query.refusal) return query.refusal;
  const input = { tokenHash, cursorKey: services.cursorKey, params: params.value, query: query.value };
  const load = route.load(input);
  if (load instanceof Refusal) return load;
  return mapped(load, (loaded) => (principal) => route.present(loaded, input, principal));
}

/**
 * A write: read, claim, write. Two trips to D1 and one to the coordinator; a large body costs one more, so that nobody
 * unknown makes the Worker decode it.
 */
export async function handleWrite<Params, Body, Preconditions>(
  route: WriteDeclaration<Params, Body, Preconditions>,
  request: PartnerRequest,
): Promise<Response> {
  const { services, tokenHash } = request;
  const preparation = await loadPreconditions(route, request);
  const [found, prepare] =
    preparation instanceof Refusal
      ? [await run(services.db, findAuthor(tokenHash)), () => preparation]
      : await batch(services.db, [findAuthor(tokenHash), preparation]);
  const author = authenticate(found);
  if (author instanceof Refusal) return errorResponse(author);
  const attempt = authorize(route, author, keyOf(request)) ?? prepare(author);
  const claimed = attempt instanceof Refusal || !isIdempotent(route) ? undefined : claimRequestOf(attempt);

  const { requestsPerMinute } = author;
  const acquired = await coordinatorOf(request, author).acquire(requestsPerMinute, claimed);
  request.setHeaders(rateHeaders(requestsPerMinute, acquired.resetSeconds));
  if (acquired.outcome === "limited") return errorResponse(rateLimited(acquired.resetSeconds));
  if (attempt instanceof Refusal) return errorResponse(attempt);
  const outcome =
    outcomeOfClaim(acquired.claim) ??
    (await perform(route, request, author, { ...attempt, claimed, claim: acquired.claim }));
  if (outcome instanceof Refusal) return errorResponse(outcome);
  const answer = serialize(route.answer, outcome.answer);
  if (outcome.isReplay) return Response.json({ ...answer, idempotent_replay: true });
  return Response.json(answer, { status: route.status ?? 201 });
}

/** Validates the input; the plan is made once it is known who asks and what stands in the database. */
async function loadPreconditions<Params, Body, Preconditions>(
  route: WriteDeclaration<Params, Body, Preconditions>,
  request: PartnerRequest,
): Promise<Query<(author: Author) => Attempt> | Refusal> {
  const { raw, tokenHash, services } = request;
  const params = validate(route.params, request.params);
  if (params.refusal) return params.refusal;
  const json = await readJson(raw, route.maximumBodyBytes, async () => {
    const author = authenticate(await run(services.db, findAuthor(tokenHash)));
    return author instanceof Refusal ? author : authorize(route, author, keyOf(request));
  });
  if (json.refusal) return json.refusal;
  const body = validate(route.body, json.value);
  if (body.refusal) return body.refusal;
  const origin = raw.headers.get("origin");
  const input = { tokenHash, key: keyOf(request), params: params.value, body: body.value, origin };
  // Of the canonical form only the hash is kept: it may hold an image.
  const bodyHash = isIdempotent(route) ? sha256Hex(canonicalize(json.value) ?? "") : "";
  return mapped(
    route.preconditions(input),
    (preconditions) => (principal) =>
      prepareAttempt(route, { ...input, services, principal }, preconditions, bodyHash),
  );
}

/** Under which identity a request does what. */
function prepareAttempt<Params, Body, Preconditions>(
  route: WriteDeclaration<Params, Body, Preconditions>,
  input: Omit<WriteContext<Params, Body>, "id" | "fingerprint">,
  preconditions: Preconditions,
  bodyHash: string,
): Attempt {
  const { key, params, principal } = input;
  const parts = ["post", route.path, params, route.fingerprintParts?.(preconditions), bodyHash];
  const context = {
    ...input,
    id: isIdempotent(route) ? derivedUuid(principal.organizationId, route.path, key) : crypto.randomUUID(),
    fingerprint: sha256Hex(JSON.stringify(parts)),
  };
  return {
    key,
    fingerprint: context.fingerprint,
    plan: route.plan(context, preconditions),
    existing: route.existing?.(preconditions) ?? null,
    findExisting: isIdempotent(route) ? route.findExisting(context) : null,
  };
}

/** An attempt with the claim that it asked for and what it got. */
interface ClaimedAttempt extends Attempt {
  claimed: ClaimRequest | undefined;
  claim: Claim;
}

/**
 * Executes an attempt, also when its caller has gone. A success completes the claim behind the answer; a failure gives
 * the key back before its answer leaves.
 */
function perform(
  route: Operation & { makesEvent?: boolean },
  request: PartnerRequest,
  author: Author,
  { claimed, claim, ...attempt }: ClaimedAttempt,
): Promise<Outcome> {
  const coordinator = coordinatorOf(request, author);
  const { key, fingerprint } = attempt;
  const release = async () => {
    if (claimed?.take) await coordinator.release(key, claimed.holder);
  };
  const performing = async (): Promise<Outcome> => {
    const outcome = await execute(request.services.db, attempt, claim.state === "fresh" && claim.waited);
    if (outcome instanceof Refusal) {
      await release().catch((error) => report({ failed: "release" }, error));
      return outcome;
    }
    const answer = serialize(route.answer, outcome.answer);
    if (claimed?.take) {
      request.waitUntil(coordinator.complete({ key, fingerprint, answer: JSON.stringify(answer) }));
    }
    if (route.makesEvent && !outcome.isReplay) request.waitUntil(enqueueDeliveries(request, author));
    return { ...outcome, answer };
  };
  const performed = performing().catch(async (error) => {
    await release().catch(() => {});
    throw error;
  });
  request.waitUntil(performed.catch(() => {}));
  return performed;
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

const keyOf = ({ raw }: PartnerRequest): string => raw.headers.get("idempotency-key") ?? "";

const isIdempotent = ({ idempotent }: { idempotent?: boolean }): boolean => idempotent ?? true;

/** Steps 8 to 11. */
function authorize(
  route: Pick<WriteDeclaration<unknown, unknown, unknown>, "scope" | "feature" | "idempotent">,
  author: Author,
  key: string,
): Refusal | undefined {
  const scope = checkScope(author, route.scope);
  if (scope) return scope;
  if (route.feature && !author.features.includes(route.feature)) return refuse("feature_disabled");
  if (!author.actorIsAdmin) return refuse("api_actor_unavailable");
  if (isIdempotent(route) && (key.length < 1 || key.length > limits.idempotencyKeyCharacters)) {
    return invalid(`Idempotency-Key is required (1-${limits.idempotencyKeyCharacters} characters)`);
  }
  return undefined;
}
