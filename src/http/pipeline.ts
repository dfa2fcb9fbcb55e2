import canonicalize from "canonicalize";
import { invalid, Refusal, refuse } from "../contract/failures.ts";
import { characters } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import type { Scope } from "../contract/scopes.ts";
import { batch, mapped, type Query, run } from "../db/query.ts";
import { type Attempt, claimRequestOf, outcomeOfClaim } from "../domain/idempotency.ts";
import { type Author, findAuthor, findPrincipal, type Principal } from "../domain/principal.ts";
import { derivedUuid, equalInConstantTime, sha256Hex } from "../platform/digest.ts";
import { note, timed } from "../platform/log.ts";
import { executeClaimed } from "./execute-claimed.ts";
import { coordinatorOf, count, windowOf } from "./rate-window.ts";
import { isLargeBody, readBody, withoutNulls } from "./read-body.ts";
import { errorResponse, rateLimited, windowHeaders } from "./responses.ts";
import type { Presented, ReadContext, ReadDeclaration, WriteContext, WriteDeclaration } from "./route.ts";
import { forgetToken, isKnownToken, isLimited, lacksScope, rememberToken, takeLargeBody } from "./senders.ts";
import { serialize } from "./serialize.ts";
import type { Services } from "./services.ts";
import { countUnknownSender } from "./unknown-senders.ts";
import { validate, validateQuery } from "./validate.ts";

/**
 * The way of every request (CONTRACT 1, steps 4 to 14): authenticate, count, authorize, validate, answer. The first
 * refusal wins. Steps 1 to 3 are the router's (http/app.ts); what makes a write happen once is domain/idempotency.ts.
 */
export interface PartnerRequest {
  raw: Request;
  params: unknown;
  /** SHA-256 of the bearer token. */
  tokenHash: string;
  /** Of the sender; empty where the platform names none. */
  address: string;
  services: Services;
  /** Keeps work alive behind the answer, also when the caller has gone. */
  waitUntil(work: Promise<unknown>): void;
  /** Headers of the answer, whatever it will be: an unexpected error's too. */
  setHeaders(headers: Record<string, string>): void;
}

/** How the token begins: what lists of tokens show of it. */
const prefixOf = ({ raw }: PartnerRequest): string => {
  const bearer = raw.headers.get("authorization") ?? "";
  return bearer.slice("Bearer ".length, "Bearer ".length + limits.tokenPrefixCharacters);
};

const bearerPattern = /^Bearer (svc_[a-f0-9]{36})$/;

/** Steps 4 and 5 before any lookup: the gateway's key, then the strict form of the token; answers its SHA-256. */
export function identify(headers: Headers, gatewayPublicKey: string): string | Refusal {
  const apikey = headers.get("apikey") ?? "";
  // Two, with a comma between them, while partners move to the new one.
  const keys = gatewayPublicKey.split(",").filter((key) => key.trim() !== "");
  if (!keys.some((key) => equalInConstantTime(apikey, key.trim()))) return refuse("invalid_apikey");
  const token = bearerPattern.exec(headers.get("authorization") ?? "")?.[1];
  return token ? sha256Hex(token) : refuse("invalid_token");
}

/** Steps 5 and 6: the token is known and its organization has API access. */
function authenticate<P extends Principal>(principal: P | null, request: PartnerRequest): P | Refusal {
  if (!principal) {
    forgetToken(request.tokenHash);
    request.waitUntil(countUnknownSender(request.services, request.address));
    return refuse("invalid_token");
  }
  rememberToken(request.tokenHash, { organizationId: principal.organizationId, scopes: principal.scopes });
  note({ organization_id: principal.organizationId, token_prefix: prefixOf(request) });
  request.setHeaders(windowHeaders(principal.requestsPerMinute));
  return principal.hasApiAccess ? principal : refuse("api_access_required");
}

/** Step 8. */
function checkScopes(principal: Principal, needed: readonly (Scope | null)[]): Refusal | undefined {
  const missing = needed.find((scope) => scope !== null && !principal.scopes.includes(scope));
  return missing ? refuse("insufficient_scope", { required_scope: missing }) : undefined;
}

/** A read: one trip to D1 for the principal and the data, one to the coordinator. */
export async function handleRead<Params, Parameters, Loaded>(
  route: ReadDeclaration<Params, Parameters, Loaded>,
  request: PartnerRequest,
): Promise<Response> {
  const { services, tokenHash } = request;
  const data = loadData(route, request);
  // A request that will be refused reads no data. If its full window has room after all, the data are read afterwards.
  const isPostponed =
    data instanceof Refusal || isLimited(tokenHash, Date.now()) || lacksScope(tokenHash, route.scope);
  const [found, loaded] = isPostponed
    ? [await run(services.db, findPrincipal(tokenHash)), undefined]
    : await batch(services.db, [findPrincipal(tokenHash), data]);
  const principal = authenticate(found, request);
  if (principal instanceof Refusal) return errorResponse(principal);
  const counted = await count(request, principal);
  if (counted instanceof Refusal) return errorResponse(counted);
  const refusal = checkScopes(principal, [
    route.scope,
    ...(route.neededScopes?.(new URL(request.raw.url).searchParams) ?? []),
  ]);
  if (refusal) return errorResponse(refusal);
  if (data instanceof Refusal) return errorResponse(data);
  const present = loaded ?? (await run(services.db, data));
  const answer = await present({ principal, lastUsedAt: counted.lastUsedAt });
  if (answer instanceof Response) return answer;
  return answer instanceof Refusal ? errorResponse(answer) : Response.json(serialize(route.answer, answer));
}

/** Validates the input; the data become the answer once it is known who asks. */
function loadData<Params, Parameters, Loaded>(
  route: ReadDeclaration<Params, Parameters, Loaded>,
  { tokenHash, services, raw, ...asked }: PartnerRequest,
): Query<(context: ReadContext) => Presented | Promise<Presented>> | Refusal {
  const params = validate(route.params, asked.params);
  if (params.refusal) return params.refusal;
  const query = validateQuery(route, raw.url);
  if (query.refusal) return query.refusal;
  const { headers } = raw;
  const input = { tokenHash, services, headers, params: params.value, query: query.value };
  const load = route.load(input);
  if (load instanceof Refusal) return load;
  return mapped(load, (loaded) => (context) => route.present(loaded, input, context));
}

/**
 * A write: read, claim, write. Two trips to D1 and one to the coordinator. Its body is read only when its sender is
 * known: a token that is new to this isolate costs one trip more, a large body another one to the coordinator.
 */
export async function handleWrite<Params, Body, Preconditions>(
  route: WriteDeclaration<Params, Body, Preconditions>,
  request: PartnerRequest,
): Promise<Response> {
  const sender = await checkSender(route, request);
  if (sender instanceof Refusal) return errorResponse(sender);
  try {
    return await writeForSender(route, request, sender.isCounted);
  } finally {
    sender.release?.();
  }
}

/** What is known of a sender before the body is read. */
interface Sender {
  /** Whether the request was counted already. */
  isCounted: boolean;
  /** Gives back the room of a large body. */
  release?: () => void;
}

async function checkSender(
  route: Authorizable & { maximumBodyBytes: number },
  request: PartnerRequest,
): Promise<Sender | Refusal> {
  const { tokenHash, raw, services } = request;
  const isLarge = isLargeBody(raw);
  const isOverWindow = isLimited(tokenHash, Date.now());
  if (isKnownToken(tokenHash) && !isLarge && !isOverWindow) return { isCounted: false };
  const author = authenticate(await run(services.db, findAuthor(tokenHash)), request);
  if (author instanceof Refusal) return author;
  const refusal = authorize(route, author, keyOf(request));
  if (!refusal && !isLarge && !isOverWindow) return { isCounted: false };
  const counted = await count(request, author);
  const refused = counted instanceof Refusal ? counted : refusal;
  if (refused) return refused;
  if (!isLarge) return { isCounted: true };
  const release = takeLargeBody(author.organizationId);
  return release ? { isCounted: true, release } : rateLimited(largeBodyRetrySeconds);
}

/** By then one of the other large bodies has usually been taken in. */
const largeBodyRetrySeconds = 1;

async function writeForSender<Params, Body, Preconditions>(
  route: WriteDeclaration<Params, Body, Preconditions>,
  request: PartnerRequest,
  isCounted: boolean,
): Promise<Response> {
  const { services, tokenHash } = request;
  const preparation = await loadPreconditions(route, request);
  const [found, prepare] =
    preparation instanceof Refusal
      ? [await run(services.db, findAuthor(tokenHash)), () => preparation]
      : await batch(services.db, [findAuthor(tokenHash), preparation]);
  const author = authenticate(found, request);
  if (author instanceof Refusal) return errorResponse(author);
  const attempt = authorize(route, author, keyOf(request)) ?? prepare(author);
  const claimed = attempt instanceof Refusal || !route.idempotent ? undefined : claimRequestOf(attempt);

  const ceiling = isCounted ? null : author.requestsPerMinute;
  const acquiring = coordinatorOf(request, author).acquire(ceiling, author.tokenId, claimed);
  const { claim, ...counted } = await timed("gate_ms", acquiring);
  const limited = windowOf(request, author, counted);
  if (limited) return errorResponse(limited);
  if (attempt instanceof Refusal) return errorResponse(attempt);
  const outcome =
    outcomeOfClaim(claim) ?? (await executeClaimed(route, request, author, { ...attempt, claimed, claim }));
  if (outcome instanceof Refusal) return errorResponse(outcome);
  const answer = serialize(route.answer, outcome.answer);
  if (outcome.isReplay) {
    note({ replay: true });
    return Response.json({ ...answer, idempotent_replay: true });
  }
  return Response.json(answer, { status: route.status });
}

/** Validates the input; the plan is made once it is known who asks and what stands in the database. */
async function loadPreconditions<Params, Body, Preconditions>(
  route: WriteDeclaration<Params, Body, Preconditions>,
  request: PartnerRequest,
): Promise<Query<(author: Author) => Attempt> | Refusal> {
  const { raw, tokenHash, services } = request;
  const params = validate(route.params, request.params);
  if (params.refusal) return params.refusal;
  const query = validateQuery({ ignoresUnknown: route.ignoresUnknown }, raw.url);
  if (query.refusal) return query.refusal;
  const json = await readBody(raw, route);
  if (json.refusal) return json.refusal;
  const given = route.refusesNulls ? json.value : withoutNulls(route.body, json.value);
  const body = validate(route.body, given);
  if (body.refusal) return body.refusal;
  const origin = raw.headers.get("origin");
  const input = { tokenHash, key: keyOf(request), params: params.value, body: body.value, origin };
  // Of the canonical form only the hash is kept: it may hold an image.
  const bodyHash = route.idempotent ? sha256Hex(canonicalize(given) ?? "") : "";
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
    id: route.idempotent ? derivedUuid(principal.organizationId, route.path, key) : crypto.randomUUID(),
    fingerprint: sha256Hex(JSON.stringify(parts)),
  };
  return {
    key,
    fingerprint: context.fingerprint,
    plan: route.plan(context, preconditions),
    existing: route.existing?.(preconditions) ?? null,
    findExisting: route.idempotent ? route.findExisting(context) : null,
  };
}

const keyOf = ({ raw }: PartnerRequest): string => raw.headers.get("idempotency-key") ?? "";

type Authorizable = Pick<WriteDeclaration<unknown, unknown, unknown>, "scope" | "feature" | "idempotent">;

/** Steps 8 to 11. */
function authorize(route: Authorizable, author: Author, key: string): Refusal | undefined {
  const scope = checkScopes(author, [route.scope]);
  if (scope) return scope;
  if (route.feature && !author.features.includes(route.feature)) return refuse("feature_disabled");
  if (!author.actorIsAdmin) return refuse("api_actor_unavailable");
  return route.idempotent ? refuseKey(key) : undefined;
}

/** Step 11. Bytes that are no UTF-8 arrive as replacement characters: keys that differ in them would be one key. */
function refuseKey(key: string): Refusal | undefined {
  if (key === "" || characters(key) > limits.idempotencyKeyCharacters)
    return invalid(`Idempotency-Key is required (1-${limits.idempotencyKeyCharacters} characters)`);
  return key.includes("\uFFFD") ? invalid("Idempotency-Key must be ASCII or UTF-8 text") : undefined;
}
