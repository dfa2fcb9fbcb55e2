import type * as z from "zod";
import type { FailureName, Refusal } from "../contract/refusal.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Context } from "../core/context.ts";
import type { LedgerEntry, NewEntry } from "../core/ledger/ledger.ts";
import type { Services } from "../core/services.ts";
import type { Query } from "../db/query.ts";
import type { Principal, TokenActor } from "../workspace/tokens/principal.ts";
import type { PartnerRequest } from "./partner-request.ts";

/** The properties of a route that the OpenAPI document describes and the pipeline enforces. */
export interface Operation {
  /** An OpenAPI template, such as `/api-v1/invoices/{id}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Null if any valid token is accepted. */
  scope: Scope | null;
  /** Scopes that a request may also need, depending on its parameters. */
  furtherScopes?: readonly Scope[];
  deprecated?: boolean;
  /** The two legacy routes ignore unknown query parameters. */
  ignoresUnknown?: true;
  /** The response schema. Every response is parsed with it. */
  answer: z.ZodType;
  answerDescription: string;
  /** A sample request body and response. A test checks them against their schemas. */
  examples: { body?: unknown; answer: unknown; dryRun?: object };
  /** Failures in addition to those that all routes share. */
  failures?: readonly FailureName[];
}

export interface ReadRequest<Params, Parameters> {
  /** SHA-256 of the bearer token. Queries find the organization by it in the same round trip. */
  tokenHash: string;
  params: Params;
  query: Parameters;
  headers: Headers;
  services: Services;
}

/** A read that waits until there is something to return (contract F6). */
export interface Wait<T> {
  /** The first query's result. */
  first: T;
  seconds: number;
  /** Whether to return this result. */
  isOver(found: T): boolean;
  /** Continues where the previous query ended. */
  look(found: T): Query<T>;
}

/** The caller, with the data that the read loaded. */
export interface Reader {
  principal: Principal;
  /** The minute of the token's previous call; null if this is the first. */
  lastUsedAt: string | null;
  /** Waits for data that the first query did not find (http/wait.ts). */
  wait<T>(wait: Wait<T>): Promise<T | Refusal>;
}

type ObjectSchema<T> = z.ZodObject & z.ZodType<T>;

/** Declares a read route. The types of its functions follow from its schemas. */
export interface ReadDeclaration<Params, Parameters, Data> extends Operation {
  contentTypes?: readonly string[];
  params?: ObjectSchema<Params>;
  query?: ObjectSchema<Parameters>;
  /** Queries the data, in one round trip with the principal. */
  load(request: ReadRequest<Params, Parameters>): Query<Data> | Refusal;
  /** Builds the response from the data. A Response (an image) is sent unchanged. */
  present(
    data: Data,
    request: ReadRequest<Params, Parameters>,
    reader: Reader,
  ): Presented | Promise<Presented>;
  /** Which of `furtherScopes` a request needs, decided from its parameters before they are validated. */
  neededScopes?(query: URLSearchParams): readonly Scope[];
}

export type Presented = object | Refusal | Response;

/** A write's validated input (http/write-input.ts). */
export interface WriteInput<Params, Body> {
  tokenHash: string;
  params: Params;
  body: Body;
  /** SHA-256 of the canonical body. */
  bodyHash: string;
  /** The Idempotency-Key, or the request's own id if there is none. */
  key: string;
  /** False for the legacy create, and for a dry run without a key. */
  hasKey: boolean;
  /** A dry run does not save anything. Only code with effects outside the database needs to check this. */
  isDry: boolean;
  /** The request's Origin header, or null. */
  origin: string | null;
}

/** A successful response. */
export interface Success {
  answer: object;
  /** Whether an earlier request, perhaps with another key, already got this response. */
  isReplay?: boolean;
  /** Whether the organization may have due webhook deliveries. */
  hasDueDeliveries?: boolean;
}

/** Does the decided work and records it in the ledger. */
export type Work = () => Promise<Success | Refusal>;

export interface WriteSettings {
  status: 200 | 201;
  /** False if the route does not accept an Idempotency-Key (only the legacy create). */
  idempotent: boolean;
  maximumBodyBytes: number;
}

/** A write route's functions. Its other options are declared separately. */
export interface WriteFunctions<Params, Body, Data> extends Operation {
  params?: ObjectSchema<Params>;
  body: z.ZodType<Body>;
  feature?: string;
  /** Whether null in an optional field is a 400 (for versions, where a missing field means unchanged). */
  refusesNulls?: true;
  /** The action that the audit log shows if the write succeeds. */
  action: string;
  /** Queries the data for the decision, in one round trip with the principal and the ledger. */
  load(input: WriteInput<Params, Body>): Query<Data>;
  /** What else identifies the request. For a send: the version number. */
  identifiedBy?(data: Data): unknown;
  /** Decides without I/O. Returns the work, or the outcome if there is nothing to do. */
  decide(
    context: Context<TokenActor, keyof Services, "name" | "currency" | "link_prefix">,
    input: WriteInput<Params, Body> & {
      /** Creates the request's ledger entry. */
      entry(subjectId: string, details?: Record<string, unknown>): NewEntry;
    },
    data: Data,
  ): Work | Success | Refusal;
  /** The fields of a dry run's response, if they differ from the normal response. */
  dryRunAnswer?: z.ZodType;
  /** Rebuilds the response from a ledger entry. Absent if the entry keeps the response unchanged. */
  answerOf?(text: string): object;
  /**
   * Rebuilds the response from the record after the entry's response was purged. Never called for requests without a
   * key.
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
