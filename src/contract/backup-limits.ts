/** The nightly copy of the database and the images (core/operator/back-up.ts). */
export const backupLimits = {
  /** How long each minute copies: 10 GB take a few hours. */
  stepMs: 20_000,
  /** A run that holds the night longer has died. */
  leaseMinutes: 5,
  /** Rows of a page, which is held in memory. */
  rows: 2_000,
  /** Tables whose rows may have 80 KB. */
  rowsOfTable: { scope_request_evidence: 100, requests: 100 } as Readonly<Record<string, number>>,
  /** Images that a step compares, and copies if the backups lack all of them: within the lease at 10 MB each. */
  images: 100,
  /** A Worker has six connections. */
  imagesAtOnce: 6,
  /** How long a night's completion is remembered. */
  keptDays: 30,
  /**
   * When a night is deleted: from the bucket by its lifecycle rule (docs/operations.md), from the folder with the next
   * pull.
   */
  expireDays: 31,
} as const;
