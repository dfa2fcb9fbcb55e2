import type { FeedEvent, FeedQuery, WebhookEvent } from "./contract.ts";
import { PartnerApiError, RefusedError } from "./errors.ts";
import type { Page } from "./listing.ts";
import { retryAfterMs, sleep } from "./retry.ts";
import type { RequestOptions } from "./transport.ts";
import type { DeliveryHeaders } from "./webhooks.ts";

/** Where a follower records what it has handled: in your database, in one transaction with your work. */
export interface EventStore<Transaction> {
  /** The last saved cursor; null before the first one. */
  cursor(): Promise<string | null>;
  /** Runs `work` and records the event's id in one transaction; does neither if the id is already recorded. */
  once(eventId: string, work: (transaction: Transaction) => unknown): Promise<void>;
  /** All events before this cursor are handled. */
  advance(cursor: string): Promise<void>;
}

export interface CatchUpOptions<Transaction> {
  store: EventStore<Transaction>;
  /** What it writes through the transaction is written exactly once, in the order in which the service committed. */
  handle(event: FeedEvent, transaction: Transaction): unknown;
  /** Where to begin while the store is empty. Default: the oldest event that the service keeps (30 days). */
  cursor?: string | undefined;
  /** Names and categories, e.g. `["invoice.paid", "delivery"]`. Default: all that the token may see. */
  types?: readonly string[];
  /** Where to begin by time, ISO 8601. */
  updated_since?: string;
  signal?: AbortSignal | undefined;
}

export interface FollowOptions<Transaction> extends CatchUpOptions<Transaction> {
  /** The pause between polls while no delivery wakes the follower. Default: 30. */
  pollSeconds?: number;
  /** Called for each retried error: the service was unreachable or busy. */
  onOutage?(error: PartnerApiError): void;
}

export interface Following {
  /** For your webhook endpoint: verifies the delivery, and has the feed read at once. Throws if it is not ours. */
  receive(rawBody: string | Uint8Array, headers: DeliveryHeaders): Promise<WebhookEvent>;
  /** Stops after the current event. */
  stop(): Promise<void>;
  /** Rejects with what `handle` or the store threw, or with a refusal that no retry helps. */
  finished: Promise<void>;
}

export type FeedPage = Page<FeedEvent> & { latest_cursor: string };
export type ReadFeed = (query: FeedQuery, options?: RequestOptions) => Promise<FeedPage>;
export type Verify = (rawBody: string | Uint8Array, headers: DeliveryHeaders) => Promise<WebhookEvent>;

/** Handles every event up to now and returns. For cron jobs and Workers, which have no process to follow in. */
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

/** The feed has every event, in order; a delivery only says that it is time to look. */
export function follow<T>(readFeed: ReadFeed, verify: Verify, options: FollowOptions<T>): Following {
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  let waking = new AbortController();

  const run = async () => {
    while (!signal.aborted) {
      waking = new AbortController();
      const hintMs = await catchUp(readFeed, { ...options, signal }).then(() => 0, hintOfOutage);
      // A delivery ends the pause, but no sooner than the service asked.
      await sleep(hintMs, signal).catch(() => {});
      const pauseMs = (options.pollSeconds ?? 30) * 1000 - hintMs;
      await sleep(pauseMs, AbortSignal.any([signal, waking.signal])).catch(() => {});
    }
  };
  const hintOfOutage = (error: unknown): number => {
    if (signal.aborted && error === signal.reason) return 0;
    if (!(error instanceof PartnerApiError && error.retryable)) throw error;
    options.onOutage?.(error);
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
