import { secondsToReset, windowMs } from "../contract/rate-window.ts";

export interface WindowCount {
  outcome: "limited" | "counted";
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
}

/**
 * A window is saved when it is full and after each 20th of its ceiling, which is every three seconds at the full rate.
 * An eviction or a crash loses at most that much, in the caller's favor, and never reopens a full window.
 */
const savesOfWindow = 20;

/** API requests are counted separately from RPC and settings calls, each in their own table. */
const tables = { requests: "rate_window", sessionCalls: "session_window" } as const;
type WindowName = keyof typeof tables;
const names = Object.keys(tables) as WindowName[];

/** An organization's one-minute windows. */
export class RateWindows {
  readonly #sql: SqlStorage;
  readonly #saveSoon: () => void;
  readonly #windows: Record<WindowName, { startMs: number; count: number }>;
  readonly #unsaved = new Set<WindowName>();

  constructor(sql: SqlStorage, saveSoon: () => void) {
    this.#sql = sql;
    this.#saveSoon = saveSoon;
    this.createTables();
    this.#windows = { requests: this.#stored("requests"), sessionCalls: this.#stored("sessionCalls") };
  }

  createTables(): void {
    for (const name of names)
      this.#sql.exec(`CREATE TABLE IF NOT EXISTS ${tables[name]} (
        id INTEGER PRIMARY KEY CHECK (id = 1), start_ms INTEGER, count INTEGER)`);
  }

  startMs(name: WindowName): number {
    return this.#windows[name].startMs;
  }

  /** Counts calls in this minute's window if all of them fit. If the ceiling is null, nothing is counted. */
  count(name: WindowName, ceiling: number | null, calls = 1): WindowCount {
    const nowMs = Date.now();
    const startMs = nowMs - (nowMs % windowMs);
    const resetSeconds = secondsToReset(nowMs);
    if (this.#windows[name].startMs !== startMs) this.#windows[name] = { startMs, count: 0 };
    if (ceiling === null) return { outcome: "counted", resetSeconds };
    const before = this.#windows[name].count;
    const count = before + calls;
    if (count > ceiling) return { outcome: "limited", resetSeconds };
    this.#windows[name].count = count;
    const saveEvery = Math.ceil(ceiling / savesOfWindow);
    if (Math.floor(count / saveEvery) > Math.floor(before / saveEvery) || count === ceiling) {
      this.#unsaved.add(name);
      this.#saveSoon();
    }
    return { outcome: "counted", resetSeconds };
  }

  save(): void {
    for (const name of this.#unsaved) {
      const { startMs, count } = this.#windows[name];
      const saving = `INSERT INTO ${tables[name]} (id, start_ms, count) VALUES (1, ?, ?)
        ON CONFLICT DO UPDATE SET start_ms = excluded.start_ms, count = excluded.count`;
      this.#sql.exec(saving, startMs, count);
    }
    this.#unsaved.clear();
  }

  #stored(name: WindowName): { startMs: number; count: number } {
    const found = this.#sql.exec<{ start_ms: number; count: number }>(
      `SELECT start_ms, count FROM ${tables[name]}`,
    );
    const [row] = found;
    return { startMs: row?.start_ms ?? 0, count: row?.count ?? 0 };
  }
}
