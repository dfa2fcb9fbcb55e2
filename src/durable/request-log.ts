import type { CoordinatorRequests } from "../contract/coordinator-rows.ts";
import { dayMs, minuteMs } from "../contract/durations.ts";
import {
  entryKeyOf,
  type FoundRequest,
  type LoggedRequest,
  mergeEntries,
  type RequestFilter,
  sharesEntry,
} from "../contract/request-log.ts";
import { requestLogLimits } from "../contract/request-log-limits.ts";
import type { DailyUsage } from "./daily-usage.ts";

/** A row gets more requests until it has this many. */
const requestsOfRow = 100;

/** A stored entry. `latest` is the last request added to it, so that a repeated call can be recognized. */
type StoredEntry = LoggedRequest & { latest?: string };

/** The newest row of each token. Its requests are added to the usage when the next row begins. */
const openRows = "SELECT max(id) FROM logged_requests GROUP BY token_id";

/**
 * The newest requests of one organization, on disk. A row holds entries of one token from at most one day. A call adds
 * to the newest row of each token involved, so that few rows are written and purged.
 */
export class RequestLog {
  readonly #sql: SqlStorage;
  readonly #usage: DailyUsage;
  /** Entries per token in all rows; undefined until they are counted. */
  #kept: Map<string | null, number> | undefined;

  constructor(sql: SqlStorage, usage: DailyUsage) {
    this.#sql = sql;
    this.#usage = usage;
    sql.exec(`CREATE TABLE IF NOT EXISTS logged_requests (id INTEGER PRIMARY KEY, last_ms INTEGER NOT NULL,
      requests INTEGER NOT NULL, entries TEXT NOT NULL)`);
    // Rows written by earlier releases have no token, because they contain entries of several tokens.
    const columns = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('logged_requests')");
    if (!columns.toArray().some(({ name }) => name === "token_id"))
      sql.exec("ALTER TABLE logged_requests ADD COLUMN token_id TEXT");
    sql.exec("CREATE INDEX IF NOT EXISTS logged_requests_by_token ON logged_requests (token_id)");
  }

  /** Stores requests, oldest first. Returns false if they are already stored. */
  add(requests: readonly LoggedRequest[]): boolean {
    const [first] = requests;
    if (!first || this.#isKnown(first)) return false;
    const entries = [...Map.groupBy(requests, entryKeyOf).values()].flatMap(([one, ...others]) =>
      one ? [mergeEntries(one, others)] : [],
    );
    const added = entries.filter((entry) => !sharesEntry(entry) || !this.#addToEntry(entry));
    for (const [tokenId, own] of Map.groupBy(added, ({ token_id }) => token_id)) this.#append(tokenId, own);
    this.#makeRoom();
    return true;
  }

  /** Returns the requests that are not yet added to the usage. */
  uncounted(): LoggedRequest[] {
    return this.#entriesWhere(`id IN (${openRows})`);
  }

  /** Finds requests, newest first. */
  find({ cursor, limit, ...filter }: RequestFilter): LoggedRequest[] {
    const found: LoggedRequest[] = [];
    let isBehindCursor = cursor === undefined;
    for (const request of this.#newestFirst(filter)) {
      if (isBehindCursor && isFound(request, filter)) found.push(request);
      if (found.length === limit) break;
      isBehindCursor ||= request.request_id === cursor;
    }
    return found;
  }

  /** Finds a request, with the ids of the previous and next requests with the same token. */
  get(requestId: string): FoundRequest | null {
    const newer = new Map<string, string>();
    let found: FoundRequest | undefined;
    for (const request of this.#newestFirst({})) {
      const { request_id, token_id } = request;
      if (found?.token_id === token_id) return { ...found, earlier: request_id };
      if (request_id === requestId) found = { ...request, earlier: null, later: newer.get(token_id) ?? null };
      newer.set(token_id, request_id);
    }
    return found ?? null;
  }

  /** Deletes rows that are too old. Returns whether any rows are left. */
  dropOld(): boolean {
    const tooOldMs = Date.now() - requestLogLimits.keptDays * dayMs;
    this.#usage.addRequests(this.#entriesWhere(`id IN (${openRows}) AND last_ms < ?`, tooOldMs));
    this.#sql.exec("DELETE FROM logged_requests WHERE last_ms < ?", tooOldMs);
    this.#kept = this.#count();
    return this.#kept.size > 0;
  }

  /** Returns the rows after a given one, in order. */
  rowsAfter(id: number, limit: number): CoordinatorRequests[] {
    const rows = this.#sql.exec<{ id: number; token_id: string | null; last_ms: number; entries: string }>(
      "SELECT id, token_id, last_ms, entries FROM logged_requests WHERE id > ? ORDER BY id LIMIT ?",
      id,
      limit,
    );
    return rows
      .toArray()
      .map(({ entries, ...row }) => ({ kind: "requests", ...row, entries: parsed(entries) }));
  }

  /** Stores a row from another coordinator under the same id, so that a token's newest row stays the newest. */
  keepRow({ id, token_id, last_ms, entries }: CoordinatorRequests): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO logged_requests (id, token_id, last_ms, requests, entries) VALUES (?, ?, ?, ?, ?)",
      id,
      token_id,
      last_ms,
      entries.length,
      joined(entries),
    );
    this.#kept = undefined;
  }

  clear(): void {
    this.#sql.exec("DELETE FROM logged_requests");
    this.#kept = undefined;
  }

  /**
   * Whether this request was already added by an earlier run of a repeated call. Searches only rows at least as recent
   * as the request.
   */
  #isKnown({ token_id, request_id, at }: LoggedRequest): boolean {
    const found = this.#sql.exec(
      "SELECT 1 FROM logged_requests WHERE token_id = ? AND last_ms >= ? AND instr(entries, ?) LIMIT 1",
      token_id,
      Date.parse(at),
      request_id,
    );
    return found.toArray().length > 0;
  }

  /** Adds to an entry with the same token, route and minute. Returns false if there is none. */
  #addToEntry(request: LoggedRequest): boolean {
    const atMs = Date.parse(request.at);
    const rows = this.#sql.exec<{ id: number; isOpen: number; entries: string }>(
      `SELECT id, id IN (${openRows}) AS isOpen, entries FROM logged_requests
       WHERE token_id = ? AND last_ms >= ? ORDER BY id DESC`,
      request.token_id,
      atMs - (atMs % minuteMs),
    );
    const key = entryKeyOf(request);
    for (const row of rows.toArray()) {
      const entries = parsed(row.entries);
      const place = entries.findIndex((entry) => entryKeyOf(entry) === key);
      const entry = entries[place];
      if (!entry) continue;
      entries[place] = { ...mergeEntries(entry, [request]), latest: request.request_id };
      this.#sql.exec(
        "UPDATE logged_requests SET last_ms = max(last_ms, ?), entries = ? WHERE id = ?",
        atMs,
        joined(entries),
        row.id,
      );
      if (!row.isOpen) this.#usage.addRequests([request]);
      return true;
    }
    return false;
  }

  #append(tokenId: string, entries: readonly LoggedRequest[]): void {
    const lastMs = Math.max(...entries.map(({ at }) => Date.parse(at)));
    const added = this.#sql.exec(
      `UPDATE logged_requests SET last_ms = max(last_ms, ?), requests = requests + ?, entries = entries || ',' || ?
       WHERE id = (SELECT max(id) FROM logged_requests WHERE token_id = ?) AND requests < ${requestsOfRow}
         AND last_ms >= ? RETURNING 1`,
      lastMs,
      entries.length,
      joined(entries),
      tokenId,
      lastMs - (lastMs % dayMs),
    );
    this.#kept ??= this.#count();
    if (added.toArray().length === 0) {
      const newest = "id = (SELECT max(id) FROM logged_requests WHERE token_id = ?)";
      this.#usage.addRequests(this.#entriesWhere(newest, tokenId));
      this.#sql.exec(
        "INSERT INTO logged_requests (token_id, last_ms, requests, entries) VALUES (?, ?, ?, ?)",
        tokenId,
        lastMs,
        entries.length,
        joined(entries),
      );
    }
    this.#kept.set(tokenId, (this.#kept.get(tokenId) ?? 0) + entries.length);
  }

  /** Deletes the oldest entries of the token that has the most, so that no token displaces another token's entries. */
  #makeRoom(): void {
    this.#kept ??= this.#count();
    for (;;) {
      const counts = [...this.#kept];
      const all = counts.reduce((sum, [, entries]) => sum + entries, 0);
      if (all <= requestLogLimits.keptRequests) return;
      const [busiest] = counts.reduce((most, one) => (one[1] > most[1] ? one : most));
      const left = (this.#kept.get(busiest) ?? 0) - this.#dropOldest(busiest);
      if (left > 0) this.#kept.set(busiest, left);
      else this.#kept.delete(busiest);
    }
  }

  /** Deletes a token's oldest row, or the older half of its only row. Returns the number of entries deleted. */
  #dropOldest(tokenId: string | null): number {
    const [oldest, next] = this.#sql
      .exec<{ id: number; entries: string }>(
        "SELECT id, entries FROM logged_requests WHERE token_id IS ? ORDER BY id LIMIT 2",
        tokenId,
      )
      .toArray();
    const entries = parsed(oldest?.entries ?? "").sort(newestFirst);
    const left = next ? [] : entries.slice(0, entries.length / 2);
    const dropped = entries.slice(left.length);
    if (!next) this.#usage.addRequests(dropped);
    if (left.length === 0) this.#sql.exec("DELETE FROM logged_requests WHERE id = ?", oldest?.id ?? null);
    else
      this.#sql.exec(
        "UPDATE logged_requests SET requests = ?, entries = ? WHERE id = ?",
        left.length,
        joined(left),
        oldest?.id ?? null,
      );
    return dropped.length;
  }

  #entriesWhere(condition: string, ...values: SqlStorageValue[]): LoggedRequest[] {
    const rows = this.#sql.exec<{ entries: string }>(
      `SELECT entries FROM logged_requests WHERE ${condition}`,
      ...values,
    );
    return rows.toArray().flatMap(({ entries }) => parsed(entries).map(withoutLatest));
  }

  #count(): Map<string | null, number> {
    const counts = this.#sql.exec<{ token_id: string | null; kept: number }>(
      "SELECT token_id, total(requests) AS kept FROM logged_requests GROUP BY token_id",
    );
    return new Map(counts.toArray().map(({ token_id, kept }) => [token_id, kept]));
  }

  /**
   * Yields requests, newest first. Rows overlap in time, so a request is yielded only when no other row has a newer
   * one.
   */
  *#newestFirst({ since, token }: Partial<RequestFilter>): Generator<LoggedRequest, void, undefined> {
    const keptSince = new Date(Date.now() - requestLogLimits.keptDays * dayMs).toISOString();
    const from = since === undefined || since < keptSince ? keptSince : since;
    const rows = this.#sql.exec<{ id: number; last_ms: number }>(
      `SELECT id, last_ms FROM logged_requests WHERE last_ms >= ?1 AND (?2 IS NULL OR token_id IS NULL OR token_id = ?2)
       ORDER BY last_ms DESC`,
      Date.parse(from),
      token ?? null,
    );
    let waiting: LoggedRequest[] = [];
    for (const { id, last_ms } of rows.toArray()) {
      const lastAt = new Date(last_ms).toISOString();
      const ready = waiting.findIndex(({ at }) => at <= lastAt);
      yield* waiting.splice(0, ready < 0 ? waiting.length : ready);
      const own = this.#entriesWhere("id = ?", id).filter(({ at }) => at >= from);
      waiting = [...waiting, ...own].sort(newestFirst);
    }
    yield* waiting;
  }
}

const parsed = (entries: string): StoredEntry[] => JSON.parse(`[${entries}]`);

const joined = (entries: readonly StoredEntry[]): string =>
  entries.map((entry) => JSON.stringify(entry)).join();

const withoutLatest = ({ latest: _, ...entry }: StoredEntry): LoggedRequest => entry;

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
