import type { Page } from "./listing.ts";
import type { RequestOptions } from "./transport.ts";

/** Where a copy keeps its position: in your database, in one transaction with the page. */
export interface RecordStore<Transaction> {
  /** The last saved position; null before the first one. */
  cursor(): Promise<string | null>;
  /** Runs `work` and saves the position in one transaction; does neither if `work` throws. */
  keep(cursor: string, work: (transaction: Transaction) => unknown): Promise<void>;
}

export interface SyncOptions<Synced, Transaction> {
  /** Each kind of record needs a store with its own name. */
  store: RecordStore<Transaction>;
  /** Writes a record into your copy, over an existing one: some come again. */
  upsert(record: Synced, transaction: Transaction): unknown;
  /** How long before the newest record the next run begins, for clocks that disagree. Default: 10. */
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

/** The service's maximum: a copy needs as few requests as possible. */
const recordsPerPage = 200;

/**
 * Writes every record that is new or changed since the last time into a copy, oldest change first. Each page moves the
 * watermark, so that a killed process loses at most the current page.
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
      // It never moves back; both are UTC in one form, which sorts as text.
      await store.keep(`${path} ${since && since > watermark ? since : watermark}`, async (transaction) => {
        for (const record of page.data) await upsert(record, transaction);
      });
    }
    cursor = page.next_cursor;
  }
}

/** A store with the position of something else would skip records. */
function sinceOf(path: string, kept: string | null): string | undefined {
  if (kept === null) return undefined;
  const [keptPath, since] = kept.split(" ");
  if (keptPath !== path)
    throw new TypeError(`This store holds the position for ${keptPath}. Use another store for ${path}`);
  return since;
}
