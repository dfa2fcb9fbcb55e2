/** Limits for the nightly backup (core/operator/back-up.ts). */
export const backupLimits = {
  /** How long each cron run copies rows. A 10 GB database takes a few hours in total. */
  stepMs: 20_000,
  /** A run that has held the backup's lease for longer than this is considered dead. */
  leaseMinutes: 5,
  /** Rows per page. Each page is held in memory. */
  rows: 2_000,
  /** Overrides `rows` for tables with rows up to 80 KB. */
  rowsOfTable: { scope_request_evidence: 100, requests: 100 } as Readonly<Record<string, number>>,
  /**
   * The number of images compared per step. Even if all of them must be copied, at 10 MB each, the step ends before the
   * lease does.
   */
  images: 100,
  /** A Worker can have six connections open at once. */
  imagesAtOnce: 6,
  /** How long the completion of a nightly backup is remembered. */
  keptDays: 30,
  /**
   * How long a nightly backup is kept. The bucket's lifecycle rule deletes it (docs/operations.md); from a local
   * folder, the next pull does.
   */
  expireDays: 31,
} as const;
