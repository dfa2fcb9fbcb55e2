/**
 * What must survive a restore of the database to an earlier moment: the organization's coordinator keeps it outside the
 * database (contract B2). A later value replaces an earlier one.
 */
export interface SurvivingFacts {
  /** When tokens end, by their ids: revoked or expired (ISO 8601); empty: no longer. */
  tokenEnds: Record<string, string>;
  /** The next invoice's number; null: not sent this time. */
  invoiceNumber: number | null;
}
