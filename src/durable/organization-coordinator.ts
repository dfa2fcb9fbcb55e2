import { retryable } from "cloudflare:durable-objects";
import { DurableObject } from "cloudflare:workers";
import { claimLimits, limits } from "../contract/limits.ts";
import { sessionLimits } from "../contract/session-limits.ts";

export interface Place {
  outcome: "limited" | "counted";
  /** Whole seconds to the end of the window, at least 1. */
  resetSeconds: number;
}

export interface Count extends Place {
  /** The minute of the token's last counted request before this one; null: there was none. */
  lastUsedAt: string | null;
}

/** A limited request claims nothing. */
export type Acquired = Count & { claim: Claim };

/** What a request asks for, besides being counted: to work alone under a key. */
export interface ClaimRequest {
  key: string;
  fingerprint: string;
  /**
   * A new id that the caller makes for each request. If the runtime repeats a call, it finds the claim that it took
   * already.
   */
  holder: string;
  /** It waits for the key's holder as any request does, and takes nothing. */
  isDry?: boolean;
}

type Claim =
  | { state: "none" }
  /** waited: for another request with this key. What the caller read before is out of date. */
  | { state: "fresh"; waited: boolean }
  /** The mail of this key went out, and the database does not know of it yet. */
  | { state: "sent"; answer: string }
  | { state: "mismatch" }
  | { state: "in_progress" };

/** A mail that went out while the database did not take its record. */
interface UnrecordedMail {
  key: string;
  fingerprint: string;
  /** JSON. */
  answer: string;
}

const windowMs = limits.rateWindowSeconds * 1000;
const leaseMs = claimLimits.leaseSeconds * 1000;
const dayMs = 86_400_000;
/** Counts reach the disk this much later at most, so that many requests share one write. */
const persistDelayMs = 50;

/** What is counted apart: requests of the API, and calls by RPC and the settings. Each has its table. */
const windowTables = { requests: "rate_window", sessionCalls: "session_window" } as const;
type WindowName = keyof typeof windowTables;
const windowNames = Object.keys(windowTables) as WindowName[];

/**
 * The coordinator of one organization: counts its requests in fixed windows per minute, and lets requests of one key
 * wait for each other. Claims live in memory: what makes work happen once is the ledger in the database.
 */
export class OrganizationCoordinator extends DurableObject<Env> {
  /**
   * A deploy moves the object and cuts its callers off; the runtime may then make these calls again. At worst a request
   * is counted twice.
   */
  static {
    const { count, countSessionCall, acquire, release, rememberSent, lastUses, erase } =
      OrganizationCoordinator.prototype;
    retryable(count, countSessionCall, acquire, release, rememberSent, lastUses, erase);
  }

  readonly #sql: SqlStorage;
  readonly #windows: Record<WindowName, { startMs: number; count: number }>;
  /** The minute in which each token was last counted, and the tokens whose minute is not on disk yet. */
  readonly #lastUses: Map<string, number>;
  readonly #unsavedUses = new Set<string>();
  /** By key, the oldest first. */
  readonly #claims = new Map<string, ClaimRequest & { leaseEndsMs: number }>();
  readonly #sent: Map<string, UnrecordedMail>;
  #persisting = false;
  #isErased = false;
  /** Requests that wait for a claim's holder: they go on when it gives the key back. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    for (const name of windowNames)
      this.#sql.exec(`CREATE TABLE IF NOT EXISTS ${windowTables[name]} (
        id INTEGER PRIMARY KEY CHECK (id = 1), start_ms INTEGER, count INTEGER)`);
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS token_use (token_id TEXT PRIMARY KEY, minute_ms INTEGER NOT NULL) WITHOUT ROWID",
    );
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS sent_mail (
      key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, answer TEXT NOT NULL, kept_ms INTEGER NOT NULL) WITHOUT ROWID`);
    const sent = this.#sql.exec<UnrecordedMail & Record<string, SqlStorageValue>>(
      "SELECT key, fingerprint, answer FROM sent_mail",
    );
    this.#sent = new Map([...sent].map((mail) => [mail.key, mail]));
    const uses = this.#sql.exec<{ token_id: string; minute_ms: number }>(
      "SELECT token_id, minute_ms FROM token_use",
    );
    this.#lastUses = new Map([...uses].map(({ token_id, minute_ms }) => [token_id, minute_ms]));
    this.#windows = { requests: this.#stored("requests"), sessionCalls: this.#stored("sessionCalls") };
  }

  /**
   * Counts one request against the organization's ceiling. A read asks for nothing else. null: it was counted before.
   */
  count(requestsPerMinute: number | null, tokenId: string): Count {
    const lastUsedAt = toTimestamp(this.#lastUses.get(tokenId));
    const place = this.#takePlace("requests", requestsPerMinute);
    if (requestsPerMinute !== null && place.outcome === "counted")
      this.#noteUse(tokenId, this.#windows.requests.startMs);
    return { ...place, lastUsedAt };
  }

  /** Counts one call by RPC or the settings. */
  countSessionCall(): Place {
    return this.#takePlace("sessionCalls", sessionLimits.callsPerMinute);
  }

  /** The minute in which each token was last counted, for every token that ever was. */
  lastUses(): Record<string, string> {
    const uses = [...this.#lastUses].map(([tokenId, minuteMs]) => [tokenId, toTimestamp(minuteMs)]);
    return Object.fromEntries(uses);
  }

  /**
   * Counts one request and answers its claim, unless the request is limited. A fresh claim is leased for
   * `leaseSeconds`. While the same request is in progress, the call waits for it, `waitSeconds` at most.
   */
  async acquire(
    requestsPerMinute: number | null,
    tokenId: string,
    request?: ClaimRequest,
  ): Promise<Acquired> {
    const nowMs = Date.now();
    const count = this.count(requestsPerMinute, tokenId);
    if (count.outcome === "limited" || !request) return { ...count, claim: { state: "none" } };
    return { ...count, claim: await this.#claim(request, nowMs) };
  }

  /** Gives a key back, because its request has ended. A holder that lost its lease gives back nothing. */
  release({ key, holder }: Pick<ClaimRequest, "key" | "holder">): void {
    if (this.#claims.get(key)?.holder === holder) this.#claims.delete(key);
    for (const end of [...(this.#waiting.get(key) ?? [])]) end();
  }

  /**
   * Remembers a mail that went out while the database did not take its record, so that no retry mails again before the
   * queue of send records has brought it.
   */
  async rememberSent({ key, fingerprint, answer }: UnrecordedMail): Promise<void> {
    if (this.#isErased) return;
    this.#sent.set(key, { key, fingerprint, answer });
    const keeping =
      "INSERT OR REPLACE INTO sent_mail (key, fingerprint, answer, kept_ms) VALUES (?, ?, ?, ?)";
    this.#sql.exec(keeping, key, fingerprint, answer, Date.now());
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + dayMs);
  }

  /**
   * Forgets everything, the alarm too, because the organization is erased. This instance has no tables from then on: it
   * saves no count and keeps no claim.
   */
  async erase(): Promise<void> {
    this.#isErased = true;
    this.#lastUses.clear();
    this.#sent.clear();
    await this.ctx.storage.deleteAll();
  }

  /** Forgets mails that the queue of send records no longer tries to record, daily while there are any. */
  override async alarm(): Promise<void> {
    const keptSinceMs = Date.now() - claimLimits.sentMailDays * dayMs;
    const gone = this.#sql.exec<{ key: string }>(
      "DELETE FROM sent_mail WHERE kept_ms < ? RETURNING key",
      keptSinceMs,
    );
    for (const { key } of gone) this.#sent.delete(key);
    if (this.#sent.size > 0) await this.ctx.storage.setAlarm(Date.now() + dayMs);
  }

  async #claim(request: ClaimRequest, arrivedMs: number): Promise<Claim> {
    const { key, fingerprint, holder } = request;
    const patienceEndsMs = arrivedMs + claimLimits.waitSeconds * 1000;
    for (let waited = false; ; waited = true) {
      const nowMs = Date.now();
      const sent = this.#sent.get(key);
      if (sent)
        return sent.fingerprint === fingerprint
          ? { state: "sent", answer: sent.answer }
          : { state: "mismatch" };
      const held = this.#claims.get(key);
      const isFree = !held || held.leaseEndsMs <= nowMs || held.holder === holder;
      if (isFree) {
        if (!request.isDry) this.#take(request, nowMs);
        return { state: "fresh", waited: waited || held !== undefined };
      }
      if (held.fingerprint !== fingerprint) return { state: "mismatch" };
      if (nowMs >= patienceEndsMs) return { state: "in_progress" };
      await this.#waitForHolder(key, Math.min(patienceEndsMs, held.leaseEndsMs) - nowMs);
    }
  }

  /** Takes a key, and drops the claims of holders that died: they are the oldest. */
  #take(request: ClaimRequest, nowMs: number): void {
    for (const [key, { leaseEndsMs }] of this.#claims) {
      if (leaseEndsMs > nowMs) break;
      this.#claims.delete(key);
    }
    this.#claims.delete(request.key);
    this.#claims.set(request.key, { ...request, leaseEndsMs: nowMs + leaseMs });
  }

  #waitForHolder(key: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, waiters);
      const end = () => {
        clearTimeout(timer);
        waiters.delete(end);
        if (waiters.size === 0) this.#waiting.delete(key);
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      waiters.add(end);
    });
  }

  /** One more in this minute's window, if it has room; a ceiling of null counts nothing. */
  #takePlace(name: WindowName, ceiling: number | null): Place {
    const nowMs = Date.now();
    const startMs = nowMs - (nowMs % windowMs);
    const resetSeconds = Math.ceil((startMs + windowMs - nowMs) / 1000);
    if (this.#windows[name].startMs !== startMs) this.#windows[name] = { startMs, count: 0 };
    if (ceiling === null) return { outcome: "counted", resetSeconds };
    if (this.#windows[name].count >= ceiling) return { outcome: "limited", resetSeconds };
    this.#windows[name].count += 1;
    this.#persistSoon();
    return { outcome: "counted", resetSeconds };
  }

  #stored(name: WindowName): { startMs: number; count: number } {
    const found = this.#sql.exec<{ start_ms: number; count: number }>(
      `SELECT start_ms, count FROM ${windowTables[name]}`,
    );
    const [row] = found;
    return { startMs: row?.start_ms ?? 0, count: row?.count ?? 0 };
  }

  #noteUse(tokenId: string, minuteMs: number): void {
    if (this.#lastUses.get(tokenId) === minuteMs) return;
    this.#lastUses.set(tokenId, minuteMs);
    this.#unsavedUses.add(tokenId);
  }

  #saveUses(): void {
    for (const tokenId of this.#unsavedUses) {
      const minuteMs = this.#lastUses.get(tokenId) ?? null;
      this.#sql.exec(
        "INSERT OR REPLACE INTO token_use (token_id, minute_ms) VALUES (?, ?)",
        tokenId,
        minuteMs,
      );
    }
    this.#unsavedUses.clear();
  }

  #persistSoon(): void {
    if (this.#persisting) return;
    this.#persisting = true;
    setTimeout(() => {
      this.#persisting = false;
      if (this.#isErased) return;
      for (const name of windowNames) {
        const { startMs, count } = this.#windows[name];
        const saving = `INSERT OR REPLACE INTO ${windowTables[name]} (id, start_ms, count) VALUES (1, ?, ?)`;
        this.#sql.exec(saving, startMs, count);
      }
      this.#saveUses();
    }, persistDelayMs);
  }
}

function toTimestamp(ms: number): string;
function toTimestamp(ms: number | undefined): string | null;
function toTimestamp(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
