import { lt, type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { requestLogLimits } from "../../contract/request-log-limits.ts";
import { build, statement } from "../../db/build.ts";
import { notFenced } from "../../db/fencing.ts";
import { batch, type Query } from "../../db/query.ts";
import { mailCounts, serviceMails } from "./tables.ts";

/**
 * Deletes the counts of addresses and of the service, a day after their last mail, and those of whole workspaces after
 * as long as usage is shown.
 */
export async function purgeMailCounts(db: D1Database): Promise<void> {
  const { day, address } = mailCounts;
  await batch(db, [
    purge(sql`${address} <> '' AND ${day} < date('now', '-1 day')`),
    purge(sql`${address} = '' AND ${day} < date('now', ${`-${requestLogLimits.usageDays.max} days`})`),
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
