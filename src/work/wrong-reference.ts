import { invalid, type Refusal } from "../contract/refusal.ts";

/**
 * Refuses a reference that the workspace does not know, or that belongs to another client than the one it is used for.
 */
export function wrongReference(
  field: string,
  id: string | undefined,
  /** The client of the reference; null or undefined if the workspace does not know the reference. */
  clientOfIt: string | null | undefined,
  clientId: string,
): Refusal | undefined {
  if (id === undefined || clientOfIt === clientId) return undefined;
  return invalid(`${field} ${clientOfIt ? "does not belong to this client" : "not found in this workspace"}`);
}
