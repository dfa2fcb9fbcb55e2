import { makeInvoicesOverdue } from "../domain/invoices/make-overdue.ts";
import { reportDatabaseSize } from "../domain/operator/report-database-size.ts";
import { purgeLedger } from "../domain/purge-ledger.ts";
import { purgeReviewKeys } from "../domain/review/purge-keys.ts";
import { sendNotices } from "../domain/review/send-notices.ts";
import { sendDigests } from "../domain/send-digests.ts";
import type { Services } from "../domain/services.ts";
import { purgeSessions } from "../domain/sessions/purge-sessions.ts";
import { sweepDue } from "../domain/webhooks/enqueue-due.ts";
import { notifyOwners } from "../domain/webhooks/notify-owners.ts";
import { purgeEvents } from "../domain/webhooks/purge-events.ts";
import { report, withLogIds } from "../platform/log.ts";

/**
 * The jobs run in this order, because a later job may deliver what an earlier one moves. The log names a job that
 * failed.
 */
const jobs: Readonly<Record<string, (services: Services) => Promise<unknown>>> = {
  "make invoices overdue": ({ db }) => makeInvoicesOverdue(db),
  "enqueue due deliveries": sweepDue,
  "purge old events": ({ db }) => purgeEvents(db),
  "purge the ledger": ({ db }) => purgeLedger(db),
  "notify owners": notifyOwners,
  "send review notices": (services) => sendNotices(services, null),
  "send digests": sendDigests,
  "report the database's size": reportDatabaseSize,
  "purge review keys": ({ db }) => purgeReviewKeys(db),
  "purge sessions": ({ db }) => purgeSessions(db),
};

/**
 * The cron of each minute. A job that fails is logged and holds up no other; the next minute tries it again. All log
 * lines of one run carry the same id.
 */
export const scheduled = (services: Services): Promise<void> =>
  withLogIds({ cron_run_id: crypto.randomUUID() }, async () => {
    for (const [name, run] of Object.entries(jobs)) {
      try {
        await run(services);
      } catch (error) {
        report({ failed: name }, error);
      }
    }
  });
