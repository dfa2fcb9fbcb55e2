import { type LoggedRequest, type RequestFilter, requestLogLimits } from "../contract/request-log.ts";

const dayMs = 86_400_000;

/** The newest requests of one organization, on disk; those that came in one call are one row. */
export class RequestLog {
  readonly #sql: SqlStorage;
  /** Requests in all rows; undefined: not counted yet. */
  #kept: number | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    // The order of its rows makes a page cheap, and a call that is repeated adds none.
    sql.exec(`CREATE TABLE IF NOT EXISTS request_log (last_ms INTEGER NOT NULL, first_id TEXT NOT NULL,
      requests INTEGER NOT NULL, entries TEXT NOT NULL, PRIMARY KEY (last_ms, first_id)) WITHOUT ROWID`);
  }

  /** Keeps requests, the oldest first; answers whether they are new. */
  add(requests: readonly LoggedRequest[]): boolean {
    const [first] = requests;
    if (!first) return false;
    this.#kept ??= this.#count();
    const lastMs = Math.max(...requests.map(({ at }) => Date.parse(at)));
    const added = this.#sql.exec(
      "INSERT OR IGNORE INTO request_log (last_ms, first_id, requests, entries) VALUES (?, ?, ?, ?) RETURNING 1",
      lastMs,
      first.request_id,
      requests.length,
      JSON.stringify(requests),
    );
    if (added.toArray().length === 0) return false;
    this.#kept += requests.length;
    while (this.#kept > requestLogLimits.keptRequests) this.#kept -= this.#dropOldest();
    return true;
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
    this.#sql.exec(
      "DELETE FROM request_log WHERE last_ms < ?",
      Date.now() - requestLogLimits.keptDays * dayMs,
    );
    this.#kept = this.#count();
    return this.#kept > 0;
  }

  #count(): number {
    return this.#sql.exec<{ kept: number }>("SELECT total(requests) AS kept FROM request_log").one().kept;
  }

  #dropOldest(): number {
    const oldest = "SELECT last_ms, first_id FROM request_log ORDER BY last_ms, first_id LIMIT 1";
    return this.#sql
      .exec<{ requests: number }>(
        `DELETE FROM request_log WHERE (last_ms, first_id) = (${oldest}) RETURNING requests`,
      )
      .one().requests;
  }

  /**
   * Rows overlap, because isolates send at different times: a request waits until no row behind can hold a newer one.
   */
  *#newestFirst(since: string | undefined): Generator<LoggedRequest, void, undefined> {
    const keptSince = new Date(Date.now() - requestLogLimits.keptDays * dayMs).toISOString();
    const from = since === undefined || since < keptSince ? keptSince : since;
    const rows = this.#sql.exec<{ last_ms: number; entries: string }>(
      "SELECT last_ms, entries FROM request_log WHERE last_ms >= ? ORDER BY last_ms DESC, first_id DESC",
      Date.parse(from),
    );
    let waiting: LoggedRequest[] = [];
    for (const { last_ms, entries } of rows) {
      const lastAt = new Date(last_ms).toISOString();
      const ready = waiting.findIndex(({ at }) => at <= lastAt);
      yield* waiting.splice(0, ready < 0 ? waiting.length : ready);
      const sent: LoggedRequest[] = JSON.parse(entries);
      waiting = [...waiting, ...sent.filter(({ at }) => at >= from)].sort(newestFirst);
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
