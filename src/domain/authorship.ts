/** The identity of a new row: its organization, its maker and the request that makes it. */
export interface Authorship {
  id: string;
  organizationId: string;
  actorId: string;
  /** The token that wrote it; null for what admins make. */
  apiTokenId: string | null;
  /** SHA-256 of the request; null for what admins make. */
  fingerprint: string | null;
}
