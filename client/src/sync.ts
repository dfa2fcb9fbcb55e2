import type { Page } from "./listing.ts";
import type { RequestOptions } from "./transport.ts";

/** Stores the position of a copy: in your database, in the same transaction as the page. */
export interface RecordStore<Transaction> {
  /** The last saved position; null before the first one. */
  cursor(): Promise<string | null>;
  /** Runs `work` and saves the position in one transaction; does neither if `work` throws. */
  keep(cursor: string, work: (transaction: Transaction) => unknown): Promise<void>;
}

export interface SyncOptions<Synced, Transaction> {
  /** Each kind of record needs a store with its own name. */
  store: RecordStore<Transaction>;
  /** Inserts or overwrites a record in your copy. Some records are sent again. */
  upsert(record: Synced, transaction: Transaction): unknown;
  /** How many seconds before the newest record the next run begins, in case clocks disagree. Default: 10. */
  overlapSeconds?: number;
  /** Stops after the current page. */
  signal?: AbortSignal | undefined;
}

export interface Dated {
  updated_at: string;
}

interface PageQuery {
  limit: number;
  updated_since?: string;
  cursor?: string;
}
type ReadPage<Synced> = (query: PageQuery, options: RequestOptions) => Promise<Page<Synced>>;

/** The service's maximum, so that a copy needs as few requests as possible. */
const recordsPerPage = 200;

/**
 * Copies every record that is new or has changed since the last run, oldest change first. Each page saves the
 * position, so a killed process loses at most the current page.
 */
export async function sync<Synced, T>(
  path: string,
  readPage: ReadPage<Synced & Dated>,
  { store, upsert, overlapSeconds = 10, signal }: SyncOptions<Synced, T>,
): Promise<void> {
  const since = sinceOf(path, await store.cursor());
  const filters = { limit: recordsPerPage, ...(since === undefined ? {} : { updated_since: since }) };
  for (let cursor: string | null | undefined; cursor !== null && !signal?.aborted; ) {
    const page: Page<Synced & Dated> = await readPage({ ...filters, ...(cursor && { cursor }) }, { signal });
    const last = page.data.at(-1);
    if (last) {
      const watermark = new Date(Date.parse(last.updated_at) - overlapSeconds * 1000).toISOString();
      // The position never moves back. Both times are UTC in one format, which sorts as text.
      await store.keep(`${path} ${since && since > watermark ? since : watermark}`, async (transaction) => {
        for (const record of page.data) await upsert(record, transaction);
      });
    }
    cursor = page.next_cursor;
  }
}

/** Throws if the store has another path's position, which would skip records. */
function sinceOf(path: string, kept: string | null): string | undefined {
  if (kept === null) return undefined;
  const [keptPath, since] = kept.split(" ");
  if (keptPath !== path)
    throw new TypeError(`This store holds the position for ${keptPath}. Use another store for ${path}`);
  return since;
}
