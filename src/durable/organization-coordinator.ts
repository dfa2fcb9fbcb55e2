import { retryable } from "cloudflare:durable-objects";
import { DurableObject } from "cloudflare:workers";
import type { CoordinatorRow } from "../contract/coordinator-rows.ts";
import { dayMs } from "../contract/durations.ts";
import { claimLimits } from "../contract/limits.ts";
import type { DayOfUsage, FoundRequest, LoggedRequest, RequestFilter } from "../contract/request-log.ts";
import { sessionLimits } from "../contract/session-limits.ts";
import type { SurvivingFacts } from "../contract/surviving-facts.ts";
import { type Claim, type ClaimRequest, Claims, type UnrecordedMail } from "./claims.ts";
import { DailyUsage } from "./daily-usage.ts";
import { ExportLease } from "./export-lease.ts";
import { FactStore } from "./facts.ts";
import { RateWindows, type WindowCount } from "./rate-windows.ts";
import { RequestLog } from "./request-log.ts";
import { type WaitRequest, Waits } from "./waits.ts";

export interface Count extends Omit<WindowCount, "outcome"> {
  /** `ended`: the token was revoked or has expired, even if the database says otherwise. */
  outcome: WindowCount["outcome"] | "ended";
  /** The minute of the token's previous counted request; null if it is the first. */
  lastUsedAt: string | null;
}

/** A key is only claimed if the request was counted. */
export type Acquired = Count & { claim: Claim };

/** Each row holds up to 100 requests; a page is at most 2 MB. */
const rowsOfCopy = 50;

/**
 * The coordinator of one organization. Counts the organization's requests in fixed one-minute windows, and makes
 * requests with the same key wait for each other (claims.ts). Stores the request log (request-log.ts) and daily usage
 * (daily-usage.ts), and limits the requests that wait for an event (waits.ts).
 */
export class OrganizationCoordinator extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #windows: RateWindows;
  /** The minute in which each token was last counted, and the tokens whose minute is not on disk yet. */
  readonly #lastUses: Map<string, number>;
  readonly #unsavedUses = new Set<string>();
  #claims: Claims;
  #isSaving = false;
  #isErased = false;
  #requestLog: RequestLog;
  #usage: DailyUsage;
  #facts: FactStore;
  #export: ExportLease;
  #waits: Waits;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#createTables();
    const uses = this.#sql.exec<{ token_id: string; minute_ms: number }>(
      "SELECT token_id, minute_ms FROM token_use",
    );
    this.#lastUses = new Map([...uses].map(({ token_id, minute_ms }) => [token_id, minute_ms]));
    this.#claims = new Claims(this.#sql);
    this.#usage = new DailyUsage(this.#sql);
    this.#requestLog = new RequestLog(this.#sql, this.#usage);
    this.#facts = new FactStore(this.#sql);
    this.#export = new ExportLease(this.#sql);
    this.#waits = new Waits(this.#sql);
    this.#windows = new RateWindows(this.#sql, () => this.#saveSoon());
  }

  /** Counts one request against the organization's ceiling. A read needs nothing else. */
  count(requestsPerMinute: number | null, tokenId: string): Count {
    const lastUsedAt = toTimestamp(this.#lastUses.get(tokenId));
    if (this.#facts.hasEnded(tokenId)) return { outcome: "ended", resetSeconds: 1, lastUsedAt };
    const counted = this.#windows.count("requests", requestsPerMinute);
    if (requestsPerMinute !== null && counted.outcome === "counted")
      this.#noteUse(tokenId, this.#windows.startMs("requests"));
    return { ...counted, lastUsedAt };
  }

  /** Counts RPC and settings calls, if at least `placesLeft` calls remain available afterwards. */
  countSessionCall(calls = 1, placesLeft = 0): WindowCount {
    return this.#windows.count("sessionCalls", sessionLimits.callsPerMinute - placesLeft, calls);
  }

  /** Lets an export begin unless another one is running. */
  beginExport(holder: string): boolean {
    return this.#isErased || this.#export.begin(holder);
  }

  endExport(holder: string): void {
    if (!this.#isErased) this.#export.end(holder);
  }

  /** Lets a request wait for an event, unless too many requests with its token are already waiting. */
  beginWait(wait: WaitRequest): boolean {
    return this.#isErased || this.#waits.begin(wait);
  }

  /** Ends a request's wait early. */
  endWait(wait: Pick<WaitRequest, "tokenId" | "holder">): void {
    if (!this.#isErased) this.#waits.end(wait);
  }

  /** Returns the minute in which each token, including former ones, was last counted. */
  lastUses(): Record<string, string> {
    const uses = [...this.#lastUses].map(([tokenId, minuteMs]) => [
      tokenId,
      new Date(minuteMs).toISOString(),
    ]);
    return Object.fromEntries(uses);
  }

  /**
   * Counts one request and, unless the request is limited, returns its claim. A new claim is leased for `leaseSeconds`.
   * If a request with the same key is in flight, waits for it, at most `waitSeconds`.
   */
  async acquire(
    requestsPerMinute: number | null,
    tokenId: string,
    request?: ClaimRequest,
  ): Promise<Acquired> {
    const nowMs = Date.now();
    const count = this.count(requestsPerMinute, tokenId);
    if (count.outcome !== "counted" || !request) return { ...count, claim: { state: "none" } };
    return { ...count, claim: await this.#claims.claim(request, nowMs) };
  }

  /** Releases a key when its request ends. Does nothing if the request has lost its lease. */
  release(given: Pick<ClaimRequest, "key" | "holder">): void {
    this.#claims.release(given);
  }

  /**
   * Remembers an e-mail that was sent but could not be recorded in the database, so that it is not sent again before
   * the send-records queue has delivered the record.
   */
  async rememberSent(mail: UnrecordedMail): Promise<void> {
    if (this.#isErased) return;
    this.#claims.rememberSent(mail);
    await this.#wakeInADay();
  }

  /**
   * Deletes everything, including the alarm, when the organization is erased. Afterwards, this instance has no tables,
   * and does not save counts or claims.
   */
  async erase(): Promise<void> {
    this.#isErased = true;
    this.#lastUses.clear();
    this.#claims.clear();
    this.#facts.clear();
    await this.ctx.storage.deleteAll();
  }

  /** Stores facts that must survive a restore of the database. */
  keepFacts(facts: SurvivingFacts): void {
    if (!this.#isErased) this.#facts.keep(facts);
  }

  /** Adds facts from the coordinator of an imported organization and returns all facts. */
  importFacts(facts: SurvivingFacts): SurvivingFacts {
    this.#startOver();
    this.#facts.keep(facts);
    return this.#facts.all();
  }

  /** Returns the keys of e-mails whose records may not be in the database yet. */
  sentMails(): string[] {
    return this.#isErased ? [] : this.#claims.sentKeys();
  }

  /**
   * Returns a page of request data for a full export, after a given row. The last page also has usage and last uses.
   */
  keptRows(afterId: number): { rows: CoordinatorRow[]; next: number | null } {
    if (this.#isErased) return { rows: [], next: null };
    const rows: CoordinatorRow[] = this.#requestLog.rowsAfter(afterId, rowsOfCopy);
    const last = rows.at(-1);
    if (rows.length === rowsOfCopy && last?.kind === "requests") return { rows, next: last.id };
    const usage = this.#usage.since("", []).map((day): CoordinatorRow => ({ kind: "usage", ...day }));
    const uses = [...this.#lastUses].map(
      ([token_id, minute_ms]): CoordinatorRow => ({ kind: "last_use", token_id, minute_ms }),
    );
    return { rows: [...rows, ...usage, ...uses], next: null };
  }

  /** Stores rows from the coordinator of an imported organization. The first page replaces the existing rows. */
  async importRows(rows: readonly CoordinatorRow[], isFirst: boolean): Promise<void> {
    this.#startOver();
    if (isFirst) {
      this.#requestLog.clear();
      this.#usage.clear();
    }
    for (const row of rows) this.#keepRow(row);
    await this.#wakeInADay();
  }

  #keepRow(row: CoordinatorRow): void {
    if (row.kind === "requests") this.#requestLog.keepRow(row);
    else if (row.kind === "usage") this.#usage.keepDay(row);
    else this.#noteUse(row.token_id, row.minute_ms);
  }

  /** Creates the tables again after an erasure. */
  #startOver(): void {
    if (!this.#isErased) return;
    this.#createTables();
    this.#windows.createTables();
    this.#claims = new Claims(this.#sql);
    this.#usage = new DailyUsage(this.#sql);
    this.#requestLog = new RequestLog(this.#sql, this.#usage);
    this.#facts = new FactStore(this.#sql);
    this.#export = new ExportLease(this.#sql);
    this.#waits = new Waits(this.#sql);
    this.#isErased = false;
  }

  keptFacts(): SurvivingFacts {
    return this.#isErased ? { tokenEnds: {}, invoiceNumber: null } : this.#facts.all();
  }

  /** Stores finished requests, oldest first. */
  async logRequests(requests: readonly LoggedRequest[]): Promise<void> {
    if (this.#isErased || !this.#requestLog.add(requests)) return;
    await this.#wakeInADay();
  }

  /** Finds requests, newest first. */
  findRequests(filter: RequestFilter): LoggedRequest[] {
    return this.#isErased ? [] : this.#requestLog.find(filter);
  }

  findRequest(requestId: string): FoundRequest | null {
    return this.#isErased ? null : this.#requestLog.get(requestId);
  }

  countDeliveries(deliveries: number): void {
    if (!this.#isErased) this.#usage.addDeliveries(deliveries);
  }

  /** Returns usage from `day` on, newest first, without empty days. */
  usageSince(day: string): DayOfUsage[] {
    return this.#isErased ? [] : this.#usage.since(day, this.#requestLog.uncounted());
  }

  /** Runs daily while there are requests or unrecorded e-mails to delete. */
  override async alarm(): Promise<void> {
    this.#waits.dropFree();
    const keptSinceMs = Date.now() - claimLimits.sentMailDays * dayMs;
    const isLeft = [this.#claims.forgetSent(keptSinceMs), this.#requestLog.dropOld()];
    if (isLeft.includes(true)) await this.#wakeInADay();
  }

  async #wakeInADay(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + dayMs);
  }

  #createTables(): void {
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS token_use (token_id TEXT PRIMARY KEY, minute_ms INTEGER NOT NULL) WITHOUT ROWID",
    );
  }

  #noteUse(tokenId: string, minuteMs: number): void {
    if (this.#lastUses.get(tokenId) === minuteMs) return;
    this.#lastUses.set(tokenId, minuteMs);
    this.#unsavedUses.add(tokenId);
    this.#saveSoon();
  }

  /** Saves after the response, so that the response does not wait for the disk. */
  #saveSoon(): void {
    if (this.#isSaving) return;
    this.#isSaving = true;
    setTimeout(() => {
      this.#isSaving = false;
      if (!this.#isErased) this.#save();
    }, 0);
  }

  #save(): void {
    this.#windows.save();
    for (const tokenId of this.#unsavedUses) {
      const saving = `INSERT INTO token_use (token_id, minute_ms) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET minute_ms = excluded.minute_ms`;
      this.#sql.exec(saving, tokenId, this.#lastUses.get(tokenId) ?? null);
    }
    this.#unsavedUses.clear();
  }
}

/** When a deployment disconnects callers, the runtime may repeat these calls. At worst, a request is counted twice. */
const { prototype: of } = OrganizationCoordinator;
retryable(of.count, of.countSessionCall, of.acquire, of.release, of.rememberSent, of.lastUses, of.erase);
retryable(of.sentMails, of.keepFacts, of.importFacts, of.keptFacts, of.keptRows, of.importRows);
retryable(of.beginExport, of.endExport, of.beginWait, of.endWait);
retryable(of.logRequests, of.findRequests, of.findRequest, of.countDeliveries, of.usageSince);

function toTimestamp(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
