import { report } from "../platform/log.ts";
import type { PartnerRequest } from "./partner-request.ts";

/** Behind the answer. The minute's cron finds what this misses. */
export async function enqueueDeliveries({ services }: PartnerRequest, organizationId: string): Promise<void> {
  try {
    await scheduler.wait(0);
    await services.enqueueDueDeliveries(organizationId);
  } catch (error) {
    report({ failed: "enqueue" }, error);
  }
}
