import { lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { build, prepared, row, statement } from "../db/build.ts";
import { now, nowWith } from "../db/columns.ts";
import { imports } from "../db/importing.ts";
import { organizationsWaiting } from "../db/in-turns.ts";
import { batch, required } from "../db/query.ts";
import { processorEvents } from "../payments/tables.ts";
import { reviewNotices } from "../review/notices/tables.ts";
import { attemptCounts } from "../webhooks/deliveries/tables.ts";
import { isDue, waiting } from "../webhooks/sending/enqueue-due.ts";
import { webhookDeliveries as deliveries } from "../workspace/events/tables.ts";
import { backups } from "../workspace/operator/tables.ts";

/** A gauge that shows as many says "at least". */
const countedRows = 1_000;

const counted = (table: SQLiteTable, condition: SQL, name: string) =>
  sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${condition} LIMIT ${countedRows}))`.as(
    name,
  );

/** Due deliveries of one organization: the gauges step through the organizations that have any waiting. */
const ofOrganization = sql`${deliveries.organization_id} = organization.id AND ${isDue}`;

/** Of the minute before this one, which is whole. */
const attempts = (column: SQLiteColumn, name: string) =>
  sql<number>`coalesce((SELECT ${column} FROM ${attemptCounts}
    WHERE ${attemptCounts.minute} = strftime('%Y-%m-%dT%H:%M', 'now', '-1 minute')), 0)`.as(name);

const gauges = {
  due: sql<number>`(SELECT count(*) FROM (
    SELECT 1 FROM organization CROSS JOIN ${deliveries} WHERE ${ofOrganization} LIMIT ${countedRows}))`.as(
    "due",
  ),
  oldest_due_age_seconds: sql<number | null>`(SELECT unixepoch('now') - unixepoch(min((
    SELECT min(${deliveries.next_attempt_at}) FROM ${deliveries} WHERE ${ofOrganization}))) FROM organization)`.as(
    "oldest_due_age_seconds",
  ),
  held: counted(
    deliveries,
    sql`${deliveries.status} = 'pending' AND ${deliveries.next_attempt_at} IS NULL`,
    "held",
  ),
  delivered: attempts(attemptCounts.delivered, "delivered"),
  failed: attempts(attemptCounts.failed, "failed"),
  dead: attempts(attemptCounts.dead, "dead"),
  notices_due: counted(
    reviewNotices,
    sql`${reviewNotices.due_at} IS NOT NULL AND ${lte(reviewNotices.due_at, now)}`,
    "notices_due",
  ),
  backup_age_seconds: sql<number | null>`(SELECT unixepoch('now') - unixepoch(max(${backups.finished_at}))
    FROM ${backups})`.as("backup_age_seconds"),
  imports: counted(imports, sql`true`, "imports"),
  unmatched: counted(processorEvents, sql`${processorEvents.outcome} = 'unmatched'`, "unmatched"),
};

const gaugesOfNow = prepared(() => {
  const all = Object.values(gauges).map((gauge) => sql`${gauge.sql} AS ${sql.identifier(gauge.fieldAlias)}`);
  return required(row(gauges, sql`${organizationsWaiting(waiting)} SELECT ${sql.join(all, sql`, `)}`));
});

const forgetCounts = prepared(() =>
  statement(build.delete(attemptCounts).where(lt(attemptCounts.minute, nowWith("-1 hour")))),
);

/** What an operator watches (contract O15), as it is before the jobs of the minute. */
export async function readMinute(db: D1Database) {
  const [found] = await batch(db, [gaugesOfNow({}), forgetCounts({})]);
  return found;
}
