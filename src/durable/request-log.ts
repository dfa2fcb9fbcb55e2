import { dayMs } from "../contract/durations.ts";
import type { LoggedRequest, RequestFilter } from "../contract/request-log.ts";
import { requestLogLimits } from "../contract/request-log-limits.ts";
import type { DailyUsage } from "./daily-usage.ts";

/** A row with fewer requests takes those of the next call as well. */
const requestsOfRow = 100;

/** A repeated call comes soon: what it brought stands in one of the newest rows. */
const rowsOfRepeat = 2;

/**
 * The newest requests of one organization, on disk. A call adds to the newest row, so that it writes one row, and the
 * purge few. The requests of a row count as usage when the next row begins.
 */
export class RequestLog {
  readonly #sql: SqlStorage;
  readonly #usage: DailyUsage;
  /** Requests in all rows; undefined: not counted yet. */
  #kept: number | undefined;

  constructor(sql: SqlStorage, usage: DailyUsage) {
    this.#sql = sql;
    this.#usage = usage;
    sql.exec(`CREATE TABLE IF NOT EXISTS logged_requests (id INTEGER PRIMARY KEY, last_ms INTEGER NOT NULL,
      requests INTEGER NOT NULL, entries TEXT NOT NULL)`);
  }

  /** Keeps requests, the oldest first; answers whether they are new. */
  add(requests: readonly LoggedRequest[]): boolean {
    const [first] = requests;
    if (!first || this.#isKnown(first.request_id)) return false;
    this.#kept ??= this.#count();
    const lastMs = Math.max(...requests.map(({ at }) => Date.parse(at)));
    const entries = requests.map((request) => JSON.stringify(request)).join();
    const added = this.#sql.exec(
      `UPDATE logged_requests SET last_ms = max(last_ms, ?), requests = requests + ?, entries = entries || ',' || ?
       WHERE id = (SELECT max(id) FROM logged_requests) AND requests < ${requestsOfRow} RETURNING 1`,
      lastMs,
      requests.length,
      entries,
    );
    if (added.toArray().length === 0) {
      this.#usage.addRequests(this.uncounted());
      const beginning = "INSERT INTO logged_requests (last_ms, requests, entries) VALUES (?, ?, ?)";
      this.#sql.exec(beginning, lastMs, requests.length, entries);
    }
    this.#kept += requests.length;
    while (this.#kept > requestLogLimits.keptRequests) this.#kept -= this.#dropOldest();
    return true;
  }

  /** The requests of the newest row. */
  uncounted(): LoggedRequest[] {
    const [row] = this.#sql.exec<{ id: number }>("SELECT id FROM logged_requests ORDER BY id DESC LIMIT 1");
    return row ? this.#entriesOf(row.id) : [];
  }

  /** Newest first. */
  find({ cursor, limit, ...filter }: RequestFilter): LoggedRequest[] {
    const found: LoggedRequest[] = [];
    let isBehindCursor = cursor === undefined;
    for (const request of this.#newestFirst(filter.since)) {
      if (isBehindCursor && isFound(request, filter)) found.push(request);
      if (found.length === limit) break;
      isBehindCursor ||= request.request_id === cursor;
    }
    return found;
  }

  get(requestId: string): LoggedRequest | null {
    for (const request of this.#newestFirst(undefined)) if (request.request_id === requestId) return request;
    return null;
  }

  /** Drops what is too old; answers whether anything is left. */
  dropOld(): boolean {
    const tooOldMs = Date.now() - requestLogLimits.keptDays * dayMs;
    const newest = "SELECT last_ms FROM logged_requests ORDER BY id DESC LIMIT 1";
    const [row] = this.#sql.exec<{ last_ms: number }>(newest);
    if (row && row.last_ms < tooOldMs) this.#usage.addRequests(this.uncounted());
    this.#sql.exec("DELETE FROM logged_requests WHERE last_ms < ?", tooOldMs);
    this.#kept = this.#count();
    return this.#kept > 0;
  }

  #isKnown(requestId: string): boolean {
    const newest = `SELECT entries FROM logged_requests ORDER BY id DESC LIMIT ${rowsOfRepeat}`;
    const found = this.#sql.exec(`SELECT 1 FROM (${newest}) WHERE instr(entries, ?)`, requestId);
    return found.toArray().length > 0;
  }

  #entriesOf(id: number): LoggedRequest[] {
    const found = this.#sql.exec<{ entries: string }>("SELECT entries FROM logged_requests WHERE id = ?", id);
    return JSON.parse(`[${found.one().entries}]`);
  }

  #count(): number {
    return this.#sql.exec<{ kept: number }>("SELECT total(requests) AS kept FROM logged_requests").one().kept;
  }

  #dropOldest(): number {
    const oldest = "SELECT min(id) FROM logged_requests";
    return this.#sql
      .exec<{ requests: number }>(`DELETE FROM logged_requests WHERE id = (${oldest}) RETURNING requests`)
      .one().requests;
  }

  /**
   * Rows overlap, because isolates send at different times: a request waits until no row behind can hold a newer one.
   */
  *#newestFirst(since: string | undefined): Generator<LoggedRequest, void, undefined> {
    const keptSince = new Date(Date.now() - requestLogLimits.keptDays * dayMs).toISOString();
    const from = since === undefined || since < keptSince ? keptSince : since;
    const rows = this.#sql.exec<{ id: number; last_ms: number }>(
      "SELECT id, last_ms FROM logged_requests WHERE last_ms >= ? ORDER BY last_ms DESC",
      Date.parse(from),
    );
    let waiting: LoggedRequest[] = [];
    for (const { id, last_ms } of rows.toArray()) {
      const lastAt = new Date(last_ms).toISOString();
      const ready = waiting.findIndex(({ at }) => at <= lastAt);
      yield* waiting.splice(0, ready < 0 ? waiting.length : ready);
      waiting = [...waiting, ...this.#entriesOf(id).filter(({ at }) => at >= from)].sort(newestFirst);
    }
    yield* waiting;
  }
}

const newestFirst = (a: LoggedRequest, b: LoggedRequest): number =>
  a.at === b.at ? (a.request_id < b.request_id ? 1 : -1) : a.at < b.at ? 1 : -1;

function isFound(request: LoggedRequest, filter: Omit<RequestFilter, "cursor" | "limit">): boolean {
  const { token, status, route, until } = filter;
  return (
    (token === undefined || request.token_id === token) &&
    (status === undefined || hasStatus(request.status, status)) &&
    (route === undefined || request.route === route) &&
    (until === undefined || request.at < until)
  );
}

const hasStatus = (status: number, wanted: string): boolean =>
  wanted.endsWith("xx") ? String(status).startsWith(wanted.slice(0, 1)) : String(status) === wanted;
