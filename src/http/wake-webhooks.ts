import { report } from "../platform/report.ts";
import type { WriteContext, WriteRoute } from "./operation.ts";

/** Wakes the sender for the event of a finished write, behind its answer. What is missed, the minute cron finds. */
export async function wakeWebhooks(route: WriteRoute, { services, principal }: WriteContext): Promise<void> {
  if (!route.makesEvent) return;
  try {
    await scheduler.wait(0);
    await services.wakeWebhooks(principal.organizationId);
  } catch (error) {
    report({ waking: principal.organizationId }, error);
  }
}
