import { claimLimits } from "../contract/limits.ts";

/** What a request needs besides being counted: to hold a key while it works. */
export interface ClaimRequest {
  key: string;
  fingerprint: string;
  /**
   * A new id that the caller creates for each request. If the runtime repeats a call, it finds the claim that
   * it already acquired.
   */
  holder: string;
  /** Waits for the key's holder like any other request, but does not acquire the key. */
  isDry?: boolean;
}

export type Claim =
  | { state: "none" }
  /** waited: for another request with this key; what the caller read before that is out of date. */
  | { state: "fresh"; waited: boolean }
  /** The e-mail of this key was sent, but the database has no record of it yet. */
  | { state: "sent"; answer: string }
  | { state: "mismatch" }
  | { state: "in_progress" };

/** An e-mail that was sent while the database did not accept its record. */
export interface UnrecordedMail {
  key: string;
  fingerprint: string;
  /** JSON. */
  answer: string;
}

const leaseMs = claimLimits.leaseSeconds * 1000;

/**
 * Makes requests with the same key wait for each other. Claims live in memory; the ledger in the database makes
 * work happen once. Sent e-mails that the ledger does not have yet are stored on disk.
 */
export class Claims {
  readonly #sql: SqlStorage;
  /** By key, oldest first. */
  readonly #held = new Map<string, ClaimRequest & { leaseEndsMs: number }>();
  readonly #sent: Map<string, UnrecordedMail>;
  /** Requests waiting for a claim's holder; they continue when it releases the key. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS sent_mail (
      key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, answer TEXT NOT NULL, kept_ms INTEGER NOT NULL) WITHOUT ROWID`);
    const sent = sql.exec<UnrecordedMail & Record<string, SqlStorageValue>>(
      "SELECT key, fingerprint, answer FROM sent_mail",
    );
    this.#sent = new Map([...sent].map((mail) => [mail.key, mail]));
  }

  /** While the same request is in progress, waits for it, at most `waitSeconds` after arriving. */
  async claim(request: ClaimRequest, arrivedMs: number): Promise<Claim> {
    const { key, fingerprint, holder } = request;
    const patienceEndsMs = arrivedMs + claimLimits.waitSeconds * 1000;
    for (let waited = false; ; waited = true) {
      const nowMs = Date.now();
      const sent = this.#sent.get(key);
      if (sent)
        return sent.fingerprint === fingerprint
          ? { state: "sent", answer: sent.answer }
          : { state: "mismatch" };
      const held = this.#held.get(key);
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

  /** Wakes the waiting requests. A holder that has lost its lease does not release the key. */
  release({ key, holder }: Pick<ClaimRequest, "key" | "holder">): void {
    if (this.#held.get(key)?.holder === holder) this.#held.delete(key);
    for (const end of [...(this.#waiting.get(key) ?? [])]) end();
  }

  rememberSent({ key, fingerprint, answer }: UnrecordedMail): void {
    this.#sent.set(key, { key, fingerprint, answer });
    const keeping =
      "INSERT OR REPLACE INTO sent_mail (key, fingerprint, answer, kept_ms) VALUES (?, ?, ?, ?)";
    this.#sql.exec(keeping, key, fingerprint, answer, Date.now());
  }

  /** Forgets e-mails that were remembered before this time, and returns whether any remain. */
  forgetSent(beforeMs: number): boolean {
    const gone = this.#sql.exec<{ key: string }>(
      "DELETE FROM sent_mail WHERE kept_ms < ? RETURNING key",
      beforeMs,
    );
    for (const { key } of gone) this.#sent.delete(key);
    return this.#sent.size > 0;
  }

  /** For an organization that is being erased together with its tables. */
  clear(): void {
    this.#sent.clear();
  }

  /** Acquires a key, and drops the claims of holders that died, which are the oldest. */
  #take(request: ClaimRequest, nowMs: number): void {
    for (const [key, { leaseEndsMs }] of this.#held) {
      if (leaseEndsMs > nowMs) break;
      this.#held.delete(key);
    }
    this.#held.delete(request.key);
    this.#held.set(request.key, { ...request, leaseEndsMs: nowMs + leaseMs });
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
}
