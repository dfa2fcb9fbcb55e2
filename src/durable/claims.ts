import { claimLimits } from "../contract/limits.ts";

export interface ClaimRequest {
  key: string;
  fingerprint: string;
  /** Unique per request. If the runtime repeats a call, the call finds its own claim by this id. */
  holder: string;
  /** Waits for an in-flight request with the same key, but does not claim the key. */
  isDry?: boolean;
}

export type Claim =
  | { state: "none" }
  /** `waited`: another request held the key first, so everything read before this call is out of date. */
  | { state: "fresh"; waited: boolean }
  /** The e-mail for this key was sent, but the database has no record of it yet. */
  | { state: "sent"; answer: string }
  | { state: "mismatch" }
  | { state: "in_progress" };

export interface UnrecordedMail {
  key: string;
  fingerprint: string;
  /** JSON. */
  answer: string;
}

const leaseMs = claimLimits.leaseSeconds * 1000;

/**
 * Makes requests with the same key wait for each other. Claims are held in memory, and the ledger in the database
 * prevents duplicates. Sent e-mails that are not in the ledger yet are stored on disk.
 */
export class Claims {
  readonly #sql: SqlStorage;
  /** By key, oldest first. */
  readonly #held = new Map<string, ClaimRequest & { leaseEndsMs: number }>();
  readonly #sent: Map<string, UnrecordedMail>;
  /** Requests that wait for a claim to be released. */
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

  /** Claims the key. While another request holds it, waits until `waitSeconds` after this request arrived. */
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

  /** Releases the key, unless the request has lost its lease, and wakes the waiting requests. */
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

  /** Forgets e-mails that were remembered before this time. Returns whether any remain. */
  forgetSent(beforeMs: number): boolean {
    const gone = this.#sql.exec<{ key: string }>(
      "DELETE FROM sent_mail WHERE kept_ms < ? RETURNING key",
      beforeMs,
    );
    for (const { key } of gone) this.#sent.delete(key);
    return this.#sent.size > 0;
  }

  sentKeys(): string[] {
    return [...this.#sent.keys()];
  }

  /** Clears the memory when the organization and its tables are erased. */
  clear(): void {
    this.#sent.clear();
  }

  /** Claims a key, and drops expired claims, which come first. */
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
