/**
 * What must outlive a restore of the database to an earlier moment: the coordinator of the organization keeps it beside
 * the database (contract B2). What is told later replaces what was told before.
 */
export interface KeptFacts {
  /** When tokens end, by their ids: revoked or expired (ISO 8601); empty: not any more. */
  tokenEnds: Record<string, string>;
  /** The next invoice's; null: nothing is told of it. */
  invoiceNumber: number | null;
}
