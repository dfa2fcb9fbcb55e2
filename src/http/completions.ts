import type { Completion } from "../durable/organization-coordinator.ts";

/**
 * Finished requests on their way to their gates, off the critical path: those of one organization that end within
 * `gatherMs` share one call and one disk write; a replay that comes meanwhile waits that long. What is lost on the
 * way heals by the claim's lease and the row's derived id.
 */
const waiting = new Map<string, Gathering>();
const gatherMs = 20;
/** Who gathers this long was cut off by the platform: nobody waits for it any more. */
const abandonedMs = 1000;

interface Gathering {
  sinceMs: number;
  completions: Completion[];
}

export async function complete(env: Env, organizationId: string, completion: Completion): Promise<void> {
  const nowMs = Date.now();
  const gathering = waiting.get(organizationId);
  if (gathering && nowMs - gathering.sinceMs < abandonedMs) {
    gathering.completions.push(completion);
    return;
  }
  const mine: Gathering = { sinceMs: nowMs, completions: [completion] };
  waiting.set(organizationId, mine);
  await scheduler.wait(gatherMs);
  if (waiting.get(organizationId) === mine) waiting.delete(organizationId);
  await env.ORGANIZATION_COORDINATOR.getByName(organizationId).complete(mine.completions);
}
