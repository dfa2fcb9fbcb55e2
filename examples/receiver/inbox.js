const dayMs = 24 * 60 * 60 * 1000;

/**
 * What was received: delivery is at least once and in no particular order. This inbox is in memory; keep yours in your
 * database, in the transaction that does the work.
 */
export class Inbox {
  /** Delivery id -> when it came. A window of 24 hours suffices. */
  #seen = new Map();
  /** Record -> created_at of the newest event about it. */
  #newest = new Map();

  /** "new", "duplicate", or "late": a newer event about its record came before it. */
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
