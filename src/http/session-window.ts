import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Services } from "../core/services.ts";
import type { OpenWorkspace, Session } from "../workspace/sessions/find-session.ts";

/**
 * Counts a signed-in admin's RPC or settings call in the workspace's window. Returns a 429 if the window is full. A
 * call that names none of the session's workspaces counts in the first one.
 */
export async function countSessionCall(
  { coordinators }: Pick<Services, "coordinators">,
  { workspaces: [first] }: Session,
  named: OpenWorkspace | null | undefined,
): Promise<Refusal | undefined> {
  const workspace = named ?? first;
  if (!workspace) return undefined;
  const { outcome, resetSeconds } = await coordinators.getByName(workspace.id).countSessionCall();
  if (outcome === "counted") return undefined;
  return refuse("too_many_calls", { resetSeconds }, { "Retry-After": String(resetSeconds) });
}
