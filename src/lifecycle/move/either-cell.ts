import { and, eq, sql } from "drizzle-orm";
import { type CellFacts, type Leftover, moveLimits, type TableSums } from "../../contract/move.ts";
import { imageFolder, isThumbnail } from "../../core/images/asset.ts";
import type { Services } from "../../core/services.ts";
import { build, changesRow, rows, rowsOf } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { fences } from "../../db/fencing.ts";
import { imports } from "../../db/importing.ts";
import { moveChanges, moves } from "../../db/moving.ts";
import { batch, run } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { imagesAfter, readPart } from "../../platform/images.ts";
import { readCell } from "../../workspace/directory/read-cell.ts";
import { directoryChanges } from "../../workspace/directory/tables.ts";
import { plans } from "../../workspace/organizations/tables.ts";
import { emptyDigest } from "../complete-copy.ts";
import { erasedClients } from "../erasure-marks.ts";
import { page, type Reading, readPage } from "../read-copy.ts";
import { nameOf, type OwnRows, ownTables } from "../rows-of-organization.ts";
import type { StepInput, StepResult } from "./mover.ts";
import { tableByName } from "./rows.ts";

/** Steps of a move that run in both cells (contract Z10). */

/** Reads the values that must be equal in both cells. Keys are compared by their digests. */
export async function readFactsOfCell(
  services: Pick<
    Services,
    | "db"
    | "cell"
    | "region"
    | "serviceState"
    | "webhookSecretKey"
    | "cursorKeys"
    | "codeKey"
    | "signOffKeys"
    | "processorSecrets"
  >,
): Promise<CellFacts> {
  const { name, state, schema } = await readCell(services);
  const found = await run(services.db, rowsOf(build.select().from(plans)));
  const { webhookSecretKey, cursorKeys, codeKey, signOffKeys, processorSecrets } = services;
  return {
    name,
    state,
    migration: schema ?? "",
    keys: sha256Hex(JSON.stringify([webhookSecretKey, cursorKeys, codeKey, signOffKeys, processorSecrets])),
    plans: Object.fromEntries(found.map((plan) => [plan.name, JSON.stringify(plan)])),
  };
}

type Sums = Record<string, readonly [number, string]>;

const counted = { name: sql<string>`name`.as("name"), count: sql<number>`count`.as("count") };

/** Counts a workspace's rows in each table of this cell. */
export async function countOwnRows(db: D1Database, organizationId: string): Promise<Map<string, number>> {
  const counting = ownTables.map(({ table, from, organization }) =>
    rows(
      counted,
      sql`SELECT ${nameOf(table)} AS name, count(*) AS count FROM ${from} WHERE ${organization} = ${organizationId}`,
    ),
  );
  const found = await batch(db, counting);
  return new Map(found.flat().map(({ name, count }) => [name, count]));
}

/** Sums the digests of rows, table by table. Each call reads a limited number of rows. */
export async function sumRows(
  { db }: Pick<Services, "db">,
  { id, mover, next }: StepInput<"sums">,
): Promise<TableSums> {
  await run(
    db,
    changesRow(
      build
        .update(moves)
        .set({ seen_at: now })
        .where(and(eq(moves.id, id), eq(moves.mover, mover)))
        .returning({ id: moves.id }),
    ),
  );
  const counts = await countOwnRows(db, id);
  const isFew = (own: OwnRows) => (counts.get(nameOf(own.table)) ?? 0) < moveLimits.fewSummedRows;
  const sums = next === null ? await sumFew(db, id, ownTables.filter(isFew)) : {};
  const many = ownTables.filter((own) => !isFew(own));
  let [left, begun] = [moveLimits.summedRows as number, next];
  for (const own of many.slice(next === null ? 0 : many.indexOf(tableByName(next.table)))) {
    const table = nameOf(own.table);
    let reading: Reading = begun ?? beginning;
    begun = null;
    for (let isLast = false; !isLast; ) {
      if (left <= 0) return { sums, next: { ...reading, table } };
      const pageRows = moveLimits.summedPageRowsOf[table] ?? moveLimits.summedPageRows;
      const read = await readPage(db, id, own, reading, pageRows);
      left -= read.found.length;
      ({ reading, isLast } = read);
    }
    sums[table] = [reading.rows, reading.digest];
  }
  return { sums, next: null };
}

const beginning: Reading = { rows: 0, digest: emptyDigest, after: [] };

/** Sums the row digests of several small tables in one round trip. */
async function sumFew(db: D1Database, id: string, tables: readonly OwnRows[]): Promise<Sums> {
  const found = await batch(
    db,
    tables.map((own) => page(id, own, beginning, moveLimits.fewSummedRows)),
  );
  return Object.fromEntries(
    found.map(({ reading: { rows: count, digest } }, index) => [
      nameOf((tables[index] as OwnRows).table),
      [count, digest] as const,
    ]),
  );
}

/** Lists a workspace's images, except those that can be regenerated. */
export async function listImages(
  { images }: Pick<Services, "images">,
  { id, after }: StepInput<"images">,
): StepResult<"images"> {
  const found = await imagesAfter(images, imageFolder(id), after, moveLimits.listedImages);
  return {
    images: found
      .filter(({ key }) => !isThumbnail(key))
      .map(({ key, size, etag }) => ({ path: key, mark: `${size} ${etag}` })),
    next: found.length < moveLimits.listedImages ? null : (found.at(-1)?.key ?? null),
  };
}

export async function readMovedImage(
  { images }: Pick<Services, "images">,
  { path }: StepInput<"readImage">,
): StepResult<"readImage"> {
  const found = await readPart(images, path, { offset: 0, length: moveLimits.imageBytes });
  return { image: found && { bytes: found.bytes, contentType: found.contentType, sha256: found.sha256 } };
}

export async function putImage(
  { images }: Pick<Services, "images">,
  { id, path, bytes, contentType, sha256 }: StepInput<"putImage">,
): StepResult<"putImage"> {
  if (!path.startsWith(imageFolder(id))) throw new Error("an image of another workspace");
  await images.put(path, bytes, {
    ...(sha256 !== null && { sha256 }),
    ...(contentType !== null && { httpMetadata: { contentType } }),
  });
  return {};
}

export async function dropImages(
  { images }: Pick<Services, "images">,
  { id, paths }: StepInput<"dropImages">,
): StepResult<"dropImages"> {
  await images.delete(paths.filter((path) => path.startsWith(imageFolder(id))));
  return {};
}

async function hasNothing(coordinator: ReturnType<Services["coordinators"]["getByName"]>): Promise<boolean> {
  const { tokenEnds, invoiceNumber } = await coordinator.keptFacts();
  const hasFacts = Object.keys(tokenEnds).length > 0 || invoiceNumber !== null;
  if (hasFacts || (await coordinator.sentMails()).length > 0) return false;
  return (await coordinator.keptRows(0)).rows.length === 0;
}

/** Counts everything that this cell still has from a workspace. */
export async function findLeftovers(
  { db, images, coordinators }: Pick<Services, "db" | "images" | "coordinators">,
  { id }: StepInput<"leftovers">,
): StepResult<"leftovers"> {
  const others = [moves, imports, fences, directoryChanges].map((table) =>
    rows(counted, sql`SELECT ${nameOf(table)} AS name, count(*) AS count FROM ${table} WHERE id = ${id}`),
  );
  const noted = sql`SELECT 'move_changes' AS name, count(*) AS count FROM ${moveChanges} WHERE move = ${id}`;
  const found = (await batch(db, [...others, rows(counted, noted)])).flat();
  const isCoordinatorEmpty = await hasNothing(coordinators.getByName(id));
  const leftovers: Leftover[] = [...(await countOwnRows(db, id))].map(([kind, count]) => ({ kind, count }));
  for (const { name, count } of found) leftovers.push({ kind: name, count });
  leftovers.push({ kind: "images", count: (await imagesAfter(images, imageFolder(id), "", 1_000)).length });
  leftovers.push({ kind: "erasure_marks", count: (await erasedClients(images, id)).length });
  leftovers.push({ kind: "coordinator", count: isCoordinatorEmpty ? 0 : 1 });
  return { leftovers: leftovers.filter(({ count }) => count > 0) };
}
