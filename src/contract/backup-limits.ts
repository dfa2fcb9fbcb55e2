/** The nightly copy of the database (workspace/operator/back-up.ts). */
export const backupLimits = {
  /** How long a minute copies: 10 GB take a few hours. */
  stepMs: 20_000,
  /** A run that holds the night longer has died. */
  leaseMinutes: 5,
  /** Rows of a page, which is held in memory. */
  rows: 2_000,
  /** Tables whose rows may have 80 KB. */
  rowsOfTable: { scope_request_evidence: 100, requests: 100 } as Readonly<Record<string, number>>,
  /** How long it is known when a night was finished; the bucket's own rule deletes its pages. */
  keptDays: 30,
} as const;
