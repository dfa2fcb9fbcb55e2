import { dayMs } from "../contract/durations.ts";
import type { DayOfUsage, LoggedRequest } from "../contract/request-log.ts";
import { requestLogLimits } from "../contract/request-log-limits.ts";

/** One organization's usage by day, on disk. */
export class DailyUsage {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS daily_usage (
      day TEXT PRIMARY KEY, requests TEXT NOT NULL DEFAULT '{}', deliveries INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`);
  }

  addRequests(added: readonly LoggedRequest[]): void {
    for (const [day, ofDay] of Map.groupBy(added, ({ at }) => dayOf(at))) {
      const requests = addedTo(this.#begin(day), ofDay);
      this.#sql.exec("UPDATE daily_usage SET requests = ? WHERE day = ?", JSON.stringify(requests), day);
    }
  }

  addDeliveries(deliveries: number): void {
    const day = dayOf(new Date().toISOString());
    this.#begin(day);
    this.#sql.exec("UPDATE daily_usage SET deliveries = deliveries + ? WHERE day = ?", deliveries, day);
  }

  /** Returns usage by day, newest first, without empty days. Includes requests that have not been added yet. */
  since(firstDay: string, uncounted: readonly LoggedRequest[]): DayOfUsage[] {
    const rows = this.#sql.exec<{ day: string; requests: string; deliveries: number }>(
      "SELECT day, requests, deliveries FROM daily_usage WHERE day >= ?",
      firstDay,
    );
    const days = new Map(
      [...rows].map((row): [string, DayOfUsage] => [row.day, { ...row, requests: JSON.parse(row.requests) }]),
    );
    for (const [day, ofDay] of Map.groupBy(uncounted, ({ at }) => dayOf(at))) {
      if (day < firstDay) continue;
      const { requests, deliveries } = days.get(day) ?? { requests: {}, deliveries: 0 };
      days.set(day, { day, requests: addedTo(requests, ofDay), deliveries });
    }
    return [...days.values()].sort((a, b) => (a.day < b.day ? 1 : -1));
  }

  /** Stores a day's usage from another coordinator. */
  keepDay({ day, requests, deliveries }: DayOfUsage): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO daily_usage (day, requests, deliveries) VALUES (?, ?, ?)",
      day,
      JSON.stringify(requests),
      deliveries,
    );
  }

  clear(): void {
    this.#sql.exec("DELETE FROM daily_usage");
  }

  /** Returns the day's requests so far. The first call each day also deletes old rows. */
  #begin(day: string): DayOfUsage["requests"] {
    const [row] = this.#sql.exec<{ requests: string }>("SELECT requests FROM daily_usage WHERE day = ?", day);
    if (row) return JSON.parse(row.requests);
    this.#sql.exec("INSERT INTO daily_usage (day) VALUES (?)", day);
    const kept = new Date(Date.parse(day) - (requestLogLimits.usageDays.max - 1) * dayMs).toISOString();
    this.#sql.exec("DELETE FROM daily_usage WHERE day < ?", dayOf(kept));
    return {};
  }
}

function addedTo(before: DayOfUsage["requests"], requests: readonly LoggedRequest[]): DayOfUsage["requests"] {
  const after = { ...before };
  for (const { token_id, status, count = 1 } of requests) {
    const own = after[token_id] ?? { requests: 0, refusals: 0 };
    after[token_id] = {
      requests: own.requests + count,
      refusals: own.refusals + (status >= 400 ? count : 0),
    };
  }
  return after;
}

const dayOf = (at: string): string => at.slice(0, "2026-01-31".length);
