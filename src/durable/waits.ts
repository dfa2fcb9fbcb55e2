import { waitLimits } from "../contract/wait-limits.ts";

export interface WaitRequest {
  tokenId: string;
  /** Unique per request. If the runtime repeats a call, the call finds its own slot by this id. */
  holder: string;
  milliseconds: number;
}

/**
 * The slots in which each token's requests wait (contract F7). They are stored on disk, because waiting requests don't
 * call the coordinator, and the platform may evict it. A slot becomes free after its time, and the next request reuses
 * its row.
 */
export class Waits {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS waits (
      token_id TEXT NOT NULL, place INTEGER NOT NULL, holder TEXT NOT NULL, ends_ms INTEGER NOT NULL,
      PRIMARY KEY (token_id, place)) WITHOUT ROWID`);
  }

  /** Reserves a slot. Returns false if all slots are taken. */
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

  /** Releases a slot early. */
  end({ tokenId, holder }: Pick<WaitRequest, "tokenId" | "holder">): void {
    this.#sql.exec("UPDATE waits SET ends_ms = 0 WHERE token_id = ? AND holder = ?", tokenId, holder);
  }

  /** Deletes free slots, since their tokens may no longer exist. */
  dropFree(): void {
    this.#sql.exec("DELETE FROM waits WHERE ends_ms <= ?", Date.now());
  }
}
