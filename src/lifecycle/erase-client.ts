import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../contract/refusal.ts";
import type { Staff } from "../core/actor.ts";
import { auditEntry } from "../core/audit-log/audited-change.ts";
import type { Context } from "../core/context.ts";
import { dropAnswersWith } from "../core/ledger/forget-entries.ts";
import { mailCounts } from "../core/mails/tables.ts";
import { build, rows, statement } from "../db/build.ts";
import { isMoving } from "../db/moving.ts";
import { batch, mapped, type Query, run } from "../db/query.ts";
import { owned } from "../db/records.ts";
import { reviewCodes, reviewKeys } from "../review/access/tables.ts";
import { deliverables } from "../review/deliverables/tables.ts";
import { erasedColumns, personalColumns } from "../work/clients/erased.ts";
import { clientResource } from "../work/clients/read-clients.ts";
import { clients } from "../work/clients/tables.ts";
import { erasing } from "./erasing.ts";
import { markErasure } from "./erasure-marks.ts";
import { isOfClient, type PersonalRows, personalRows } from "./rows-of-client.ts";
import { nameOf } from "./rows-of-organization.ts";
import type { ClientErasureStep } from "./steps.ts";

const stepLimits = {
  /** Rows per transaction. */
  rows: 200,
  /** Ledger entries searched per transaction. */
  entries: 2000,
  /** Transactions per step. */
  batches: 50,
};

/** The prefix of positions in the ledger, which is searched after all other rows. */
const inLedger = "requests ";

/**
 * Runs one step of erasing a client's personal data. `next` is the next step's position. The client's own row is erased
 * first, so that rows written in the meantime contain no personal data. A step changes only rows that still contain
 * personal data, so it can be repeated.
 */
export async function eraseClientStep(
  context: Context<Staff, "db" | "images">,
  { id, position }: { id: string; position?: string | undefined },
): Promise<ClientErasureStep | Refusal> {
  const { services, organization } = context;
  if (await isMoving(services.db, organization.id)) return refuse("organization_is_moving");
  const find = clientResource.read(organization.id, id);
  if (position === undefined && (await run(services.db, find))) {
    await markErasure(services.images, { organizationId: organization.id, clientId: id });
    await batch(services.db, erasing(organization.id, eraseItself(context, id)));
  }
  const client = await run(services.db, find);
  if (!client) return noSuch("client", id);
  const step = { id, name: client.name, rows: 0, next: null };
  const batches = { left: stepLimits.batches };
  if (!position?.startsWith(inLedger)) {
    const { rows, next } = await eraseRows(context, id, position, batches);
    if (next) return { ...step, rows, next };
    step.rows = rows;
  }
  const after = position?.startsWith(inLedger) ? position.slice(inLedger.length) : "";
  return { ...step, next: await dropAnswers(context, id, after, batches) };
}

interface Batches {
  left: number;
}

async function eraseRows(
  { services, organization }: Context<Staff, "db">,
  id: string,
  position: string | undefined,
  batches: Batches,
) {
  const kinds = personalRows(id);
  let rows = 0;
  let place = Math.max(
    0,
    kinds.findIndex(({ table }) => nameOf(table) === position),
  );
  for (; batches.left > 0 && place < kinds.length; batches.left -= 1) {
    const kind = kinds[place] as PersonalRows;
    const erase = eraseSome(kind, isOfClient(kind, organization.id, id));
    const [, took] = await batch(services.db, erasing(organization.id, [erase]));
    rows += took;
    if (took < stepLimits.rows) place += 1;
  }
  const here = kinds[place];
  return { rows, next: here ? nameOf(here.table) : null };
}

/** Drops stored responses that contain the client's data. Replays then read the records instead. */
async function dropAnswers(
  { services, organization }: Context<Staff, "db">,
  id: string,
  after: string,
  batches: Batches,
) {
  let key: string | null = after;
  for (; key !== null && batches.left > 0; batches.left -= 1)
    [, key] = await batch(services.db, dropAnswersWith(organization.id, id, key, stepLimits.entries));
  return key === null ? null : inLedger + key;
}

/** Erases the client's own row, and deletes the e-mail counts for all known addresses of the client. */
function eraseItself(context: Context<Staff, "db">, id: string): Query<unknown>[] {
  const organizationId = context.organization.id;
  const erased = erasedColumns(id);
  const holdsSomething = or(...personalColumns.map((name) => sql`${clients[name]} IS NOT ${erased[name]}`));
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
    statement(
      build
        .update(clients)
        .set({ ...erased, status: "archived" })
        .where(and(own, holdsSomething)),
    ),
    auditEntry(context, "client.erased", id),
  ];
}

/** Erases some rows of one kind and returns their number. Skips rows without personal data. */
function eraseSome({ table, key, becomes }: PersonalRows, isOfClient: SQL | undefined): Query<number> {
  const holds = becomes?.map(([column, value]) => sql`${column} IS NOT ${value}`);
  const isLeft = holds ? sql`AND (${sql.join(holds, sql` OR `)})` : sql``;
  const found = sql`SELECT ${key} FROM ${table} WHERE ${isOfClient} ${isLeft} LIMIT ${stepLimits.rows}`;
  const set = becomes?.map(([column, value]) => sql`${sql.identifier(column.name)} = ${value}`);
  const verb = set ? sql`UPDATE ${table} SET ${sql.join(set, sql`, `)}` : sql`DELETE FROM ${table}`;
  const selection = { done: sql<number>`1`.as("done") };
  const built = sql`${verb} WHERE (${key}) IN (${found}) RETURNING 1 AS done`;
  return mapped(rows(selection, built), (done) => done.length);
}
