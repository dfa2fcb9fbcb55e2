import { sql } from "drizzle-orm";
import { mailEvents, mailReports, memberMails } from "../../core/mails/tables.ts";
import type { Services } from "../../core/services.ts";
import { build, type RowOf, rows, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { isIn } from "../../db/is-in.ts";
import { jsonFields } from "../../db/json-fields.ts";
import { batch, type Query } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mail.ts";
import { deliverableSends } from "../deliverables/tables.ts";
import { sendNotices } from "../notices/send-notices.ts";
import type { MailReport } from "./mail-report.ts";

export type ReportServices = Pick<Services, "db" | "enqueueDueDeliveries" | keyof Mailer>;

/** Records when the last report arrived, precise to the hour. The cron checks for a day without reports. */
const noteReports = (): Query<void> =>
  statement(
    build
      .insert(mailReports)
      .values({ id: 1, received_at: now })
      .onConflictDoUpdate({
        target: mailReports.id,
        set: { received_at: now },
        setWhere: sql`${mailReports.received_at} < ${nowWith("-1 hour")}`,
      }),
  );

const given = jsonFields("report", "messageId", "kind", "at", "reason");

const insertReports = (reports: readonly MailReport[]): Query<void> =>
  statement(sql`INSERT INTO ${mailEvents} (message_id, kind, at, reason)
    SELECT ${given.messageId}, ${given.kind}, ${given.at}, ${given.reason} FROM json_each(${JSON.stringify(reports)}) AS report
    WHERE true ON CONFLICT (message_id) DO NOTHING`);

const matched = {
  message_id: sql<string>`${deliverableSends.message_id}`.as("message_id"),
  organization_id: deliverableSends.organization_id,
  deliverable_id: sql<string | null>`${deliverableSends.deliverable_id}`.as("deliverable_id"),
};
type MatchedMail = RowOf<typeof matched>;

const matchedMails = (reports: readonly MailReport[]): Query<MatchedMail[]> => {
  const ids = reports.map(({ messageId }) => messageId);
  return rows(
    matched,
    sql`SELECT message_id, organization_id, deliverable_id FROM ${deliverableSends} WHERE ${isIn(sql`message_id`, ids)}
      UNION ALL SELECT message_id, organization_id, NULL FROM ${memberMails} WHERE ${isIn(sql`message_id`, ids)}`,
  );
};

/**
 * Records reports from the mail service, each once and in any order; triggers match them to their e-mails (guards.ts).
 * Sends notices about them and leaves failed notices to the cron. Returns the matched e-mails.
 */
export async function recordReports(
  services: ReportServices,
  reports: readonly MailReport[],
): Promise<MatchedMail[]> {
  const [, , mails] = await batch(services.db, [
    noteReports(),
    insertReports(reports),
    matchedMails(reports),
  ]);
  for (const organizationId of new Set(mails.map((mail) => mail.organization_id))) {
    await services.enqueueDueDeliveries(organizationId);
    await sendNotices(services, organizationId).catch((error) => report({ failed: "send notices" }, error));
  }
  return mails;
}
