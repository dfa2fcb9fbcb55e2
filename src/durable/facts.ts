import type { SurvivingFacts } from "../contract/surviving-facts.ts";

export class FactStore {
  readonly #sql: SqlStorage;
  readonly #tokenEndsMs: Map<string, number>;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS token_ends (token_id TEXT PRIMARY KEY, ends_at TEXT NOT NULL) WITHOUT ROWID",
    );
    sql.exec(
      "CREATE TABLE IF NOT EXISTS invoice_number (id INTEGER PRIMARY KEY CHECK (id = 1), next INTEGER NOT NULL)",
    );
    const { tokenEnds } = this.all();
    this.#tokenEndsMs = new Map(Object.entries(tokenEnds).map(([id, at]) => [id, Date.parse(at)]));
  }

  keep({ tokenEnds, invoiceNumber }: SurvivingFacts): void {
    for (const [id, at] of Object.entries(tokenEnds)) {
      if (at === "") {
        this.#tokenEndsMs.delete(id);
        this.#sql.exec("DELETE FROM token_ends WHERE token_id = ?", id);
      } else {
        this.#tokenEndsMs.set(id, Date.parse(at));
        this.#sql.exec("INSERT OR REPLACE INTO token_ends (token_id, ends_at) VALUES (?, ?)", id, at);
      }
    }
    // The number never decreases, so that no invoice number is reused.
    if (invoiceNumber !== null)
      this.#sql.exec(
        `INSERT INTO invoice_number (id, next) VALUES (1, ?)
          ON CONFLICT (id) DO UPDATE SET next = max(next, excluded.next)`,
        invoiceNumber,
      );
  }

  hasEnded(tokenId: string): boolean {
    return (this.#tokenEndsMs.get(tokenId) ?? Number.POSITIVE_INFINITY) <= Date.now();
  }

  all(): SurvivingFacts {
    const ends = this.#sql.exec<{ token_id: string; ends_at: string }>(
      "SELECT token_id, ends_at FROM token_ends",
    );
    const [number] = this.#sql.exec<{ next: number }>("SELECT next FROM invoice_number");
    return {
      tokenEnds: Object.fromEntries([...ends].map(({ token_id, ends_at }) => [token_id, ends_at])),
      invoiceNumber: number?.next ?? null,
    };
  }

  /** Clears the memory when the organization and its tables are erased. */
  clear(): void {
    this.#tokenEndsMs.clear();
  }
}
