import { isNotNull, sql } from "drizzle-orm";
import { mayMailAddressToday, mayMailToday } from "../../core/mails/mails.ts";
import { named, type RowOf, rows } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { notFenced } from "../../db/fencing.ts";
import { notQuiet } from "../../db/moving.ts";
import type { Query } from "../../db/query.ts";
import { roundRobin } from "../../db/round-robin.ts";
import { clients } from "../../work/clients/tables.ts";
import { deliverables } from "../deliverables/tables.ts";

export const remindersPerMinute = 50;

export const isReminderDue = sql`${deliverables.reminder_due_at} <= ${now}`;

const emailOfClient = sql`(SELECT ${clients.email} FROM ${clients} WHERE ${clients.id} = ${deliverables.client_id})`;

const due = {
  id: deliverables.id,
  organizationId: named(deliverables.organization_id, "organizationId"),
  /** Whether today's e-mail limits for the workspace and the client allow another e-mail. */
  mayMail: sql<number>`${mayMailToday(deliverables.organization_id)}
    AND ${mayMailAddressToday(deliverables.organization_id, emailOfClient)}`.as("mayMail"),
};
export type DueReminder = RowOf<typeof due>;

const selected = sql`${deliverables.id}, ${deliverables.organization_id} AS "organizationId",
  ${due.mayMail.sql} AS "mayMail"`;

/** Finds the oldest due reminders, using the index deliverables_to_remind. */
export const dueReminders = (): Query<DueReminder[]> =>
  rows(
    due,
    sql`SELECT ${selected} FROM ${deliverables} WHERE ${isReminderDue} AND ${notFenced(deliverables.organization_id)}
        AND ${notQuiet(deliverables.organization_id)}
      ORDER BY ${deliverables.reminder_due_at} LIMIT ${remindersPerMinute}`,
  );

/**
 * Finds due reminders of organizations that may still send e-mails today, with organizations taking turns
 * (deliverables_to_remind_of).
 */
export const dueRemindersAround = (): Query<DueReminder[]> =>
  rows(
    due,
    roundRobin(selected, {
      table: deliverables,
      organization: deliverables.organization_id,
      dueAt: deliverables.reminder_due_at,
      isWaiting: isNotNull(deliverables.reminder_due_at),
      isDue: isReminderDue,
      hasTurn: mayMailToday(sql`organization.id`),
      limit: remindersPerMinute,
    }),
  );
