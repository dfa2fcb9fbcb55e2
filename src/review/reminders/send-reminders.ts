import { and, eq } from "drizzle-orm";
import { minuteMs } from "../../contract/durations.ts";
import { Refusal, raisedName } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import type { Services } from "../../core/services.ts";
import { build, statement } from "../../db/build.ts";
import { type Query, run } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { deliverables } from "../deliverables/tables.ts";
import { type MailingServices, mailAndRecord } from "../sends/mail-and-record.ts";
import { type DueReminder, dueReminders, dueRemindersAround, remindersPerMinute } from "./due-reminders.ts";
import { type FoundReminder, findReminder, isDeliverable, reminderToSend } from "./find-reminder.ts";
import { reminderMail } from "./reminder-mail.ts";

type ReminderServices = Pick<Services, MailingServices | "hasSent" | "enqueueDueDeliveries">;

/** The delay doubles with every attempt, up to 6 hours. After about two days, the reminder is canceled. */
const maxPauseMinutes = 360;
const maxAttempts = 16;

/**
 * Reminds clients about work that awaits their response. A failed reminder is retried later and does not delay the
 * others. Once the daily e-mail limit is reached, reminders wait until the next day.
 */
export async function sendReminders(services: ReminderServices): Promise<void> {
  const failures: unknown[] = [];
  const oldest = await run(services.db, dueReminders());
  const isAll = oldest.length < remindersPerMinute;
  for (const due of isAll ? oldest : await run(services.db, dueRemindersAround())) {
    try {
      if (due.mayMail) await sendReminder(services, due);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} reminders were not sent`);
}

type Reminder = NonNullable<ReturnType<typeof reminderToSend>>;

async function sendReminder(services: ReminderServices, due: DueReminder): Promise<void> {
  const { db } = services;
  const found = await run(db, findReminder(due));
  if (!found) return;
  const reminder = reminderToSend(found);
  if (!reminder) return run(db, moveReminder(due, found, null));
  if (await isTaken(services, due, reminder)) return;
  const sent = await mail(services, due, reminder).catch(unlessTaken);
  if (sent instanceof Refusal) {
    if (sent.name !== "email_send_failed") return;
    await run(db, moveReminder(due, found, pauseAfter(found.attempts)));
    throw new Error("a reminder was not sent");
  }
  if (sent?.hasDueDeliveries) await services.enqueueDueDeliveries(due.organizationId);
}

/** Whether another run is sending the reminder, or it was sent and its record is still queued. */
async function isTaken(
  services: ReminderServices,
  { organizationId }: DueReminder,
  { key, leaseEndsAt }: Reminder,
): Promise<boolean> {
  if (leaseEndsAt === null) return false;
  return (
    Date.parse(leaseEndsAt) > Date.now() ||
    services.hasSent(organizationId, { key, fingerprint: sha256Hex(key) })
  );
}

/** The reminder's ledger entry is also its lease, so that only one of two runs sends it. */
function mail(services: ReminderServices, { organizationId }: DueReminder, reminder: Reminder) {
  const { id, number, key, versionNumber, actorId, dueAt } = reminder;
  const remindAfterDays = reminder.remindAfterDays ?? 0;
  const isLast = number === reviewLimits.remindersOfSend || remindAfterDays === 0;
  return mailAndRecord(services, {
    mailing: { ...reminder, organizationId, deliverableId: id, reminderDueAt: dueAt },
    mailWith: (link) => reminderMail({ ...reminder, isLast, link }),
    record: { actorId, versionNumber, message: null, remindAfterDays, reminder: number },
    entry: {
      organizationId,
      key,
      fingerprint: sha256Hex(key),
      requestId: crypto.randomUUID(),
      actor: "minute",
      action: "deliverable.reminded",
      subjectId: id,
    },
  });
}

function unlessTaken(error: unknown): undefined {
  if (raisedName(error) !== "idempotency_key_reused") throw error;
}

const pauseAfter = (attempts: number): Date | null =>
  attempts + 1 >= maxAttempts
    ? null
    : new Date(Date.now() + Math.min(2 ** attempts, maxPauseMinutes) * minuteMs);

/** Reschedules a reminder, unless it has changed since it was read. null cancels the reminder. */
const moveReminder = (due: DueReminder, { dueAt, attempts }: FoundReminder, to: Date | null): Query<void> =>
  statement(
    build
      .update(deliverables)
      .set({ reminder_due_at: to?.toISOString() ?? null, reminder_attempts: to ? attempts + 1 : 0 })
      .where(and(isDeliverable(due), eq(deliverables.reminder_due_at, dueAt))),
  );
