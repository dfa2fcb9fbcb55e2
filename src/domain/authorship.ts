/** Under which identity a row is made: whose it is, who made it, and by which request. */
export interface Authorship {
  id: string;
  organizationId: string;
  actorId: string;
  /** The token that wrote it; null for what admins make. */
  apiTokenId: string | null;
  /** SHA-256 of the request; null for what admins make. */
  fingerprint: string | null;
}
