import { exports } from "cloudflare:workers";
import type { Workspace } from "./workspace.ts";

type Fields = Record<string, unknown>;

/** Runs an admin operation with all values as strings, like the command line. */
export const callAdmin = (name: string, fields: Fields = {}) => exports.Admin.run(name, fields);

/** Runs an operation in a workspace as its owner and returns the result. Throws if it is rejected. */
export async function admin<T = Record<string, unknown>>(
  { organizationId }: Pick<Workspace, "organizationId">,
  name: string,
  fields: Fields = {},
): Promise<T> {
  const outcome = await callAdmin(name, { organization: organizationId, ...fields });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.result as T;
}

/** Runs an operation that must be rejected, and returns the message and the hint. */
export async function refusal(
  { organizationId }: Pick<Workspace, "organizationId">,
  name: string,
  fields: Fields = {},
): Promise<{ message: string; hint: string | null }> {
  const outcome = await callAdmin(name, { organization: organizationId, ...fields });
  if (outcome.ok) throw new Error(`${name} was not refused`);
  return { message: outcome.message, hint: outcome.hint };
}
