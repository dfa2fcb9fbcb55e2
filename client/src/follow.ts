import type { FeedEvent, FeedQuery, WebhookEvent } from "./contract.ts";
import { PartnerApiError, RefusedError } from "./errors.ts";
import type { Page } from "./listing.ts";
import { retryAfterMs, sleep } from "./retry.ts";
import type { RequestOptions } from "./transport.ts";
import type { DeliveryHeaders } from "./webhooks.ts";

/** Records what a follower has handled: in your database, in the same transaction as your work. */
export interface EventStore<Transaction> {
  /** The last saved cursor; null before the first one. */
  cursor(): Promise<string | null>;
  /** Runs `work` and records the event's id in one transaction; does neither if the id is already recorded. */
  once(eventId: string, work: (transaction: Transaction) => unknown): Promise<void>;
  /** Saves a cursor. All events before the cursor are handled. */
  advance(cursor: string): Promise<void>;
}

export interface CatchUpOptions<Transaction> {
  store: EventStore<Transaction>;
  /** Handles one event. Everything written through the transaction is written exactly once, in the feed's order. */
  handle(event: FeedEvent, transaction: Transaction): unknown;
  /** Where to begin while the store is empty. Default: the oldest event that the service keeps (30 days). */
  cursor?: string | undefined;
  /** Event names and categories, such as `["invoice.paid", "delivery"]`. Default: all that the token may read. */
  types?: readonly string[];
  /** Where to begin, as an ISO 8601 time. */
  updated_since?: string;
  signal?: AbortSignal | undefined;
}

export interface FollowOptions<Transaction> extends CatchUpOptions<Transaction> {
  /**
   * The pause in seconds after an error, and between polls of a service without long polling. A delivery ends the
   * pause. Default: 30.
   */
  pollSeconds?: number;
  /** Called for each error that is retried because the service was unreachable or busy. */
  onOutage?(error: PartnerApiError): void;
}

export interface Following {
  /** Call this from your webhook endpoint: verifies the delivery and ends a pause. Throws if it is not valid. */
  receive(rawBody: string | Uint8Array, headers: DeliveryHeaders): Promise<WebhookEvent>;
  /** Stops after the current event. */
  stop(): Promise<void>;
  /** Rejects with an error from `handle` or the store, or with a service error that cannot be retried. */
  finished: Promise<void>;
}

export type FeedPage = Page<FeedEvent> & { latest_cursor: string };
export type ReadFeed = (query: FeedQuery, options?: RequestOptions) => Promise<FeedPage>;
export type Verify = (rawBody: string | Uint8Array, headers: DeliveryHeaders) => Promise<WebhookEvent>;

/** Handles every event up to now and returns. For cron jobs and Workers, which cannot keep a follower running. */
export async function catchUp<T>(readFeed: ReadFeed, options: CatchUpOptions<T>): Promise<void> {
  const { store, handle, signal, types, updated_since } = options;
  const filters = {
    ...(types ? { types: types.join(",") } : {}),
    ...(updated_since ? { updated_since } : {}),
  };
  let cursor = (await store.cursor()) ?? options.cursor;
  for (;;) {
    const page = await readFeed({ ...filters, ...(cursor === undefined ? {} : { cursor }) }, { signal });
    for (const event of page.data) {
      if (signal?.aborted) return;
      await store.once(event.id, (transaction) => handle(event, transaction));
    }
    const next = page.next_cursor ?? page.latest_cursor;
    if (next !== cursor) await store.advance(next);
    cursor = next;
    if (page.next_cursor === null || signal?.aborted) return;
  }
}

/** The longest wait that the service accepts, and the time allowed for its response after that. */
const waitSeconds = 25;
const answerMs = 10_000;

/** The interval between requests that return events, so that a busy feed leaves most of the rate limit free. */
const paceMs = 3_000;

/** The pause after a long-poll. */
function pauseAfter({ data }: FeedPage, tookMs: number, pollMs: number): number {
  if (data.length > 0) return Math.min(paceMs, pollMs) - tookMs;
  // A service that does not support the parameter returns an empty page at once.
  return tookMs < (waitSeconds * 1000) / 2 ? pollMs : 0;
}

/** Follows the feed, which has every event in order. Long-polls, or else polls; a delivery is only a hint to poll. */
export function follow<T>(readFeed: ReadFeed, verify: Verify, options: FollowOptions<T>): Following {
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  const pollMs = (options.pollSeconds ?? 30) * 1000;
  let waking = new AbortController();
  let waits = true;
  let pauseMs = pollMs;

  const readWaiting: ReadFeed = async (query, given) => {
    if (!waits) return readFeed(query, given);
    const startedMs = performance.now();
    try {
      const timeoutMs = waitSeconds * 1000 + answerMs;
      const page = await readFeed({ ...query, wait: waitSeconds }, { ...given, timeoutMs });
      pauseMs = pauseAfter(page, performance.now() - startedMs, pollMs);
      return page;
    } catch (error) {
      if (!(error instanceof RefusedError && error.status === 400)) throw error;
      // The service does not support the parameter, or will reject the next request too.
      waits = false;
      return readFeed(query, given);
    }
  };
  const run = async () => {
    while (!signal.aborted) {
      waking = new AbortController();
      pauseMs = pollMs;
      const hintMs = await catchUp(readWaiting, { ...options, signal }).then(() => 0, hintOfOutage);
      // A delivery ends the pause, but not before the service's Retry-After.
      await sleep(hintMs, signal).catch(() => {});
      await sleep(pauseMs - hintMs, AbortSignal.any([signal, waking.signal])).catch(() => {});
    }
  };
  const hintOfOutage = (error: unknown): number => {
    if (signal.aborted && error === signal.reason) return 0;
    if (!(error instanceof PartnerApiError && error.retryable)) throw error;
    options.onOutage?.(error);
    pauseMs = pollMs;
    return (error instanceof RefusedError && retryAfterMs(error.headers, Date.now())) || 0;
  };

  const finished = run();
  return {
    receive: async (rawBody, headers) => {
      const event = await verify(rawBody, headers);
      waking.abort();
      return event;
    },
    stop: () => {
      stopping.abort();
      return finished;
    },
    finished,
  };
}
