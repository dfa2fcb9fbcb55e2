import { purgeLedger } from "../core/ledger/purge-ledger.ts";
import { purgeMailCounts } from "../core/mails/purge-mail-counts.ts";
import { sendDigests } from "../core/mails/send-digests.ts";
import { backUp } from "../core/operator/back-up.ts";
import { warnOfDatabaseSize } from "../core/operator/report-database-size.ts";
import type { Services } from "../core/services.ts";
import { sendSurvivingFacts } from "../core/surviving-facts/send-surviving-facts.ts";
import { reopenAbandonedMoves } from "../lifecycle/move/source.ts";
import { logLine, report, withLogIds } from "../platform/log.ts";
import { purgeReviewKeys } from "../review/access/purge-keys.ts";
import { sendNotices } from "../review/notices/send-notices.ts";
import { sendReminders } from "../review/reminders/send-reminders.ts";
import { purgeEvents } from "../webhooks/deliveries/purge-events.ts";
import { notifyOwners } from "../webhooks/health/notify-owners.ts";
import { sweepDue } from "../webhooks/sending/enqueue-due.ts";
import { makeInvoicesOverdue } from "../work/invoices/make-overdue.ts";
import { publish } from "../workspace/directory/publish.ts";
import { purgeInvitations } from "../workspace/members/purge-invitations.ts";
import { sendWaitingInvitations } from "../workspace/members/send-waiting-invitations.ts";
import { purgeSessions } from "../workspace/sessions/purge-sessions.ts";
import { warnOfExpiringTokens } from "../workspace/tokens/warn-of-expiry.ts";
import { readMinute } from "./read-minute.ts";

/**
 * The jobs in order. A later job may deliver an earlier job's events, and all of them run before any e-mail is sent. If
 * a job fails, its name is logged.
 */
const jobs: Readonly<Record<string, (services: Services) => Promise<unknown>>> = {
  "reopen abandoned moves": reopenAbandonedMoves,
  "make invoices overdue": ({ db }) => makeInvoicesOverdue(db),
  "enqueue due deliveries": sweepDue,
  "purge old events": ({ db }) => purgeEvents(db),
  "purge the ledger": ({ db }) => purgeLedger(db),
  "send kept facts": (services) => sendSurvivingFacts(services),
  "purge review keys": ({ db }) => purgeReviewKeys(db),
  "purge sessions": ({ db }) => purgeSessions(db),
  "publish in the directory": (services) => publish(services),
  "purge invitations": ({ db }) => purgeInvitations(db),
  "purge mail counts": purgeMailCounts,
};

/**
 * Jobs that take long, or that wait for an e-mail service that may hang. They run in parallel, and no other job waits
 * for them.
 */
const slowJobs: typeof jobs = {
  "back up": backUp,
  "warn of the database's size": warnOfDatabaseSize,
  "notify owners": notifyOwners,
  "send review notices": (services) => sendNotices(services, null),
  "send reminders": sendReminders,
  "warn of expiring tokens": warnOfExpiringTokens,
  "send digests": sendDigests,
  "send waiting invitations": sendWaitingInvitations,
};

/**
 * The cron handler, which runs every minute. A failed job is logged and does not delay the others; the next run retries
 * it. A run's log lines all have the same id. An external monitor is notified of each run in which no job failed.
 */
export const scheduled = (services: Services): Promise<void> =>
  withLogIds({ cron_run_id: crypto.randomUUID() }, async () => {
    const startedMs = Date.now();
    let hasFailed = false;
    const attempt = async (name: string, job: () => Promise<unknown>) => {
      try {
        await job();
      } catch (error) {
        hasFailed = true;
        report({ failed: name }, error);
      }
    };
    const minute = await readMinute(services);
    hasFailed = minute.unread.length > 0;
    for (const [name, job] of Object.entries(jobs)) await attempt(name, () => job(services));
    logLine({ minute: { ...minute, job_ms: Date.now() - startedMs } });
    await Promise.all(Object.entries(slowJobs).map(([name, job]) => attempt(name, () => job(services))));
    if (!hasFailed) await attempt("heartbeat", () => beat(services));
  });

const heartbeatMs = 5_000;

/** Calls the monitor, which alerts if it isn't called. */
async function beat({ fetch, heartbeatUrl }: Pick<Services, "fetch" | "heartbeatUrl">): Promise<void> {
  if (heartbeatUrl === "") return;
  const answer = await fetch(heartbeatUrl, { signal: AbortSignal.timeout(heartbeatMs) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the heartbeat monitor returned ${answer.status}`);
}
