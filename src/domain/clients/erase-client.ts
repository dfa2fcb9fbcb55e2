import { and, eq, type SQL, sql } from "drizzle-orm";
import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { ClientErasureStep } from "../../contract/workspace/leaving.ts";
import { build, rows, statement } from "../../db/build.ts";
import { batch, mapped, type Query, run } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { nameOf } from "../../db/rows-of-organization.ts";
import { deliverables, reviewCodes, reviewKeys } from "../../db/schema/review.ts";
import { clients } from "../../db/schema/work.ts";
import { mailCounts } from "../../db/schema/workspace.ts";
import { type AdminContext, audited } from "../audited-change.ts";
import { erasing } from "../organizations/erasing.ts";
import { clientResource } from "./read-clients.ts";
import { isOfClient, type PersonalRows, personalRows, pseudonymOf } from "./rows-of-client.ts";

interface ErasureServices {
  /** Makes the coordinator forget the answers that it keeps and that hold this text. */
  forgetAnswers(organizationId: string, text: string): Promise<void>;
}

const stepLimits = {
  /** Of one transaction. */
  rows: 200,
  /** Of one step. */
  batches: 50,
};

/**
 * One step of erasing a client's person; `next` says where the next one begins. The client's own row goes first, so
 * that rows written meanwhile hold nothing new. A step takes rows that still hold something, so it can be repeated.
 */
export async function eraseClientStep(
  context: AdminContext,
  services: ErasureServices,
  { id, position }: { id: string; position?: string | undefined },
): Promise<ClientErasureStep | AdminRefusal> {
  const { db, organization } = context;
  if (position === undefined) await batch(db, erasing(organization.id, eraseItself(context, id)));
  const client = await run(db, clientResource.read(organization.id, id));
  if (!client) return noSuch("client", id);
  const kinds = personalRows(id);
  const step = { id, name: client.name, rows: 0, next: null };
  let place = Math.max(
    0,
    kinds.findIndex(({ table }) => nameOf(table) === position),
  );
  for (let left = stepLimits.batches; left > 0 && place < kinds.length; left -= 1) {
    const kind = kinds[place] as PersonalRows;
    const erase = eraseSome(kind, isOfClient(kind, organization.id, id));
    const [, took] = await batch(db, erasing(organization.id, [erase]));
    step.rows += took;
    if (took < stepLimits.rows) place += 1;
  }
  const here = kinds[place];
  if (here) return { ...step, next: nameOf(here.table) };
  await services.forgetAnswers(organization.id, id);
  return step;
}

/** The client's own row, with what counts mails by the addresses that are known of it. */
function eraseItself(context: AdminContext, id: string): Query<unknown>[] {
  const organizationId = context.organization.id;
  const set = {
    company_name: null,
    client_name: pseudonymOf(id),
    email: null,
    external_id: null,
    status: "archived" as const,
  };
  const holdsSomething = sql`(${clients.email} IS NOT NULL OR ${clients.external_id} IS NOT NULL
    OR ${clients.company_name} IS NOT NULL OR ${clients.client_name} IS NOT ${set.client_name})`;
  const mailed = (
    table: typeof reviewKeys | typeof reviewCodes,
  ) => sql`SELECT lower(${table.email}) FROM ${table}
    JOIN ${deliverables} ON ${eq(deliverables.id, table.deliverable_id)}
    WHERE ${table.organization_id} = ${organizationId} AND ${eq(deliverables.client_id, id)}`;
  const own = owned(clients, organizationId, id);
  const addresses: SQL = sql`SELECT lower(${clients.email}) FROM ${clients} WHERE ${own}
    UNION ${mailed(reviewKeys)} UNION ${mailed(reviewCodes)}`;
  const counts = and(
    eq(mailCounts.organization_id, organizationId),
    sql`${mailCounts.address} IN (${addresses}) AND ${mailCounts.address} <> ''`,
  );
  return [
    statement(build.delete(mailCounts).where(counts)),
    statement(build.update(clients).set(set).where(and(own, holdsSomething))),
    audited(context, "client.erased", id),
  ];
}

/** How many rows of a kind changed or went; those that hold nothing any more are left alone. */
function eraseSome({ table, key, becomes }: PersonalRows, isOfClient: SQL | undefined): Query<number> {
  const holds = becomes?.map(([column, value]) => sql`${column} IS NOT ${value}`);
  const isLeft = holds ? sql`AND (${sql.join(holds, sql` OR `)})` : sql``;
  const found = sql`SELECT ${key} FROM ${table} WHERE ${isOfClient} ${isLeft} LIMIT ${stepLimits.rows}`;
  const set = becomes?.map(([column, value]) => sql`${sql.identifier(column.name)} = ${value}`);
  const verb = set ? sql`UPDATE ${table} SET ${sql.join(set, sql`, `)}` : sql`DELETE FROM ${table}`;
  const selection = { done: sql<number>`1`.as("done") };
  const built = sql`${verb} WHERE ${key} IN (${found}) RETURNING 1 AS done`;
  return mapped(rows(selection, built), (done) => done.length);
}
