import { invalid, type Refusal } from "../contract/refusal.ts";

/** Refuses a reference that is not in the workspace, or that belongs to a different client. */
export function wrongReference(
  field: string,
  id: string | undefined,
  /** The client that the reference belongs to. Null or undefined if the reference is not in the workspace. */
  clientOfIt: string | null | undefined,
  clientId: string,
): Refusal | undefined {
  if (id === undefined || clientOfIt === clientId) return undefined;
  return invalid(`${field} ${clientOfIt ? "does not belong to this client" : "not found in this workspace"}`);
}
