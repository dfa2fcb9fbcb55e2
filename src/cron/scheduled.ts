import { sweepDue } from "../domain/webhooks/dispatch-due.ts";
import { notifyOwners } from "../domain/webhooks/notify-owners.ts";
import { purgeEvents } from "../domain/webhooks/purge-events.ts";
import type { WakingServices } from "../domain/webhooks/webhook-services.ts";
import { report } from "../platform/report.ts";
import { makeInvoicesOverdue } from "./overdue-invoices.ts";

/** What the jobs of a minute use; the composition root makes it from the bindings. */
export interface ScheduledServices extends WakingServices {
  email: SendEmail;
  mailFrom: string;
}

/** In this order: what a job moves, a later one may deliver. */
const jobs: readonly ((services: ScheduledServices) => Promise<unknown>)[] = [
  ({ db }) => makeInvoicesOverdue(db),
  sweepDue,
  ({ db }) => purgeEvents(db),
  notifyOwners,
];

/** The cron of each minute. A job that fails is logged and holds up no other; the next minute tries it again. */
export async function scheduled(services: ScheduledServices): Promise<void> {
  for (const job of jobs) {
    try {
      await job(services);
    } catch (error) {
      report({ cron: "minute" }, error);
    }
  }
}
