import { gt, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { webhookDeliveries as deliveries } from "../core/events/tables.ts";
import { mailCounts, mailEvents, mailReports } from "../core/mails/tables.ts";
import { databaseBytes } from "../core/operator/report-database-size.ts";
import { backups } from "../core/operator/tables.ts";
import type { Services } from "../core/services.ts";
import { build, prepared, row, statement } from "../db/build.ts";
import { now, nowWith } from "../db/columns.ts";
import { imports } from "../db/importing.ts";
import { batch, type Query, required, runOnAnySchema } from "../db/query.ts";
import { organizationsWaiting } from "../db/round-robin.ts";
import { processorEvents } from "../payments/tables.ts";
import { report } from "../platform/log.ts";
import { reviewNotices } from "../review/notices/tables.ts";
import { attemptCounts } from "../webhooks/deliveries/tables.ts";
import { isDue, waitingDeliveries } from "../webhooks/sending/enqueue-due.ts";

/** Gauges count up to this value, which then means "at least". */
const countedRows = 1_000;

const counted = (table: SQLiteTable, condition: SQL, name: string) =>
  sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${condition} LIMIT ${countedRows}))`.as(
    name,
  );

/** The due deliveries of one organization. The gauges step through the organizations that have any. */
const ofOrganization = sql`${deliveries.organization_id} = organization.id AND ${isDue}`;

/** The attempts of the previous minute, which is over. */
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
  // Excludes copies made by moves, which have no manifest and are finished by the front.
  imports: counted(imports, sql`${imports.manifest} <> '{}'`, "imports"),
  unmatched_mail_events: counted(mailEvents, sql`true`, "unmatched_mail_events"),
  mail_events_silent:
    sql<number>`(SELECT EXISTS (SELECT 1 FROM ${mailCounts} WHERE ${mailCounts.day} = date('now', '-1 day'))
    AND NOT EXISTS (SELECT 1 FROM ${mailReports} WHERE ${gt(mailReports.received_at, nowWith("-1 day"))}))`.as(
      "mail_events_silent",
    ),
  unmatched: counted(processorEvents, sql`${processorEvents.outcome} = 'unmatched'`, "unmatched"),
};

type Gauges = Partial<typeof gauges>;

function valuesOf<G extends Gauges>(wanted: G) {
  const all = Object.values(wanted).map((gauge) => sql`${gauge.sql} AS ${sql.identifier(gauge.fieldAlias)}`);
  return required(
    row(wanted, sql`${organizationsWaiting(waitingDeliveries)} SELECT ${sql.join(all, sql`, `)}`),
  );
}

const gaugesOfNow = prepared(() => valuesOf(gauges));

const forgetCounts = prepared(() =>
  statement(build.delete(attemptCounts).where(lt(attemptCounts.minute, nowWith("-1 hour")))),
);

type Figure = number | null;

/**
 * Reads the metrics for the operator (contract O15), before the cron jobs run. If the gauges cannot be read in one
 * batch, each is read separately. A metric that cannot be read is null and is listed in `unread`.
 */
export async function readMinute({
  db,
  deadSendRecords,
  deadEmailEvents,
}: Pick<Services, "db" | "deadSendRecords" | "deadEmailEvents">) {
  const unread: string[] = [];
  const attempt = (name: string, read: () => Promise<Figure>): Promise<Figure> =>
    read().catch((error) => {
      unread.push(name);
      report({ failed: "read the minute", figure: name }, error);
      return null;
    });
  const together = await batch(db, [gaugesOfNow({}), forgetCounts({})]).catch(() => null);
  const figures: Record<string, Figure> = together?.[0] ?? (await eachGauge(db, attempt));
  figures.database_bytes = await attempt("database_bytes", () => databaseBytes(db));
  for (const [name, queue] of Object.entries({
    dead_send_records: deadSendRecords,
    dead_email_events: deadEmailEvents,
  }))
    figures[name] = await attempt(name, async () => (await queue.metrics()).backlogCount);
  return { ...figures, unread };
}

async function eachGauge(
  db: D1Database,
  attempt: (name: string, read: () => Promise<Figure>) => Promise<Figure>,
): Promise<Record<string, Figure>> {
  const read = Object.entries(gauges).map(async ([name, gauge]) => {
    const query = valuesOf({ [name]: gauge }) as Query<Record<string, Figure>>;
    return [name, await attempt(name, async () => (await runOnAnySchema(db, query))[name] ?? null)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
