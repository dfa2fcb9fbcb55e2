import {
  type DayOfUsage,
  type LoggedRequest,
  requestLogLimits,
  type TokenUsage,
} from "../contract/request-log.ts";

const dayMs = 86_400_000;

/** What one organization used on each of the last days, on disk: a row a day. */
export class DailyUsage {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS daily_usage (
      day TEXT PRIMARY KEY, requests TEXT NOT NULL DEFAULT '{}', deliveries INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`);
  }

  addRequests(added: readonly LoggedRequest[]): void {
    for (const [day, ofDay] of Map.groupBy(added, ({ at }) => dayOf(at))) {
      const requests = this.#begin(day);
      for (const { token_id, status } of ofDay) {
        const before = requests[token_id] ?? { requests: 0, refusals: 0 };
        requests[token_id] = {
          requests: before.requests + 1,
          refusals: before.refusals + (status >= 400 ? 1 : 0),
        };
      }
      this.#sql.exec("UPDATE daily_usage SET requests = ? WHERE day = ?", JSON.stringify(requests), day);
    }
  }

  addDeliveries(deliveries: number): void {
    const day = dayOf(new Date().toISOString());
    this.#begin(day);
    this.#sql.exec("UPDATE daily_usage SET deliveries = deliveries + ? WHERE day = ?", deliveries, day);
  }

  /** Newest first, without days on which nothing happened. */
  since(day: string): DayOfUsage[] {
    const rows = this.#sql.exec<{ day: string; requests: string; deliveries: number }>(
      "SELECT day, requests, deliveries FROM daily_usage WHERE day >= ? ORDER BY day DESC",
      day,
    );
    return [...rows].map((row) => ({ ...row, requests: JSON.parse(row.requests) }));
  }

  /** The day's requests so far. Its row is the first of a new day: those that are too old go. */
  #begin(day: string): Record<string, TokenUsage> {
    const [row] = this.#sql.exec<{ requests: string }>("SELECT requests FROM daily_usage WHERE day = ?", day);
    if (row) return JSON.parse(row.requests);
    this.#sql.exec("INSERT INTO daily_usage (day) VALUES (?)", day);
    const kept = new Date(Date.parse(day) - (requestLogLimits.usageDays.max - 1) * dayMs).toISOString();
    this.#sql.exec("DELETE FROM daily_usage WHERE day < ?", dayOf(kept));
    return {};
  }
}

const dayOf = (at: string): string => at.slice(0, "2026-01-31".length);
