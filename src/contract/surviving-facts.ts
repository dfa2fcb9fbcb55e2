/**
 * What must survive restoring the database to an earlier time. The organization's coordinator keeps it outside
 * the database (contract B2); a later value replaces an earlier one.
 */
export interface SurvivingFacts {
  /** By token id, when the token was revoked or expires (ISO 8601); empty: it no longer expires. */
  tokenEnds: Record<string, string>;
  /** The next invoice's number; null: unchanged. */
  invoiceNumber: number | null;
}
