import { eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { webhookDeliveries } from "../core/events/tables.ts";
import { build, rows } from "../db/build.ts";
import { batch } from "../db/query.ts";
import { ownedAmong } from "../db/records.ts";
import { changeDecisions } from "../work/change-decisions/tables.ts";
import { changeOrders } from "../work/change-orders/tables.ts";
import { clients } from "../work/clients/tables.ts";
import { deposits } from "../work/deposits/tables.ts";
import { invoices } from "../work/invoices/tables.ts";
import { milestones, projects } from "../work/projects/tables.ts";
import { timeEntries } from "../work/time-entries/tables.ts";
import { members } from "../workspace/members/tables.ts";
import { apiTokens } from "../workspace/tokens/tables.ts";
import { deliverables } from "./deliverables/tables.ts";

type Named = SQLiteTable & Record<"id" | "organization_id", SQLiteColumn>;

const nameOfProject = ({ project_id, organization_id }: typeof timeEntries | typeof deposits): SQL =>
  sql`(SELECT ${projects.name} FROM ${projects}
    WHERE ${eq(projects.id, project_id)} AND ${eq(projects.organization_id, organization_id)})`;
const nameOfClient = ({ client_id, organization_id }: typeof invoices): SQL =>
  sql`(SELECT ${clients.name} FROM ${clients}
    WHERE ${eq(clients.id, client_id)} AND ${eq(clients.organization_id, organization_id)})`;

const named = { id: sql<string>`id`.as("id"), name: sql<string | null>`name`.as("name") };

/** Returns the names of a workspace's records by id. D1 allows at most five terms in a compound SELECT. */
export async function recordNames(
  db: D1Database,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const of = (table: Named, name: SQL | SQLiteColumn) =>
    build
      .select({ id: sql`${table.id}`.as("id"), name: sql`${name}`.as("name") })
      .from(table)
      .where(ownedAmong(table, organizationId, ids))
      .getSQL();
  const selects = [
    [
      of(clients, clients.name),
      of(projects, projects.name),
      // A draft has no number.
      of(invoices, sql`coalesce(${invoices.number}, 'for ' || ${nameOfClient(invoices)})`),
      of(deliverables, deliverables.title),
    ],
    [
      of(changeOrders, changeOrders.title),
      of(apiTokens, apiTokens.name),
      of(members, sql`coalesce(${members.name}, ${members.email})`),
      of(milestones, milestones.name),
      of(changeDecisions, changeDecisions.title),
    ],
    [
      of(timeEntries, sql`printf('%g h on %s', ${timeEntries.hours}, ${nameOfProject(timeEntries)})`),
      of(deposits, sql`'for ' || ${nameOfProject(deposits)}`),
      of(webhookDeliveries, webhookDeliveries.event),
    ],
  ];
  const found = await batch(
    db,
    selects.map((ofSome) => rows(named, sql.join(ofSome, sql` UNION ALL `))),
  );
  return new Map(found.flat().flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}
