import type * as z from "zod";
import type { FailureName, Refusal } from "../contract/failures.ts";
import { limits } from "../contract/limits.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Query } from "../db/query.ts";
import type { Existing } from "../db/resource.ts";
import type { Authorship } from "../domain/authorship.ts";
import type { Plan } from "../domain/idempotency.ts";
import type { Author, Principal } from "../domain/principal.ts";
import { handleRead, handleWrite, type PartnerRequest } from "./pipeline.ts";
import type { Services } from "./services.ts";

/** What the OpenAPI document says of a route and what the pipeline enforces: one declaration for both. */
export interface Operation {
  /** OpenAPI template, e.g. `/api-v1/invoices/{id}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** null: any valid token will do. */
  scope: Scope | null;
  /** Scopes that a request may need beside it, by its parameters. */
  furtherScopes?: readonly Scope[];
  deprecated?: boolean;
  /** The two legacy routes: a query parameter that they do not know is no mistake. */
  ignoresUnknown?: true;
  /** The answer's schema; what leaves is parsed by it. */
  answer: z.ZodType;
  answerDescription: string;
  /** An example of a request body and of an answer; both are valid by their schemas (held by a test). */
  examples: { body?: unknown; answer: unknown };
  /** Failures beyond those that every route shares. */
  failures?: readonly FailureName[];
}

export interface ReadRequest<Params, Parameters> {
  /** SHA-256 of the bearer token: queries find their organization by it, in the same trip. */
  tokenHash: string;
  params: Params;
  query: Parameters;
  headers: Headers;
  services: Services;
}

/** What a read knows when it presents what it loaded. */
export interface ReadContext {
  principal: Principal;
  /** The minute of the token's last call before this one; null: there was none. */
  lastUsedAt: string | null;
}

type ObjectSchema<T> = z.ZodObject & z.ZodType<T>;

/** How a read route is declared: its input by schemas, from which the types of its functions follow. */
export interface ReadDeclaration<Params, Parameters, Loaded> extends Operation {
  contentTypes?: readonly string[];
  params?: ObjectSchema<Params>;
  query?: ObjectSchema<Parameters>;
  /** The data, read in one trip with the principal. */
  load(request: ReadRequest<Params, Parameters>): Query<Loaded> | Refusal;
  /** The answer that the data make; a Response leaves as it is (an image). */
  present(
    loaded: Loaded,
    request: ReadRequest<Params, Parameters>,
    context: ReadContext,
  ): Presented | Promise<Presented>;
  /** Those of `furtherScopes` that a request needs, read from its parameters before they are validated. */
  neededScopes?(query: URLSearchParams): readonly Scope[];
}

export type Presented = object | Refusal | Response;

interface WriteRequest<Params, Body> {
  tokenHash: string;
  /** The Idempotency-Key; empty where none is asked for. */
  key: string;
  params: Params;
  body: Body;
  /** The request's Origin header, null if it sent none. */
  origin: string | null;
}

/** What a write knows when it plans: who asks, and under which identity its row is made. */
export interface WriteContext<Params, Body> extends WriteRequest<Params, Body> {
  services: Services;
  principal: Author;
  /** Derived from organization, route and key: a retry after a crash meets its own row. */
  id: string;
  fingerprint: string;
}

interface WriteOptions {
  /** Of a success. */
  status: 200 | 201;
  /** false: the route takes no Idempotency-Key (the legacy create alone). */
  idempotent: boolean;
  maximumBodyBytes: number;
}

const writeDefaults: WriteOptions = { status: 201, idempotent: true, maximumBodyBytes: limits.bodyBytes };

/** How a write route is declared, beside its options. */
interface WriteFunctions<Params, Body, Preconditions> extends Operation {
  params?: ObjectSchema<Params>;
  body: z.ZodType<Body>;
  feature?: string;
  /** Whether a null is a 400 where a field may be absent (versions, where absent means unchanged). */
  refusesNulls?: true;
  /** What the plan needs to know; read in one trip with the principal. */
  preconditions(request: WriteRequest<Params, Body>): Query<Preconditions>;
  /** Further parts of the request's fingerprint (a send: the version number). */
  fingerprintParts?(preconditions: Preconditions): unknown;
  /** The record that an earlier attempt with this key made. */
  findExisting(context: WriteContext<Params, Body>): Query<Existing | null>;
  /** The same from the preconditions, for work that must not begin before this check (a send: no second mail). */
  existing?(preconditions: Preconditions): Existing | null;
  /** Decides without I/O: the work, or why it is refused. */
  plan(context: WriteContext<Params, Body>, preconditions: Preconditions): Plan;
  /** Whether its success is an event that webhooks tell of. */
  makesEvent?: boolean;
}

export type WriteDeclaration<Params, Body, Preconditions> = WriteOptions &
  WriteFunctions<Params, Body, Preconditions>;

interface Handled extends Operation {
  /** Of a success. */
  status: 200 | 201;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Of an answer that is not JSON. */
  contentTypes?: readonly string[];
  handle(request: PartnerRequest): Promise<Response>;
}

export interface ReadRoute extends Handled {
  kind: "read";
  method: "get";
}

export interface WriteRoute extends Handled, WriteOptions {
  kind: "write";
  method: "post";
  body: z.ZodType;
  feature?: string;
}

/** A route as the router and the OpenAPI document know it: what its functions take is closed over. */
export type Route = ReadRoute | WriteRoute;

export const read = <Params, Parameters, Loaded>(
  declared: ReadDeclaration<Params, Parameters, Loaded>,
): ReadRoute => ({
  ...declared,
  kind: "read",
  method: "get",
  status: 200,
  handle: (request) => handleRead(declared, request),
});

export const write = <Params, Body, Preconditions>(
  declared: WriteFunctions<Params, Body, Preconditions> & Partial<WriteOptions>,
): WriteRoute => {
  const route = { ...writeDefaults, ...declared };
  return { ...route, kind: "write", method: "post", handle: (request) => handleWrite(route, request) };
};

/** The identity under which a write makes its row. */
export const authorshipOf = ({ id, principal, fingerprint }: WriteContext<unknown, unknown>): Authorship => ({
  id,
  organizationId: principal.organizationId,
  actorId: principal.actorId,
  apiTokenId: principal.tokenId,
  fingerprint,
});
