/** The identity of a new row: its organization and the member who makes it. */
export interface Authorship {
  id: string;
  organizationId: string;
  actorId: string;
}
