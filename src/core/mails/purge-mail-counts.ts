import { and, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { limits } from "../../contract/limits.ts";
import { requestLogLimits } from "../../contract/request-log-limits.ts";
import { build, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { notFenced } from "../../db/fencing.ts";
import { isIn } from "../../db/is-in.ts";
import { batch, type Query } from "../../db/query.ts";
import type { Services } from "../services.ts";
import { mailCounts, mailEvents, memberMails, serviceMails } from "./tables.ts";

/**
 * Deletes the counts of addresses and of the service after a day, and the counts of workspaces once the usage figures
 * no longer include them. Also deletes old message ids and unmatched bounce reports. If there are several cells, each
 * gets every report, and keeps the other cells' reports for a short time.
 */
export async function purgeMailCounts({ db, cell }: Pick<Services, "db" | "cell">): Promise<void> {
  const { day, address } = mailCounts;
  const idAge = `-${limits.mailReportDays} days`;
  const reportAge = cell === null ? idAge : `-${limits.unknownReportHours} hours`;
  await batch(db, [
    purge(sql`${address} <> '' AND ${day} < date('now', '-1 day')`),
    purge(sql`${address} = '' AND ${day} < date('now', ${`-${requestLogLimits.usageDays.max} days`})`),
    purgeOld(memberMails, memberMails.sent_at, idAge, notFenced(memberMails.organization_id)),
    purgeOld(mailEvents, mailEvents.received_at, reportAge),
    statement(build.delete(serviceMails).where(lt(serviceMails.day, sql`date('now', '-1 day')`))),
  ]);
}

function purge(isOld: SQL): Query<void> {
  const { day, organization_id, address } = mailCounts;
  const oldest = build
    .select({ day, organization_id, address })
    .from(mailCounts)
    .where(sql`${isOld} AND ${notFenced(organization_id)}`)
    .orderBy(day)
    .limit(limits.purgedRowsPerMinute);
  return statement(
    build.delete(mailCounts).where(sql`(${day}, ${organization_id}, ${address}) IN (${oldest})`),
  );
}

function purgeOld(
  table: typeof memberMails | typeof mailEvents,
  at: SQLiteColumn,
  age: string,
  rest?: SQL,
): Query<void> {
  const { message_id } = table;
  const old = build
    .select({ message_id })
    .from(table)
    .where(and(lt(at, nowWith(age)), rest))
    .orderBy(at)
    .limit(limits.purgedRowsPerMinute);
  return statement(build.delete(table).where(isIn(message_id, old)));
}
