import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { build, rows } from "../db/build.ts";
import { batch } from "../db/query.ts";
import { ownedAmong } from "../db/records.ts";
import { changeOrders } from "../work/change-orders/tables.ts";
import { clients } from "../work/clients/tables.ts";
import { invoices } from "../work/invoices/tables.ts";
import { projects } from "../work/projects/tables.ts";
import { members } from "../workspace/members/tables.ts";
import { apiTokens } from "../workspace/tokens/tables.ts";
import { deliverables } from "./deliverables/tables.ts";

type Named = SQLiteTable & Record<"id" | "organization_id", SQLiteColumn>;

const named = { id: sql<string>`id`.as("id"), name: sql<string | null>`name`.as("name") };

/** The names of a workspace's records, by their ids. D1 accepts five terms in a compound SELECT. */
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
      of(invoices, invoices.number),
      of(deliverables, deliverables.title),
    ],
    [
      of(changeOrders, changeOrders.title),
      of(apiTokens, apiTokens.name),
      of(members, sql`coalesce(${members.name}, ${members.email})`),
    ],
  ];
  const found = await batch(
    db,
    selects.map((ofSome) => rows(named, sql.join(ofSome, sql` UNION ALL `))),
  );
  return new Map(found.flat().flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}
