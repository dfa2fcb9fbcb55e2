const dayMs = 24 * 60 * 60 * 1000;

/**
 * Recognizes duplicates and late events, since deliveries arrive at least once and in any order. This inbox is in
 * memory. Keep yours in your database, in the same transaction as the work.
 */
export class Inbox {
  /** Delivery id -> time of receipt. Entries are kept for 24 hours, which is enough. */
  #seen = new Map();
  /** Record -> created_at of the newest event about it. */
  #newest = new Map();

  /** Returns "new", "duplicate", or "late" if a newer event about the same record arrived first. */
  take(deliveryId, { created_at, data }) {
    const nowMs = Date.now();
    for (const [id, atMs] of this.#seen) {
      if (nowMs - atMs < dayMs) break;
      this.#seen.delete(id);
    }
    if (this.#seen.has(deliveryId)) return "duplicate";
    this.#seen.set(deliveryId, nowMs);
    const record = data.invoice_id ?? data.deliverable_id ?? data.change_order_id ?? data.deposit_id;
    if (record === undefined) return "new";
    if ((this.#newest.get(record) ?? "") > created_at) return "late";
    this.#newest.set(record, created_at);
    return "new";
  }
}
