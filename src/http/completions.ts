import type { Completion } from "../durable/organization-gate.ts";

/**
 * Finished requests on their way to their gates, off the critical path: those of one organization that end within
 * `gatherMs` share one call and one disk write; a replay that comes meanwhile waits that long. What is lost on the
 * way heals by the claim's lease and the row's derived id.
 */
const waiting = new Map<string, Completion[]>();
const gatherMs = 20;

export async function complete(env: Env, organizationId: string, completion: Completion): Promise<void> {
  const gathered = waiting.get(organizationId);
  if (gathered) {
    gathered.push(completion);
    return;
  }
  const mine = [completion];
  waiting.set(organizationId, mine);
  await scheduler.wait(gatherMs);
  waiting.delete(organizationId);
  await env.ORGANIZATION_GATE.getByName(organizationId).complete(mine);
}
