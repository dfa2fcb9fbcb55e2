/**
 * What must outlive a restore of the database to an earlier moment: the coordinator of the organization keeps it beside
 * the database (contract B2). A later value replaces an earlier one.
 */
export interface SurvivingFacts {
  /** When tokens end, by their ids: revoked or expired (ISO 8601); empty: not any more. */
  tokenEnds: Record<string, string>;
  /** Of the next invoice; null: not sent this time. */
  invoiceNumber: number | null;
}
