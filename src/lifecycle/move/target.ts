import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CopiedPage, CopyPosition, MovePart } from "../../contract/move.ts";
import { refuse } from "../../contract/refusal.ts";
import type { LoggedRequest } from "../../contract/request-log.ts";
import { auditLog } from "../../core/audit-log/tables.ts";
import type { Services } from "../../core/services.ts";
import { build, changesRow, rows, statement } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { fences } from "../../db/fencing.ts";
import { imports } from "../../db/importing.ts";
import { moves } from "../../db/moving.ts";
import { batch, type Query, run } from "../../db/query.ts";
import { numbered } from "../../db/table-rules.ts";
import { logLine } from "../../platform/log.ts";
import { markOutdated } from "../../workspace/directory/rebuild.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { addRows, CopiedFacts, type CopiedRow, copiedColumns, emptyDigest } from "../complete-copy.ts";
import { findEventSpans, parseCoordinatorRows, saveCoordinatorRows } from "../copy-coordinator.ts";
import { markErasure, unmarkErasure } from "../erasure-marks.ts";
import { publishOldLinks } from "../old-links.ts";
import { nameOf, type OwnRows } from "../rows-of-organization.ts";
import type { MoverRef, StepInput, StepResult } from "./mover.ts";
import { identityIn, identityOf, isOneOf, rowsAt, sqlList, tableByName } from "./rows.ts";
import { eraseRows } from "./source.ts";

/** Steps of a move in the workspace's new cell (contract Z10). The copy is hidden until the last step. */

const isMoveTo = (id: string) => and(eq(moves.id, id), eq(moves.side, "to"));

const beginning: CopyPosition = { round: 0, table: nameOf(organizations), after: [] };

/** Begins a copy, or continues it for another mover. `isDone` means that the workspace is already here. */
export async function openCopy(
  { db }: Pick<Services, "db">,
  { id, mover, from, slug, actor, operator }: StepInput<"openCopy">,
): StepResult<"openCopy"> {
  const isHere = sql`EXISTS (SELECT 1 FROM ${organizations} WHERE id = ${id})
    AND NOT EXISTS (SELECT 1 FROM ${imports} WHERE id = ${id})`;
  const values = [id, "to", from, mover, 0, JSON.stringify(beginning), actor, operator];
  const opened = sql`INSERT INTO ${moves} (id, side, cell, mover, notes, position, actor, operator)
    SELECT ${sqlList(values)} WHERE NOT (${isHere})
    ON CONFLICT (id) DO UPDATE SET mover = excluded.mover, seen_at = ${now} WHERE side = 'to'`;
  const [, , , found] = await batch(db, [
    statement(opened),
    statement(sql`INSERT INTO ${imports} (id, slug, manifest) SELECT id, ${slug}, '{}' FROM ${moves}
      WHERE ${isMoveTo(id)} ON CONFLICT DO NOTHING`),
    raiseFence(id),
    rows({ position: moves.position }, sql`SELECT position FROM ${moves} WHERE ${isMoveTo(id)}`),
  ]);
  const position = found[0]?.position;
  return position ? { position: JSON.parse(position), isDone: false } : { position: beginning, isDone: true };
}

const raiseFence = (id: string) =>
  statement(
    sql`INSERT INTO ${fences} (id, hides) SELECT id, 1 FROM ${imports} WHERE id = ${id} ON CONFLICT DO NOTHING`,
  );
const liftFence = (id: string) => statement(build.delete(fences).where(eq(fences.id, id)));

/**
 * Writes a part, advances the position and reads the part back, in one transaction. `isLate` means that nothing was
 * written, because a row refers to another row that has not been copied yet.
 */
export async function applyPart(
  { db }: Pick<Services, "db">,
  { id, mover, position, part, isReversed }: StepInput<"apply">,
): StepResult<"apply"> {
  const next: CopyPosition = { ...part.next, round: position.round + 1 };
  const isAt = and(
    isMoveTo(id),
    eq(moves.mover, mover),
    sql`json_extract(position, '$.round') = ${position.round}`,
  );
  const pages = [...part.changed, ...part.pages].filter((page) => page.rows.length > 0);
  const moving = build
    .update(moves)
    .set({ position: JSON.stringify(next), seen_at: now })
    .where(isAt);
  try {
    const [[isMoved], copies] = await inBatch(db, [
      [liftFence(id), ...changesOf(part, pages, isReversed, isAt), raiseFence(id)],
      [changesRow(moving.returning({ id: moves.id }))],
      pages.map((page) => rowsOfPage(id, page)),
    ]);
    if (!isMoved) return refuse("move_under_way");
    const differs = pages.filter(
      ({ table, digest }, index) => addRows(emptyDigest, tableByName(table), copies[index] ?? []) !== digest,
    );
    if (differs.length > 0) return refuse("move_differs", { tables: differs.map(({ table }) => table) });
    return { position: next, isLate: false };
  } catch (error) {
    if (!/constraint failed/i.test(String(error))) throw error;
    logLine({ move: "late", organization_id: id, tables: pages.map(({ table }) => table) });
    return { position, isLate: true };
  }
}

/** Runs lists of queries in one transaction and returns the results of the second and third lists. */
async function inBatch<A, B>(
  db: D1Database,
  [first, second, third]: [Query<void>[], Query<A>[], Query<B>[]],
): Promise<[A[], B[]]> {
  const results = (await batch(db, [...first, ...second, ...third])).slice(first.length);
  return [results.slice(0, second.length) as A[], results.slice(second.length) as B[]];
}

/** Changes rows only while the copy is at the position of this part. */
function changesOf(
  { gone }: MovePart,
  pages: readonly CopiedPage[],
  isReversed: boolean,
  isAt: SQL | undefined,
): Query<void>[] {
  const guard = sql`EXISTS (SELECT 1 FROM ${moves} WHERE ${isAt})`;
  const deleting = gone.map(({ table, keys }) =>
    statement(
      sql`DELETE FROM ${tableByName(table).table} WHERE ${isOneOf(tableByName(table), keys)} AND ${guard}`,
    ),
  );
  const writing = pages.flatMap(({ table, rows: copied }) => writeRows(tableByName(table), copied, guard));
  return isReversed ? [...writing, ...deleting] : [...deleting, ...writing];
}

const rowsOfPage = (id: string, { table, rows: copied }: CopiedPage): Query<CopiedRow[]> => {
  const own = tableByName(table);
  return rowsAt(
    own,
    id,
    copied.map((row) => identityIn(own, row)),
  );
};

/** Inserts rows or updates existing ones. Rows with numbers from this database are never updated. */
function writeRows(own: OwnRows, copied: readonly CopiedRow[], guard: SQL): Query<void>[] {
  const columns = copiedColumns(own);
  const values = copied.map((row) => JSON.stringify(columns.map(({ name }) => row[name] ?? null)));
  return inParts(values).map((part) => writePart(own, part, guard));
}

/** The maximum length of a parameter. A parameter can have 2 MB, and a character takes up to three bytes. */
const partCharacters = 500_000;

/** Joins rows to arrays of a limited length. */
function inParts(values: readonly string[]): string[] {
  const parts: string[] = [];
  for (const value of values) {
    const last = parts.at(-1);
    if (last === undefined || last.length + value.length > partCharacters) parts.push(value);
    else parts[parts.length - 1] = `${last},${value}`;
  }
  return parts.map((part) => `[${part}]`);
}

function writePart(own: OwnRows, values: string, guard: SQL): Query<void> {
  const columns = copiedColumns(own);
  const identity = identityOf(own);
  const names = (all: typeof columns) => sqlList(all.map(({ name }) => sql.identifier(name)));
  const copiedValue = (column: (typeof columns)[number]) =>
    sql`value ->> ${sql.raw(`'$[${columns.indexOf(column)}]'`)}`;
  const inserting = sql`INSERT INTO ${own.table} (${names(columns)})
    SELECT ${sqlList(columns.map(copiedValue))} FROM json_each(${values}) WHERE ${guard}`;
  if (nameOf(own.table) in numbered)
    return statement(sql`${inserting} AND NOT EXISTS (SELECT 1 FROM ${own.table}
      WHERE (${sqlList(identity)}) = (${sqlList(identity.map(copiedValue))})) ORDER BY key`);
  const rest = columns.filter((column) => !identity.includes(column));
  const set = sqlList(
    rest.map(({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`),
  );
  const changing = rest.length > 0 ? sql`UPDATE SET ${set}` : sql`NOTHING`;
  return statement(sql`${inserting} ORDER BY key ON CONFLICT (${names(identity)}) DO ${changing}`);
}

/** Whether this mover's copy is in progress in this cell. */
const isCopying = (db: D1Database, { id, mover }: MoverRef): Promise<boolean> =>
  run(
    db,
    changesRow(
      build
        .update(moves)
        .set({ seen_at: now })
        .where(and(isMoveTo(id), eq(moves.mover, mover)))
        .returning({ id: moves.id }),
    ),
  );

/** Adds links without a prefix to the directory before the switch, because there may be many. */
export async function publishLinks(
  services: Pick<Services, "db" | "cell">,
  { id }: StepInput<"publishLinks">,
): StepResult<"publishLinks"> {
  await publishOldLinks(services, (column) => eq(column, id));
  return {};
}

/** Stores a page of the old cell's coordinator data. The first page replaces the existing rows. */
export async function saveCoordinatorLines(
  services: Pick<Services, "db" | "coordinators">,
  { lines, isFirst, ...mover }: StepInput<"keepKept">,
): StepResult<"keepKept"> {
  if (!(await isCopying(services.db, mover))) return refuse("move_under_way");
  await saveCoordinatorRows(services, mover.id, parseCoordinatorRows(lines.join("\n")) ?? [], isFirst);
  return {};
}

/**
 * Makes the workspace visible in this cell. `isEarly` means that this database's clock is still behind the copied rows,
 * although new rows must be later than they are.
 */
export async function finishCopy(
  { db, images, coordinators }: Pick<Services, "db" | "images" | "coordinators">,
  { facts, notBefore, from, to, ...mover }: StepInput<"finish">,
): StepResult<"finish"> {
  const { id } = mover;
  const [clock] = await run(db, rows({ now: sql<string>`now`.as("now") }, sql`SELECT ${now} AS now`));
  if ((clock?.now ?? "") <= notBefore) return { isEarly: true };
  if (!(await isCopying(db, mover))) return refuse("move_under_way");
  const { erasedClients, ...kept } = CopiedFacts.parse(facts);
  await coordinators.getByName(id).importFacts(kept);
  await unmarkErasure(images, id);
  for (const clientId of erasedClients) await markErasure(images, { organizationId: id, clientId });
  const details = JSON.stringify({ from, to });
  const isOurs = and(isMoveTo(id), eq(moves.mover, mover.mover));
  await batch(db, [
    statement(build.delete(imports).where(eq(imports.id, id))),
    liftFence(id),
    statement(sql`INSERT INTO ${auditLog} (organization_id, actor, operator, action, subject_id, details)
      SELECT id, actor, operator, 'organization.moved', id, ${details} FROM ${moves} WHERE ${isOurs}`),
    statement(build.delete(moves).where(isOurs)),
    markOutdated(id),
  ]);
  logLine({ moved: "organization", organization_id: id, from, to });
  return { isEarly: false };
}

/** A logged request with the ids of its events. */
type NamedRequest = Omit<LoggedRequest, "events"> & { events: string[] };

/** Adds requests that the old cell logged after its log was copied, and updates the directory from this cell. */
export async function addRequests(
  { db, coordinators }: Pick<Services, "db" | "coordinators">,
  { id, requests }: StepInput<"addRequests">,
): StepResult<"addRequests"> {
  await run(db, markOutdated(id));
  const late = requests as NamedRequest[];
  const coordinator = coordinators.getByName(id);
  const oldest = late.at(-1)?.at;
  if (oldest === undefined) return {};
  const known = new Set(
    (await coordinator.findRequests({ since: oldest, limit: 10_000 })).map((each) => each.request_id),
  );
  const missing = late.filter(({ request_id }) => !known.has(request_id)).reverse();
  const spansOf = await findEventSpans(db, id, missing);
  await coordinator.logRequests(missing.map((request) => ({ ...request, events: spansOf(request) })));
  return {};
}

/** Erases a copy, some rows at a time. */
export async function discardCopy(
  services: Pick<Services, "db" | "images" | "eraseCoordinator">,
  { id }: StepInput<"discard">,
): StepResult<"discard"> {
  const isCopy = await run(
    services.db,
    changesRow(build.select({ id: moves.id }).from(moves).where(isMoveTo(id))),
  );
  if (!isCopy) return { isDone: true };
  if (!(await eraseRows(services, id))) return { isDone: false };
  await run(services.db, statement(build.delete(moves).where(isMoveTo(id))));
  return { isDone: true };
}
