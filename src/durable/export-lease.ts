import { minuteMs } from "../contract/durations.ts";
import { sessionLimits } from "../contract/session-limits.ts";

const exportMs = sessionLimits.exportMinutes * minuteMs;

/** Allows one export of an organization at a time (contract N17). */
export class ExportLease {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS running_export (
      id INTEGER PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, ends_ms INTEGER NOT NULL)`);
  }

  /** Lets an export begin unless another one is running. A repeated call finds its own lease. */
  begin(holder: string): boolean {
    const nowMs = Date.now();
    const begun = this.#sql.exec(
      `INSERT INTO running_export (id, holder, ends_ms) VALUES (1, ?1, ?2) ON CONFLICT DO UPDATE
       SET holder = ?1, ends_ms = ?2 WHERE ends_ms <= ?3 OR holder = ?1 RETURNING 1`,
      holder,
      nowMs + exportMs,
      nowMs,
    );
    return begun.toArray().length > 0;
  }

  end(holder: string): void {
    this.#sql.exec("DELETE FROM running_export WHERE holder = ?", holder);
  }
}
