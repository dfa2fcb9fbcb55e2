/** Limits of the nightly backup (core/operator/back-up.ts). */
export const backupLimits = {
  /** How long one cron run copies. A database of 10 GB takes a few hours. */
  stepMs: 20_000,
  /** After this time, a run that still holds the backup's lease is considered dead. */
  leaseMinutes: 5,
  /** Rows per page; a page is held in memory. */
  rows: 2_000,
  /** For tables whose rows can reach 80 KB. */
  rowsOfTable: { scope_request_evidence: 100, requests: 100 } as Readonly<Record<string, number>>,
  /**
   * Images compared in one step. Even if all of them must be copied, at 10 MB each, the step ends within the lease.
   */
  images: 100,
  /** A Worker can have six connections open at once. */
  imagesAtOnce: 6,
  /** How long the completion of a nightly backup is remembered. */
  keptDays: 30,
  /**
   * When a nightly backup is deleted: from the bucket by its lifecycle rule (docs/operations.md), from a local
   * folder by the next pull.
   */
  expireDays: 31,
} as const;
