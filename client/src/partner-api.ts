import type {
  BodyOf,
  FeedEvent,
  FeedQuery,
  Item,
  ListPath,
  PathValues,
  QueryOf,
  ReadPath,
  Record200,
  Rehearsed,
  SyncPath,
  WritePath,
  Written,
} from "./contract.ts";
import {
  type CatchUpOptions,
  catchUp,
  type FeedPage,
  type Following,
  type FollowOptions,
  follow,
  type Verify,
} from "./follow.ts";
import { Listing, type Page } from "./listing.ts";
import { type Dated, type SyncOptions, sync } from "./sync.ts";
import {
  type Call,
  type ConnectionOptions,
  type RequestOptions,
  sendForJson,
  sendForStream,
} from "./transport.ts";
import { type DeliveryHeaders, verifyDelivery, verifyLegacyDelivery } from "./webhooks.ts";

const needed = ["baseUrl", "apikey", "token"] as const;
type Needed = (typeof needed)[number];

/** Options can be environment variables. An unset one throws a TypeError. */
export interface PartnerApiOptions
  extends Omit<ConnectionOptions, Needed>,
    Record<Needed, string | undefined> {
  /** The `whsec_…` secret of your endpoint; two while you rotate it. */
  webhookSecret?: string | readonly string[] | undefined;
}

function connectionOf(options: PartnerApiOptions): ConnectionOptions {
  const { baseUrl, apikey, token } = options;
  if (baseUrl === undefined || apikey === undefined || token === undefined)
    throw new TypeError(`${needed.find((name) => options[name] === undefined)} is missing`);
  return { ...options, baseUrl, apikey, token };
}

export interface WriteOptions extends RequestOptions {
  /** Identifies this piece of work. Default: a new UUID per call, which its retries repeat. */
  idempotencyKey?: string;
  dryRun?: false;
}

/** Validates a write without doing it: throws the errors of the real write, and returns what it would create. */
export interface DryRunOptions extends RequestOptions {
  /**
   * The dry run does not use up the key. If an earlier call has used the key, this one counts as a retry. Default:
   * none.
   */
  idempotencyKey?: string;
  dryRun: true;
}

export type PartnerApi = ReturnType<typeof partnerApi>;

/** Creates a client of the partner API, with a property per resource. Amounts are decimals; dates are strings. */
export function partnerApi(options: PartnerApiOptions) {
  const { read, list, write, stream, copy, readFeed } = callers(connectionOf(options));
  const secrets = () => {
    if (options.webhookSecret === undefined) throw new TypeError("webhookSecret is missing");
    return options.webhookSecret;
  };
  const verify: Verify = async (rawBody, headers) => verifyDelivery(rawBody, headers, secrets());
  return {
    clients: {
      list: list("/api-v1/clients"),
      get: read("/api-v1/clients/{id}"),
      create: write("/api-v1/clients"),
      sync: copy("/api-v1/clients"),
    },
    projects: {
      list: list("/api-v1/projects"),
      get: read("/api-v1/projects/{id}"),
      create: write("/api-v1/projects"),
      sync: copy("/api-v1/projects"),
    },
    timeEntries: {
      list: list("/api-v1/time-entries"),
      get: read("/api-v1/time-entries/{id}"),
      create: write("/api-v1/time-entries"),
      sync: copy("/api-v1/time-entries"),
    },
    invoices: {
      list: list("/api-v1/invoices"),
      get: read("/api-v1/invoices/{id}"),
      create: write("/api-v1/invoices"),
      sync: copy("/api-v1/invoices"),
    },
    deliverables: {
      list: list("/api-v1/deliverables"),
      get: read("/api-v1/deliverables/{id}"),
      create: write("/api-v1/deliverables"),
      sync: copy("/api-v1/deliverables"),
      listVersions: list("/api-v1/deliverables/{id}/versions"),
      getVersion: read("/api-v1/deliverables/{id}/versions/{n}"),
      /** The raw response. Its body is the image, and its ETag is the image's hash. */
      getImage: stream("/api-v1/deliverables/{id}/versions/{n}/image"),
      createVersion: write("/api-v1/deliverables/{id}/versions"),
      send: write("/api-v1/deliverables/{id}/send"),
      listFeedback: list("/api-v1/deliverables/{id}/feedback"),
      getSignOff: read("/api-v1/deliverables/{id}/sign-off"),
    },
    events: {
      /** The events of the last 30 days, in the feed's order. Continue later from a page's `latest_cursor`. */
      list: (query?: FeedQuery, options?: RequestOptions): Listing<FeedEvent, FeedPage> =>
        new Listing((cursor) =>
          readFeed(cursor === undefined ? { ...query } : { ...query, cursor }, options),
        ),
      /** Handles each event exactly once until it is stopped. */
      follow: <T>(what: FollowOptions<T>): Following => follow(readFeed, verify, what),
      /** Handles each event up to now exactly once, and returns. */
      catchUp: <T>(what: CatchUpOptions<T>): Promise<void> => catchUp(readFeed, what),
    },
    /** This token's identity and scopes. */
    token: { get: read("/api-v1/token") },
    /** This token's requests from the last 7 days, newest first. */
    requests: { list: list("/api-v1/requests") },
    scopeRequests: { ingest: write("/api-ingest-request") },
    webhooks: {
      /** Returns the event of a delivery, or throws a WebhookVerificationError. */
      verify,
      /** The same for `X-Svc-Signature`. It has no timestamp, so a replayed delivery passes too. */
      verifyLegacy: async (rawBody: string | Uint8Array, headers: DeliveryHeaders) =>
        verifyLegacyDelivery(rawBody, headers, secrets()),
    },
  };
}

/** A write, with an overload for its dry run. */
interface Write<P extends WritePath> {
  (...values: [...PathValues<P>, body: BodyOf<P>, options: DryRunOptions]): Promise<Rehearsed<P>>;
  (...values: [...PathValues<P>, ...BodyThenOptions<P>]): Promise<Written<P>>;
}

/** A body without required fields may be omitted. */
type BodyThenOptions<P extends WritePath> =
  object extends BodyOf<P>
    ? [body?: BodyOf<P>, options?: WriteOptions]
    : [body: BodyOf<P>, options?: WriteOptions];

/** Creates the methods. Each takes the values of its path, then a query or body, then options. */
function callers(connection: ConnectionOptions) {
  const json = <T extends object>(call: Call): Promise<T> => sendForJson<T>(connection, call);

  return {
    readFeed: (query: FeedQuery, options?: RequestOptions): Promise<FeedPage> =>
      json({ ...options, method: "GET", path: "/api-v1/events", query: { ...query } }),
    read:
      <P extends ReadPath>(path: P) =>
      (...values: [...PathValues<P>, options?: RequestOptions]): Promise<Record200<P>> => {
        const { filled, rest } = fill(path, values);
        return json({ ...(rest[0] as RequestOptions), method: "GET", path: filled });
      },
    stream:
      <P extends ReadPath>(path: P) =>
      (...values: [...PathValues<P>, options?: RequestOptions]): Promise<Response> => {
        const { filled, rest } = fill(path, values);
        return sendForStream(connection, { ...(rest[0] as RequestOptions), method: "GET", path: filled });
      },
    list:
      <P extends ListPath>(path: P) =>
      (...values: [...PathValues<P>, query?: QueryOf<P>, options?: RequestOptions]): Listing<Item<P>> => {
        const { filled, rest } = fill(path, values);
        const [query, options] = rest as [QueryOf<P>?, RequestOptions?];
        return new Listing((cursor) =>
          json<Page<Item<P>>>({
            ...options,
            method: "GET",
            path: filled,
            query: { ...query, ...(cursor === undefined ? {} : { cursor }) },
          }),
        );
      },
    copy:
      <P extends SyncPath>(path: P) =>
      <T>(what: SyncOptions<Item<P>, T>): Promise<void> =>
        sync(
          path,
          (query, options) =>
            json<Page<Item<P> & Dated>>({ ...options, method: "GET", path, query: { ...query } }),
          what,
        ),
    write:
      <P extends WritePath>(path: P): Write<P> =>
      (...values: readonly unknown[]) => {
        const { filled, rest } = fill(path, values);
        const [body = {}, options = {}] = rest as [BodyOf<P>?, (WriteOptions | DryRunOptions)?];
        const { dryRun, idempotencyKey, ...others } = options;
        const call = { ...others, method: "POST", path: filled, body } as const;
        if (dryRun) return json<never>({ ...call, idempotencyKey, query: { dry_run: true } });
        return json<never>({ ...call, idempotencyKey: idempotencyKey ?? crypto.randomUUID() });
      },
  };
}

/** Fills in the values of a path and returns the remaining arguments. */
function fill(path: string, values: readonly unknown[]): { filled: string; rest: unknown[] } {
  const rest = [...values];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, rest.shift()));
  return { filled, rest };
}

/** Encodes a value as one path segment. A value of only dots would change the path. */
export function segment(name: string, value: unknown): string {
  const text = String(value);
  if (["", ".", ".."].includes(text)) throw new TypeError(`${name} must not be "${text}"`);
  return encodeURIComponent(text);
}
