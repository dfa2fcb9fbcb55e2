import { retryable } from "cloudflare:durable-objects";
import { DurableObject } from "cloudflare:workers";
import type { Claim, ClaimRequest, Completion } from "../contract/claims.ts";
import { claimLimits, limits } from "../contract/limits.ts";

export interface Count {
  outcome: "limited" | "counted";
  /** Whole seconds to the end of the window, at least 1. */
  resetSeconds: number;
  /** The minute of the token's last counted request before this one; null: there was none. */
  lastUsedAt: string | null;
}

/** A limited request claims nothing. */
export type Acquired = Count & { claim: Claim };

type ClaimRow = { fingerprint: string; lease_ends_ms: number; answer: string | null };

const takeSql = `
INSERT INTO claim (key, fingerprint, holder, lease_ends_ms, claimed_ms) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, lease_ends_ms = excluded.lease_ends_ms
WHERE fingerprint = excluded.fingerprint AND answer IS NULL
  AND (lease_ends_ms <= excluded.claimed_ms OR holder = excluded.holder)
RETURNING claimed_ms`;

const purgeSql = `
DELETE FROM claim WHERE id < coalesce((SELECT id FROM claim WHERE claimed_ms >= ? ORDER BY id LIMIT 1), 1e18)`;

/** Marks an answer that a replay reads back from its row. */
const inItsRow = "";

const windowMs = limits.rateWindowSeconds * 1000;
const leaseMs = claimLimits.leaseSeconds * 1000;
const dayMs = 86_400_000;
/** Counts reach the disk this much later at most, so that many requests share one write. */
const persistDelayMs = 50;

/**
 * The coordinator of one organization: counts its requests in a fixed window per minute and keeps its idempotency
 * claims. Storage calls are synchronous, so nothing slips between a read and its write.
 */
export class OrganizationCoordinator extends DurableObject<Env> {
  /**
   * A deploy moves the object and cuts its callers off; the runtime may then make these calls again. At worst a request
   * is counted twice.
   */
  static {
    const { count, acquire, complete, release, lastUses, forgetAnswers, erase } =
      OrganizationCoordinator.prototype;
    retryable(count, acquire, complete, release, lastUses, forgetAnswers, erase);
  }

  readonly #sql: SqlStorage;
  #window: { startMs: number; count: number };
  /** The minute in which each token was last counted, and the tokens whose minute is not on disk yet. */
  readonly #lastUses: Map<string, number>;
  readonly #unsavedUses = new Set<string>();
  /** No answer that holds one of these texts is kept. */
  readonly #forgotten = new Set<string>();
  #persisting = false;
  #isErased = false;
  #purgeScheduled = false;
  /** Requests that wait for a claim's holder: they go on when it completes or gives the key back. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    // Rows lie in the order of their claims, so that an answer is written to a page still at hand and a purge reads
    // only old rows.
    this.#sql.exec(`CREATE TABLE IF NOT EXISTS claim (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL, holder TEXT NOT NULL,
      lease_ends_ms INTEGER NOT NULL, answer TEXT, claimed_ms INTEGER NOT NULL)`);
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS rate_window (id INTEGER PRIMARY KEY CHECK (id = 1), start_ms INTEGER, count INTEGER)",
    );
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS token_use (token_id TEXT PRIMARY KEY, minute_ms INTEGER NOT NULL) WITHOUT ROWID",
    );
    const uses = this.#sql.exec<{ token_id: string; minute_ms: number }>(
      "SELECT token_id, minute_ms FROM token_use",
    );
    this.#lastUses = new Map([...uses].map(({ token_id, minute_ms }) => [token_id, minute_ms]));
    const [stored] = this.#sql.exec<{ start_ms: number; count: number }>(
      "SELECT start_ms, count FROM rate_window",
    );
    this.#window = { startMs: stored?.start_ms ?? 0, count: stored?.count ?? 0 };
  }

  /**
   * Counts one request against the organization's ceiling. A read asks for nothing else. null: it was counted before.
   */
  count(requestsPerMinute: number | null, tokenId: string): Count {
    const nowMs = Date.now();
    const startMs = nowMs - (nowMs % windowMs);
    const resetSeconds = Math.ceil((startMs + windowMs - nowMs) / 1000);
    if (this.#window.startMs !== startMs) this.#window = { startMs, count: 0 };
    const lastUsedAt = toTimestamp(this.#lastUses.get(tokenId));
    if (requestsPerMinute === null) return { outcome: "counted", resetSeconds, lastUsedAt };
    if (this.#window.count >= requestsPerMinute) return { outcome: "limited", resetSeconds, lastUsedAt };
    this.#window.count += 1;
    this.#noteUse(tokenId, startMs);
    this.#persistSoon();
    return { outcome: "counted", resetSeconds, lastUsedAt };
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

  /** Keeps the answer of a finished request. Of a long answer, it keeps that the request succeeded. */
  complete({ key, fingerprint, answer }: Completion): void {
    const isForgotten = [...this.#forgotten].some((text) => answer.includes(text));
    const kept = isForgotten || answer.length > claimLimits.answerCharacters ? inItsRow : answer;
    const keeping = "UPDATE claim SET answer = ? WHERE key = ? AND fingerprint = ?";
    if (!this.#isErased) this.#sql.exec(keeping, kept, key, fingerprint);
    this.#resumeWaiters(key);
  }

  /** Gives a key back, because its request failed. A holder that lost its lease gives back nothing. */
  release(key: string, holder: string): void {
    const givingBack = "DELETE FROM claim WHERE key = ? AND holder = ? AND answer IS NULL";
    if (!this.#isErased) this.#sql.exec(givingBack, key, holder);
    this.#resumeWaiters(key);
  }

  /**
   * Forgets the answers that hold a text, also those that arrive later. Their replays are read back from the rows, as
   * the rows are then.
   */
  forgetAnswers(text: string): void {
    if (this.#isErased) return;
    this.#forgotten.add(text);
    this.#sql.exec("UPDATE claim SET answer = ? WHERE instr(answer, ?) > 0", inItsRow, text);
  }

  /**
   * Forgets everything, the alarm too, because the organization is erased. This instance has no tables from then on: it
   * saves no count and keeps no claim.
   */
  async erase(): Promise<void> {
    this.#isErased = true;
    this.#lastUses.clear();
    await this.ctx.storage.deleteAll();
  }

  /** Purges claims older than `keptDays`, daily while there are any. */
  override async alarm(): Promise<void> {
    const keptSinceMs = Date.now() - claimLimits.keptDays * dayMs;
    this.#sql.exec(purgeSql, keptSinceMs);
    const [left] = this.#sql.exec("SELECT 1 FROM claim LIMIT 1");
    this.#purgeScheduled = left !== undefined;
    if (left) await this.ctx.storage.setAlarm(Date.now() + dayMs);
  }

  async #claim(request: ClaimRequest, arrivedMs: number): Promise<Claim> {
    const { key, fingerprint, take } = request;
    const patienceEndsMs = arrivedMs + claimLimits.waitSeconds * 1000;
    for (let waited = false; ; waited = true) {
      if (this.#isErased) return { state: "none" };
      const nowMs = Date.now();
      const claimedMs = take ? this.#take(request, nowMs) : undefined;
      // Taken over from a holder whose lease ended; that holder may have done its work since the caller looked.
      if (claimedMs !== undefined) return { state: "fresh", waited: waited || nowMs - claimedMs >= leaseMs };
      const [held] = this.#sql.exec<ClaimRow>(
        "SELECT fingerprint, lease_ends_ms, answer FROM claim WHERE key = ?",
        key,
      );
      if (held && held.fingerprint !== fingerprint) return { state: "mismatch" };
      if (held && held.answer !== null) {
        return { state: "replay", answer: held.answer === inItsRow ? null : held.answer };
      }
      if (!held || held.lease_ends_ms <= nowMs) return { state: "fresh", waited };
      if (nowMs >= patienceEndsMs) return { state: "in_progress" };
      await this.#waitForHolder(key, Math.min(patienceEndsMs, held.lease_ends_ms) - nowMs);
    }
  }

  /**
   * Takes a key that is free, or that the same request holds with an ended lease. Answers when it was first claimed.
   */
  #take({ key, fingerprint, holder }: ClaimRequest, nowMs: number): number | undefined {
    const values = [key, fingerprint, holder, nowMs + leaseMs, nowMs];
    const [taken] = this.#sql.exec<{ claimed_ms: number }>(takeSql, ...values);
    if (taken) this.#schedulePurge();
    return taken?.claimed_ms;
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

  #resumeWaiters(key: string): void {
    for (const end of [...(this.#waiting.get(key) ?? [])]) end();
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
      this.#sql.exec(
        "INSERT OR REPLACE INTO rate_window (id, start_ms, count) VALUES (1, ?, ?)",
        this.#window.startMs,
        this.#window.count,
      );
      this.#saveUses();
    }, persistDelayMs);
  }

  #schedulePurge(): void {
    if (this.#purgeScheduled) return;
    this.#purgeScheduled = true;
    this.ctx.waitUntil(
      this.ctx.storage.getAlarm().then(async (alarm) => {
        if (alarm === null) await this.ctx.storage.setAlarm(Date.now() + dayMs);
      }),
    );
  }
}

function toTimestamp(ms: number): string;
function toTimestamp(ms: number | undefined): string | null;
function toTimestamp(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
