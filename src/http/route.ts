import type * as z from "zod";
import type { FailureName, Refusal } from "../contract/refusal.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Context } from "../core/context.ts";
import type { LedgerEntry, NewEntry, Recorded } from "../core/ledger/ledger.ts";
import type { Services } from "../core/services.ts";
import type { Query } from "../db/query.ts";
import type { Principal, TokenActor } from "../workspace/tokens/principal.ts";
import type { PartnerRequest } from "./partner-request.ts";
import type { Wait } from "./wait.ts";

/** What the OpenAPI document says about a route, and what the pipeline enforces. */
export interface Operation {
  /** OpenAPI template, e.g. `/api-v1/invoices/{id}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** null: any valid token. */
  scope: Scope | null;
  /** Scopes that a request may also need, depending on its parameters. */
  furtherScopes?: readonly Scope[];
  deprecated?: boolean;
  /** The two legacy routes ignore unknown query parameters. */
  ignoresUnknown?: true;
  /** The response's schema; every response is parsed by it. */
  answer: z.ZodType;
  answerDescription: string;
  /** Examples of a request body and a response; a test checks that both match their schemas. */
  examples: { body?: unknown; answer: unknown; dryRun?: object };
  /** Failures besides those that all routes share. */
  failures?: readonly FailureName[];
}

export interface ReadRequest<Params, Parameters> {
  /** SHA-256 of the bearer token: queries find their organization by it, in the same round trip. */
  tokenHash: string;
  params: Params;
  query: Parameters;
  headers: Headers;
  services: Services;
}

/** The caller, with the data that the read loaded. */
export interface Reader {
  principal: Principal;
  /** The minute of the token's previous call; null if there was none. */
  lastUsedAt: string | null;
  /** Waits for data that the first query did not find (http/wait.ts). */
  wait<T>(wait: Wait<T>): Promise<T | Refusal>;
}

type ObjectSchema<T> = z.ZodObject & z.ZodType<T>;

/** How a read route is declared; its schemas give its functions their types. */
export interface ReadDeclaration<Params, Parameters, Data> extends Operation {
  contentTypes?: readonly string[];
  params?: ObjectSchema<Params>;
  query?: ObjectSchema<Parameters>;
  /** The data, read in one round trip with the principal. */
  load(request: ReadRequest<Params, Parameters>): Query<Data> | Refusal;
  /** Builds the response from the data; a Response (an image) is sent as it is. */
  present(
    data: Data,
    request: ReadRequest<Params, Parameters>,
    reader: Reader,
  ): Presented | Promise<Presented>;
  /** Which of `furtherScopes` a request needs, judged by its parameters before they are validated. */
  neededScopes?(query: URLSearchParams): readonly Scope[];
}

export type Presented = object | Refusal | Response;

/** A write's validated input. */
interface WriteRequest<Params, Body> {
  tokenHash: string;
  /** The Idempotency-Key, or the request's own id if there is none. */
  key: string;
  params: Params;
  body: Body;
  /** The request's Origin header; null if it sent none. */
  origin: string | null;
}

/** A write's request while it is decided. */
interface DecidedRequest<Params, Body> extends WriteRequest<Params, Body> {
  /** A dry run saves nothing; only code with effects outside the database needs to check this. */
  isDry: boolean;
  /** Creates the request's ledger entry. */
  entry(subjectId: string, details?: Record<string, unknown>): NewEntry;
}

/** Does the decided work and records it in the ledger, or refuses it. */
export type Work = () => Promise<(Recorded<object> & { isReplay?: true }) | Refusal>;

/** The response to an earlier request, under whichever key. */
export interface Replay {
  replay: object;
}

export interface WriteSettings {
  /** The status of a success. */
  status: 200 | 201;
  /** false: the route takes no Idempotency-Key (only the legacy create). */
  idempotent: boolean;
  maximumBodyBytes: number;
}

/** How a write route is declared, besides its options. */
export interface WriteFunctions<Params, Body, Data> extends Operation {
  params?: ObjectSchema<Params>;
  body: z.ZodType<Body>;
  feature?: string;
  /** Whether null is a 400 for an optional field (versions, where absent means unchanged). */
  refusesNulls?: true;
  /** The action that the audit log shows for a success. */
  action: string;
  /** The data for the decision, read in one round trip with the principal and the ledger. */
  load(request: WriteRequest<Params, Body>): Query<Data>;
  /** What else identifies the request; for a send, the version number. */
  identifiedBy?(data: Data): unknown;
  /** Decides without I/O: the work, a refusal, or the earlier response. */
  decide(
    context: Context<TokenActor, keyof Services, "name" | "currency" | "link_prefix">,
    request: DecidedRequest<Params, Body>,
    data: Data,
  ): Work | Refusal | Replay;
  /** The fields of a dry run's response, if they differ from the response's own. */
  dryRunAnswer?: z.ZodType;
  /** Rebuilds the response from a ledger entry; absent if the entry keeps the response as it was sent. */
  answerOf?(text: string): object;
  /**
   * Rebuilds the response from the record once the entry has dropped it. Only requests without a key never call it.
   */
  recall?(organizationId: string, entry: LedgerEntry): Query<object | null>;
}

export type WriteDeclaration<Params, Body, Data> = WriteSettings & WriteFunctions<Params, Body, Data>;

interface Handled extends Operation {
  status: 200 | 201;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** The content type of a response other than JSON. */
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

/** A route without the types of its functions, for the router and the OpenAPI document. */
export type Route = ReadRoute | WriteRoute;
