import type * as z from "zod";
import type { FailureName, Refusal } from "../contract/failures.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Query } from "../db/query.ts";
import type { Authorship } from "../domain/authorship.ts";
import type { Author, Principal } from "../domain/principal.ts";
import type { Recalled } from "../domain/recall.ts";
import type { Unrecorded } from "../domain/unrecorded.ts";
import type { Services } from "./services.ts";

/** What the OpenAPI document says of a route and what the pipeline enforces: one declaration for both. */
export interface Operation {
  method: "get" | "post";
  /** OpenAPI template, e.g. `/api-v1/invoices/{id}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  scope: Scope;
  deprecated?: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The answer's schema; what leaves is parsed by it. */
  answer: z.ZodType;
  answerDescription: string;
  /** An example of a request body and of an answer; both are valid by their schemas (held by a test). */
  examples: { body?: unknown; answer: unknown };
  /** Failures beyond those that every route shares. */
  failures?: readonly FailureName[];
}

export interface ReadRequest<Params = unknown, Parameters = unknown> {
  /** SHA-256 of the bearer token: queries find their organization by it, in the same trip. */
  tokenHash: string;
  /** Makes and checks cursors; secret. */
  cursorKey: string;
  params: Params;
  query: Parameters;
}

export interface ReadRoute extends Operation {
  kind: "read";
  /** The data, read in one trip with the principal. */
  load(request: ReadRequest): Query<unknown> | Refusal;
  /** The answer that the data make. */
  present(loaded: unknown, request: ReadRequest, principal: Principal): object | Refusal;
}

export interface WriteRequest<Params = unknown, Body = unknown> {
  tokenHash: string;
  /** The Idempotency-Key; empty where none is asked for. */
  key: string;
  params: Params;
  body: Body;
  /** The request's Origin header, null if it sent none. */
  origin: string | null;
}

/** What a write knows when it decides: who asks, and under which identity its row is made. */
export interface WriteContext<Params = unknown, Body = unknown> extends WriteRequest<Params, Body> {
  services: Services;
  principal: Author;
  /** Derived from organization, route and key: a retry after a crash meets its own row. */
  id: string;
  fingerprint: string;
}

/** The work of a write. */
export type Work = () => Promise<object | Refusal | Unrecorded>;

export interface WriteRoute extends Operation {
  kind: "write";
  body: z.ZodType;
  status: 200 | 201;
  /** The legacy create route alone has no Idempotency-Key. */
  idempotent: boolean;
  feature?: string;
  maximumBodyBytes: number;
  /** What the decision needs to know; read in one trip with the principal. */
  facts(request: WriteRequest): Query<unknown>;
  /** What else makes this request this request (a send: the version number). */
  distinguish?(facts: unknown): unknown;
  /** The row of an earlier attempt with this key. */
  recall(context: WriteContext): Query<Recalled | null>;
  /** The same from the facts, where the work must not begin without having looked (a send: no second mail). */
  earlier?(facts: unknown): Recalled | null;
  /** Judges without I/O, and returns the work or the refusal. */
  decide(context: WriteContext, facts: unknown): Refusal | Work;
  /** Writes the row behind an unrecorded answer, or leaves the one that is there. */
  record?(context: WriteContext, answer: object): Promise<unknown>;
  /** Whether its success is an event that webhooks wait for. */
  makesEvent?: boolean;
}

export type Route = ReadRoute | WriteRoute;

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Declares a read route; types flow from its schemas to its query. */
export const read = <
  Loaded,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
>(
  route: Omit<Operation, "method" | "body" | "params" | "query"> & {
    params?: P;
    query?: Q;
    load(request: ReadRequest<Parsed<P>, Parsed<Q>>): Query<Loaded> | Refusal;
    present(
      loaded: Loaded,
      request: ReadRequest<Parsed<P>, Parsed<Q>>,
      principal: Principal,
    ): object | Refusal;
  },
): ReadRoute => ({ ...route, method: "get", kind: "read" }) as unknown as ReadRoute;

/** Declares a write route; types flow from its schemas and facts to its decision. */
export const write = <B extends z.ZodType, F, P extends z.ZodObject | undefined = undefined>(
  route: Omit<Operation, "method" | "body" | "params" | "query"> & {
    params?: P;
    body: B;
    status?: 200 | 201;
    idempotent?: boolean;
    feature?: string;
    maximumBodyBytes: number;
    facts(request: WriteRequest<Parsed<P>, z.output<B>>): Query<F>;
    distinguish?(facts: F): unknown;
    recall(context: WriteContext<Parsed<P>, z.output<B>>): Query<Recalled | null>;
    earlier?(facts: F): Recalled | null;
    decide(context: WriteContext<Parsed<P>, z.output<B>>, facts: F): Refusal | Work;
    record?(context: WriteContext<Parsed<P>, z.output<B>>, answer: object): Promise<unknown>;
    makesEvent?: boolean;
  },
): WriteRoute =>
  ({ status: 201, idempotent: true, ...route, method: "post", kind: "write" }) as unknown as WriteRoute;

/** The identity under which a write makes its row. */
export const authorshipOf = ({ id, principal, fingerprint }: WriteContext<unknown, unknown>): Authorship => ({
  id,
  organizationId: principal.organizationId,
  actorId: principal.actorId,
  fingerprint,
});
