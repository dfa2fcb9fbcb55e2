import { waitLimits } from "../contract/wait-limits.ts";

/** A request that waits for an event, and for how long at most. */
export interface WaitRequest {
  tokenId: string;
  /** A new id for each request: if the runtime repeats the call, it finds the place that it already has. */
  holder: string;
  milliseconds: number;
}

/**
 * The places in which the requests of each token wait (contract F7). They are on disk, because nobody calls the
 * coordinator while requests wait, and the platform may evict it. A place is free again once its time is over; the next
 * request takes over its row.
 */
export class Waits {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS waits (
      token_id TEXT NOT NULL, place INTEGER NOT NULL, holder TEXT NOT NULL, ends_ms INTEGER NOT NULL,
      PRIMARY KEY (token_id, place)) WITHOUT ROWID`);
  }

  /** Takes a place; false: all are taken. */
  begin({ tokenId, holder, milliseconds }: WaitRequest): boolean {
    const nowMs = Date.now();
    const taken = this.#sql
      .exec<{ place: number; holder: string }>(
        "SELECT place, holder FROM waits WHERE token_id = ? AND ends_ms > ?",
        tokenId,
        nowMs,
      )
      .toArray();
    if (taken.some((wait) => wait.holder === holder)) return true;
    const places = new Set(taken.map(({ place }) => place));
    for (let place = 0; place < waitLimits.requestsOfToken; place++) {
      if (places.has(place)) continue;
      const taking = "INSERT OR REPLACE INTO waits (token_id, place, holder, ends_ms) VALUES (?, ?, ?, ?)";
      this.#sql.exec(taking, tokenId, place, holder, nowMs + milliseconds);
      return true;
    }
    return false;
  }

  /** Frees a place before its time. */
  end({ tokenId, holder }: Pick<WaitRequest, "tokenId" | "holder">): void {
    this.#sql.exec("UPDATE waits SET ends_ms = 0 WHERE token_id = ? AND holder = ?", tokenId, holder);
  }

  /** Forgets the places that are free, of tokens that may no longer exist. */
  dropFree(): void {
    this.#sql.exec("DELETE FROM waits WHERE ends_ms <= ?", Date.now());
  }
}
