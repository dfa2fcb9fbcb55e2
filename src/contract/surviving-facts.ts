/**
 * Facts that survive a restore of the database, because the coordinator stores them outside it (contract B2). A
 * later value replaces an earlier one.
 */
export interface SurvivingFacts {
  /** By token id, when the token was revoked or expires (ISO 8601). Empty if it no longer expires. */
  tokenEnds: Record<string, string>;
  /** The next invoice number. Null if unchanged. */
  invoiceNumber: number | null;
}
