import { sql } from "drizzle-orm";
import { type MovePart, moveLimits } from "../../contract/move.ts";
import { refuse } from "../../contract/refusal.ts";
import { events } from "../../core/events/tables.ts";
import type { Services } from "../../core/services.ts";
import { rows, statement } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { moveChanges } from "../../db/moving.ts";
import { batch, run } from "../../db/query.ts";
import { addRows, emptyDigest } from "../complete-copy.ts";
import { copyCoordinator, findEventIds } from "../copy-coordinator.ts";
import { erasedClients } from "../erasure-marks.ts";
import { page } from "../read-copy.ts";
import { nameOf, type OwnRows, ownTables } from "../rows-of-organization.ts";
import { type MoverRef, recordSeen, type StepInput, type StepResult } from "./mover.ts";
import { copiedPart, rowsAt, tableByName } from "./rows.ts";

/** Reads what the old cell sends to the copy (contract Z10). */

/**
 * Reads changes to rows that the copy already has, and the copy's next page. Changes to other rows are part of a later
 * page. If a page refers to a row that is newer than these changes, the copy waits for the next changes.
 */
export async function readForCopy(
  { db }: Pick<Services, "db">,
  { id: organizationId, mover, position: { table, after }, hasPages, done }: StepInput<"read">,
): StepResult<"read"> {
  const [isAtWork, , noted] = await batch(db, [
    recordSeen({ id: organizationId, mover }),
    forget(organizationId, done),
    findNoted(organizationId),
  ]);
  if (!isAtWork) return refuse("move_under_way");
  const here = noted.map((note) => ({
    ...note,
    keys: JSON.parse(note.key) as unknown[],
    place: copiedPart(note.name, table),
  }));
  const wanted = here.filter(
    ({ gone, place }) => !gone && (place === "all" || (place === "some" && after.length > 0)),
  );
  const groups = [...Map.groupBy(wanted, ({ name }) => name)].sort(byTable);
  const keysOf = (notes: typeof wanted) => notes.map(({ keys }) => keys);
  const reading = groups.map(([name, notes]) =>
    rowsAt(tableByName(name), organizationId, keysOf(notes), name === table ? after : undefined),
  );
  const found = reading.length === 0 ? [] : await batch(db, reading);
  const changed = groups.map(([name], index) => changedPage(name, found[index] ?? []));
  const gone = here.filter((note) => note.gone && note.place !== "none");
  const part = {
    gone: [...Map.groupBy(gone, ({ name }) => name)]
      .sort(byTable)
      .reverse()
      .map(([name, notes]) => ({ table: name, keys: notes.map(({ keys }) => keys) })),
    changed: changed.filter((each) => each.rows.length > 0),
    done: noted.map(({ name, key, changes }) => [name, key, changes]),
  };
  if (table === null || !hasPages) return { ...part, pages: [], next: { table, after } };
  return { ...part, ...(await readPages(db, organizationId, table, after)) };
}

/** Reads a table's next rows, and the rows of the small tables after it. */
async function readPages(
  db: D1Database,
  organizationId: string,
  table: string,
  after: readonly unknown[],
): Promise<Pick<MovePart, "pages" | "next">> {
  const first = ownTables.indexOf(tableByName(table));
  const tables = ownTables.slice(first, first + moveLimits.pageTables);
  const reading = tables.map((own, index) => {
    const before = { rows: 0, digest: emptyDigest, after: index === 0 ? after : [] };
    return page(organizationId, own, before, index === 0 ? moveLimits.pageRows : moveLimits.fewRows);
  });
  const found = await batch(db, reading);
  const open = found.findIndex(({ isLast }) => !isLast);
  const read = open === -1 ? found : found.slice(0, open + 1);
  const following = ownTables[first + read.length];
  const here = open === -1 ? undefined : tables[open];
  return {
    pages: read.map(({ found: copied, reading: { digest } }, index) => ({
      table: nameOf((tables[index] as OwnRows).table),
      rows: copied,
      digest,
    })),
    next: here
      ? { table: nameOf(here.table), after: found[open]?.reading.after ?? [] }
      : { table: following ? nameOf(following.table) : null, after: [] },
  };
}

const byTable = ([one]: [string, unknown], [other]: [string, unknown]) =>
  ownTables.indexOf(tableByName(one)) - ownTables.indexOf(tableByName(other));

const changedPage = (table: string, found: Record<string, unknown>[]) => ({
  table,
  rows: found,
  digest: addRows(emptyDigest, tableByName(table), found),
});

const notedFields = {
  name: moveChanges.name,
  key: moveChanges.key,
  gone: moveChanges.gone,
  changes: moveChanges.changes,
};

/**
 * Finds noted changes. Deletions come first, each before the rows that the deleted row refers to. Other rows come after
 * the rows that they refer to. Events keep their order, because the new cell numbers them as they arrive and the order
 * of the feed must not change.
 */
function findNoted(organizationId: string) {
  const names = JSON.stringify(ownTables.map(({ table }) => nameOf(table)));
  const sequence = sql`SELECT ${events.sequence} FROM ${events} WHERE ${events.id} = ${moveChanges.key} ->> 0`;
  return rows(
    notedFields,
    sql`SELECT ${moveChanges.name}, ${moveChanges.key}, ${moveChanges.gone}, ${moveChanges.changes}
      FROM ${moveChanges} JOIN json_each(${names}) AS place ON place.value = ${moveChanges.name}
      WHERE ${moveChanges.move} = ${organizationId}
      ORDER BY ${moveChanges.gone} DESC, iif(${moveChanges.gone}, -place.key, place.key),
        iif(${moveChanges.name} = ${nameOf(events)}, (${sequence}), ${moveChanges.key})
      LIMIT ${moveLimits.changedRows}`,
  );
}

/** Deletes the notes about applied changes, unless the rows have changed again. */
const forget = (organizationId: string, done: readonly unknown[]) =>
  statement(sql`DELETE FROM ${moveChanges} WHERE move = ${organizationId} AND (name, key, changes) IN
    (SELECT value ->> '$[0]', value ->> '$[1]', value ->> '$[2]' FROM json_each(${JSON.stringify(done)}))`);

export const readCoordinatorLines = (
  services: Pick<Services, "db" | "coordinators">,
  { id: organizationId, afterId }: StepInput<"readKept">,
): StepResult<"readKept"> => copyCoordinator(services, organizationId, afterId);

/** Reads the facts that are stored outside the database, and the current time of this cell's database. */
export async function readFacts(
  { db, coordinators, images }: Pick<Services, "db" | "coordinators" | "images">,
  mover: MoverRef,
): StepResult<"factsOf"> {
  const kept = await coordinators.getByName(mover.id).keptFacts();
  const [clock] = await run(db, rows({ now: sql<string>`now`.as("now") }, sql`SELECT ${now} AS now`));
  return { facts: { ...kept, erasedClients: await erasedClients(images, mover.id) }, now: clock?.now ?? "" };
}

/** Finds requests that were logged here after the log was copied, with the ids of their events. */
export async function lateRequests(
  { db, coordinators }: Pick<Services, "db" | "coordinators">,
  { id: organizationId, since }: StepInput<"lateRequests">,
): StepResult<"lateRequests"> {
  const found = await coordinators.getByName(organizationId).findRequests({ since, limit: 1_000 });
  const idsOf = await findEventIds(db, organizationId, found);
  return { requests: found.map((request) => ({ ...request, events: idsOf(request) })) };
}
