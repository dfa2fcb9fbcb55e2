import type * as z from "zod";
import type { FailureName, Refusal } from "../contract/refusal.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Context } from "../core/context.ts";
import type { LedgerEntry, NewEntry, Recorded } from "../core/ledger/ledger.ts";
import type { Services } from "../core/services.ts";
import type { Query } from "../db/query.ts";
import type { Principal, TokenActor } from "../workspace/tokens/principal.ts";
import type { PartnerRequest } from "./partner-request.ts";

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
  /** The two legacy routes: a query parameter that they do not know is ignored. */
  ignoresUnknown?: true;
  /** The answer's schema; what leaves is parsed by it. */
  answer: z.ZodType;
  answerDescription: string;
  /** An example of a request body and of an answer; both are valid by their schemas (held by a test). */
  examples: { body?: unknown; answer: unknown; dryRun?: object };
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

/** Who reads what a read loaded. */
export interface Reader {
  principal: Principal;
  /** The minute of the token's last call before this one; null: there was none. */
  lastUsedAt: string | null;
}

type ObjectSchema<T> = z.ZodObject & z.ZodType<T>;

/** How a read route is declared: its input by schemas, from which the types of its functions follow. */
export interface ReadDeclaration<Params, Parameters, Data> extends Operation {
  contentTypes?: readonly string[];
  params?: ObjectSchema<Params>;
  query?: ObjectSchema<Parameters>;
  /** The data, read in one trip with the principal. */
  load(request: ReadRequest<Params, Parameters>): Query<Data> | Refusal;
  /** The answer that the data make; a Response leaves as it is (an image). */
  present(
    data: Data,
    request: ReadRequest<Params, Parameters>,
    reader: Reader,
  ): Presented | Promise<Presented>;
  /** Those of `furtherScopes` that a request needs, read from its parameters before they are validated. */
  neededScopes?(query: URLSearchParams): readonly Scope[];
}

export type Presented = object | Refusal | Response;

/** A write's input, once it is valid. */
interface WriteRequest<Params, Body> {
  tokenHash: string;
  /** The Idempotency-Key; the request's own id where it has none. */
  key: string;
  params: Params;
  body: Body;
  /** The request's Origin header, null if it sent none. */
  origin: string | null;
}

/** The same when it is decided. */
interface DecidedRequest<Params, Body> extends WriteRequest<Params, Body> {
  /** Nothing of the work is kept: only what leaves the database needs to know. */
  isDry: boolean;
  /** The entry of this request in the ledger. */
  entry(subjectId: string, details?: Record<string, unknown>): NewEntry;
}

/** Does what was decided and records it in the ledger, or refuses. */
export type Work = () => Promise<(Recorded<object> & { isReplay?: true }) | Refusal>;

/** The answer that an earlier request got, under whichever key. */
export interface Replay {
  replay: object;
}

export interface WriteSettings {
  /** Of a success. */
  status: 200 | 201;
  /** false: the route takes no Idempotency-Key (only the legacy create). */
  idempotent: boolean;
  maximumBodyBytes: number;
}

/** How a write route is declared, beside its options. */
export interface WriteFunctions<Params, Body, Data> extends Operation {
  params?: ObjectSchema<Params>;
  body: z.ZodType<Body>;
  feature?: string;
  /** Whether a null is a 400 where a field may be absent (versions, where absent means unchanged). */
  refusesNulls?: true;
  /** What the audit log calls its success. */
  action: string;
  /** What the decision needs to know; read in one trip with the principal and the ledger. */
  load(request: WriteRequest<Params, Body>): Query<Data>;
  /** What else identifies the request (a send: the version number). */
  identifiedBy?(data: Data): unknown;
  /** Decides without I/O: the work, why it is refused, or the answer that it got before. */
  decide(
    context: Context<TokenActor, keyof Services, "name" | "currency">,
    request: DecidedRequest<Params, Body>,
    data: Data,
  ): Work | Refusal | Replay;
  /** What a dry run answers, where that is not the answer's own fields. */
  dryRunAnswer?: z.ZodType;
  /** The answer out of an entry of the ledger; without it, the entry keeps the answer as it left. */
  answerOf?(text: string): object;
  /** The same from the record, where its entry has dropped the answer. Only a request without a key never asks. */
  recall?(organizationId: string, entry: LedgerEntry): Query<object | null>;
}

export type WriteDeclaration<Params, Body, Data> = WriteSettings & WriteFunctions<Params, Body, Data>;

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

export interface WriteRoute extends Handled, WriteSettings {
  kind: "write";
  method: "post";
  body: z.ZodType;
  feature?: string;
  dryRunAnswer?: z.ZodType;
}

/** A route as the router and the OpenAPI document know it: what its functions take is closed over. */
export type Route = ReadRoute | WriteRoute;
