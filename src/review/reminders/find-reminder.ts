import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { reviewLimits } from "../../contract/review-limits.ts";
import { ledger } from "../../core/ledger/tables.ts";
import { build, named, nullable, rowOf } from "../../db/build.ts";
import { clients } from "../../work/clients/tables.ts";
import { projects } from "../../work/projects/tables.ts";
import { brands } from "../../workspace/brands/tables.ts";
import { firstOwnerEmail } from "../../workspace/members/members.ts";
import { members } from "../../workspace/members/tables.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { isOnAllowedOrigin } from "../access/share-url.ts";
import { deliverables, deliverableSends as sends } from "../deliverables/tables.ts";
import { previewPath } from "../visits/find-image.ts";
import { type DueReminder, isReminderDue } from "./due-reminders.ts";

/** A reminder's key in the ledger ends with the id of the e-mail that it follows. */
const keyPrefix = "reminder:";

export const isDeliverable = ({ id, organizationId }: DueReminder): SQL | undefined =>
  and(eq(deliverables.id, id), eq(deliverables.organization_id, organizationId));

/** A deliverable's newest e-mail: a send or a reminder. */
const newestMail = sql`(SELECT newest.id FROM ${sends} AS newest
  WHERE newest.deliverable_id = ${deliverables.id} AND newest.organization_id = ${deliverables.organization_id}
  ORDER BY newest.sent_at DESC LIMIT 1)`;

const ofWork = {
  id: deliverables.id,
  title: deliverables.title,
  versionNumber: named(deliverables.version_number, "versionNumber"),
  shareUrl: named(deliverables.share_url, "shareUrl"),
  isOnAllowedOrigin: isOnAllowedOrigin.as("isOnAllowedOrigin"),
  reviewState: sql<string>`${deliverables.review_state}`.as("reviewState"),
  isSample: sql<number>`${deliverables.is_sample} OR ${clients.is_sample}`.as("isSample"),
  dueAt: sql<string>`${deliverables.reminder_due_at}`.as("dueAt"),
  attempts: named(deliverables.reminder_attempts, "attempts"),
  sentAt: sql<string>`${deliverables.sent_at}`.as("sentAt"),
  projectName: nullable(projects.name, "projectName"),
  imagePath: previewPath(deliverables.asset_path).as("imagePath"),
};

const ofPeople = {
  clientEmail: named(clients.email, "clientEmail"),
  clientStatus: named(clients.status, "clientStatus"),
  clientName: sql<string>`coalesce(${clients.client_name}, ${clients.name})`.as("clientName"),
  organizationName: named(organizations.name, "organizationName"),
  accent: nullable(brands.accent, "accent"),
  /** The address of the member who sent the work, or the owner's if that member has left. */
  senderEmail: sql<string>`coalesce(${members.email}, ${firstOwnerEmail(deliverables.organization_id)})`.as(
    "senderEmail",
  ),
  senderName: nullable(members.name, "senderName"),
};

const ofMail = {
  sendId: nullable(sends.id, "sendId"),
  actorId: nullable(sends.sent_by, "actorId"),
  reminder: nullable(sends.reminder, "reminder"),
  remindAfterDays: nullable(sends.remind_after_days, "remindAfterDays"),
  /** Not null while an e-mail is being sent, or after a run crashed while sending it. */
  leaseEndsAt: nullable(ledger.lease_ends_at, "leaseEndsAt"),
};

export const findReminder = (due: DueReminder) =>
  rowOf(
    build
      .select({ ...ofWork, ...ofPeople, ...ofMail })
      .from(deliverables)
      .innerJoin(organizations, eq(organizations.id, deliverables.organization_id))
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .leftJoin(projects, eq(projects.id, deliverables.project_id))
      .leftJoin(brands, eq(brands.organization_id, deliverables.organization_id))
      .leftJoin(sends, eq(sends.id, newestMail))
      .leftJoin(members, and(eq(members.id, sends.sent_by), ne(members.role, "none")))
      .leftJoin(
        ledger,
        and(
          eq(ledger.organization_id, deliverables.organization_id),
          sql`${ledger.key} = ${keyPrefix} || ${sends.id}`,
        ),
      )
      .where(and(isDeliverable(due), isReminderDue)),
  );
export type FoundReminder = NonNullable<ReturnType<ReturnType<typeof findReminder>["read"]>>;

/** Returns the reminder to send; null if the review has ended or there is no one to e-mail. */
export function reminderToSend(found: FoundReminder) {
  const { reviewState, isSample, clientEmail, clientStatus, sendId, reminder, ...rest } = found;
  const number = (reminder ?? 0) + 1;
  if (reviewState !== "in_review" || number > reviewLimits.remindersOfSend) return null;
  if (isSample || clientEmail === null || clientStatus === "archived" || sendId === null) return null;
  const senderName = rest.senderName ?? rest.senderEmail;
  return { ...rest, senderName, clientEmail, key: keyPrefix + sendId, number };
}
