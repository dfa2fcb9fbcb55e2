import { and, eq, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type Refusal, refuse } from "../contract/refusal.ts";
import { imageFolder } from "../core/images/asset.ts";
import type { Services } from "../core/services.ts";
import { build, changesRow, rowOf, rowsOf, statement } from "../db/build.ts";
import { fences } from "../db/fencing.ts";
import { imports } from "../db/importing.ts";
import { isMoving } from "../db/moving.ts";
import { batch, run } from "../db/query.ts";
import { logLine } from "../platform/log.ts";
import { markOutdated } from "../workspace/directory/rebuild.ts";
import { organizations } from "../workspace/organizations/tables.ts";
import {
  addRows,
  type CopiedRow,
  copiedColumns,
  emptyDigest,
  Manifest,
  ownTable,
  readManifest,
  schemaVersion,
} from "./complete-copy.ts";
import { parseCoordinatorRows, saveCoordinatorRows } from "./copy-coordinator.ts";
import { erasedClients, markErasure, unmarkErasure } from "./erasure-marks.ts";
import { publishOldLinks } from "./old-links.ts";
import { type Reading, readPage } from "./read-copy.ts";
import { reserveNamesOfCopy } from "./reserve-names-of-copy.ts";
import { nameOf, type OwnRows, ownTables } from "./rows-of-organization.ts";
import type { ImportStep } from "./steps.ts";

/** Rows compared per step. */
const comparedRows = 500;

type Uses = Pick<Services, "db" | "cell" | "images" | "coordinators">;

/** A step's position: a table and the number of rows imported so far, an image, or a page to compare. */
const Position = z.union([
  z.tuple([z.literal("rows"), z.string(), z.int(), z.string().optional()]),
  z.tuple([z.literal("coordinator"), z.string(), z.int()]),
  z.tuple([z.literal("image"), z.string(), z.string(), z.string().nullable(), z.string().nullable()]),
  z.tuple(
    [z.literal("compare"), z.string(), z.string(), z.int(), z.string()],
    z.union([z.string(), z.number()]),
  ),
]);

function read(position: string): z.output<typeof Position> | null {
  try {
    return Position.parse(JSON.parse(position));
  } catch {
    return null;
  }
}

interface ImportCall {
  slug?: string | undefined;
  position?: string | undefined;
  text?: string | undefined;
  base64?: string | undefined;
}

/**
 * Runs one step of importing a workspace (contract B3). The first step receives the manifest. It is followed by the
 * rows, table by table, the images, and a comparison of every table. The last step ends the import.
 */
export async function importStep(services: Uses, call: ImportCall): Promise<ImportStep | Refusal> {
  if (call.position === undefined) return begin(services, call.text ?? "", call.slug);
  const position = read(call.position);
  if (position === null) return refuse("position_wrong");
  const mark = await findMark(services.db, position[1]);
  if (!mark) return refuse("position_wrong");
  if (position[0] === "image") {
    const [, , path, contentType, sha256] = position;
    return storeImage(services, mark, { path, contentType, sha256, base64: call.base64 });
  }
  if (position[0] === "coordinator") return importCoordinator(services, mark, position[2], call.text ?? "");
  if (position[0] === "rows") return importRows(services, mark, position[2], position[3], call.text ?? "");
  const [, , name, rows, digest, ...after] = position;
  const own = ownTable(name);
  return own ? compare(services, mark, own, { rows, digest, after }) : refuse("position_wrong");
}

/** Returns the id of the export that a step belongs to, from the manifest or position. */
export function copyOf(text = "", position?: string): unknown {
  if (position !== undefined) return read(position)?.[1];
  const found = readManifest(text.split("\n").filter((line) => line !== ""));
  return typeof found === "string" ? undefined : found.id;
}

interface Mark {
  id: string;
  slug: string;
  manifest: Manifest;
  rows: number;
}

async function findMark(db: D1Database, id: string): Promise<Mark | null> {
  const found = await run(db, rowOf(build.select().from(imports).where(eq(imports.id, id))));
  return found && { ...found, manifest: Manifest.parse(JSON.parse(found.manifest)) };
}

const stepOf = ({ id, slug }: Pick<Mark, "id" | "slug">, next: readonly unknown[] | null) => ({
  id,
  organization: slug,
  rows: 0,
  images: 0,
  erased_clients: [],
  compared: null,
  next: next && JSON.stringify(next),
});

/** Begins an import. If an import of the same export was interrupted, continues after the existing rows. */
async function begin(
  services: Uses,
  text: string,
  requestedSlug: string | undefined,
): Promise<ImportStep | Refusal> {
  const { db } = services;
  const read = readManifest(text.split("\n").filter((line) => line !== ""));
  if (typeof read === "string") return refuse("copy_not_whole", { why: read });
  const manifest = Manifest.parse(read);
  const { schema, id, link_prefix: prefix } = manifest;
  if (await isMoving(db, id)) return refuse("organization_is_moving");
  if (schema !== schemaVersion) return refuse("copy_of_other_schema", { schema, expected: schemaVersion });
  const lacking = ownTables.find(({ table }) => !manifest.tables[nameOf(table)]);
  if (lacking) return refuse("copy_not_whole", { why: `it lacks the table ${nameOf(lacking.table)}` });
  const slug = requestedSlug ?? manifest.slug;
  const kept = JSON.stringify(manifest);
  const mark = await findMark(db, id);
  if (mark && JSON.stringify(mark.manifest) === kept && mark.slug === slug) {
    await run(db, raiseFence(id));
    return stepOf(mark, ["rows", id, mark.rows]);
  }
  const there = or(
    eq(organizations.id, id),
    eq(organizations.slug, slug),
    eq(organizations.link_prefix, prefix),
  );
  const found = { id: organizations.id, slug: organizations.slug };
  const existing = await run(db, rowsOf(build.select(found).from(organizations).where(there)));
  const same = existing.find((each) => each.id === id);
  if (mark?.rows || same) return refuse("copy_exists", { organization: same?.slug ?? slug });
  if (existing.some((each) => each.slug === slug)) return refuse("copy_slug_taken", { organization: slug });
  if (existing.length > 0) return refuse("copy_prefix_taken", { prefix });
  const taken = await reserveNamesOfCopy(services, { id, slug, manifest }, "founding");
  if (taken) return taken;
  const values = { slug, manifest: kept };
  const marking = build.insert(imports).values({ id, ...values });
  await batch(db, [
    statement(marking.onConflictDoUpdate({ target: imports.id, set: values })),
    raiseFence(id),
  ]);
  return stepOf({ id, slug }, ["rows", id, 0]);
}

/** Raises the fence: until the import ends, no row of the workspace can be changed or read. */
const raiseFence = (id: string) =>
  statement(build.insert(fences).values({ id, hides: true }).onConflictDoNothing());
const liftFence = (id: string) => statement(build.delete(fences).where(eq(fences.id, id)));

/** Inserts a page and advances the marker in one transaction, so that a page received twice is inserted once. */
async function importRows(
  services: Uses,
  mark: Mark,
  at: number,
  name: string | undefined,
  text: string,
): Promise<ImportStep | Refusal> {
  const { db } = services;
  const own = ownTable(name);
  const found = rowsIn(text);
  if (!own || found === null || at !== mark.rows) return refuse("position_wrong");
  const taken = at === 0 ? await reserveNamesOfCopy(services, mark, "arriving") : undefined;
  if (taken) return taken;
  const columns = copiedColumns(own);
  const isOrganization = own === ownTables[0];
  const page = found.map((row) => ({ ...row, ...(isOrganization && { slug: mark.slug }) }) as CopiedRow);
  const column = columns.find((each) => each.name === "organization_id");
  const strange = page.find((row) => row[isOrganization ? "id" : (column?.name ?? "")] !== mark.id);
  if (strange) return refuse("copy_not_whole", { why: `${name}.jsonl has a row of another organization` });
  const list = (parts: SQL[]) => sql.join(parts, sql`, `);
  const isHere = and(eq(imports.id, mark.id), eq(imports.rows, at));
  const values = JSON.stringify(page.map((row) => columns.map((each) => row[each.name] ?? null)));
  const [, , hasMoved] = await batch(db, [
    liftFence(mark.id),
    statement(sql`INSERT INTO ${own.table} (${list(columns.map((each) => sql`${sql.identifier(each.name)}`))})
      SELECT ${list(columns.map((_, index) => sql`value ->> ${`$[${index}]`}`))} FROM json_each(${values})
      WHERE EXISTS (SELECT 1 FROM ${imports} WHERE ${isHere}) ORDER BY key`),
    changesRow(
      build
        .update(imports)
        .set({ rows: at + page.length })
        .where(isHere)
        .returning({ id: imports.id }),
    ),
    raiseFence(mark.id),
  ]);
  if (!hasMoved) return refuse("position_wrong");
  return { ...stepOf(mark, ["rows", mark.id, at + page.length]), rows: page.length };
}

function rowsIn(text: string): CopiedRow[] | null {
  try {
    const lines = text.split("\n").filter((line) => line !== "");
    return z.array(z.record(z.string(), z.unknown())).parse(lines.map((line) => JSON.parse(line)));
  } catch {
    return null;
  }
}

/** Imports a page of the coordinator's data. `before` is the number of rows so far. */
async function importCoordinator(
  services: Uses,
  mark: Mark,
  before: number,
  text: string,
): Promise<ImportStep | Refusal> {
  const copied = parseCoordinatorRows(text);
  if (copied === null) return refuse("position_wrong");
  await saveCoordinatorRows(services, mark.id, copied, before === 0);
  return stepOf(mark, ["coordinator", mark.id, before + copied.length]);
}

interface Image {
  path: string;
  contentType: string | null;
  sha256: string | null;
  base64: string | undefined;
}

/** Stores an image. The bucket verifies its SHA-256. Without bytes, returns whether the bucket has the image. */
async function storeImage({ images }: Uses, mark: Mark, image: Image): Promise<ImportStep | Refusal> {
  const { path, contentType, sha256, base64 } = image;
  if (!path.startsWith(imageFolder(mark.id)))
    return refuse("copy_not_whole", { why: `${path} is not an image of this organization` });
  if (base64 === undefined) {
    const there = await images.head(path);
    const isSame = there !== null && sha256 !== null && there.checksums.toJSON().sha256 === sha256;
    return { ...stepOf(mark, ["image"]), images: isSame ? 1 : 0 };
  }
  await images.put(path, Uint8Array.fromBase64(base64), {
    ...(sha256 !== null && { sha256 }),
    ...(contentType !== null && { httpMetadata: { contentType } }),
  });
  return { ...stepOf(mark, ["image"]), images: 1 };
}

/** Reads the tables back page by page. If all of them match, ends the import. */
async function compare(
  services: Uses,
  mark: Mark,
  own: OwnRows,
  before: Reading,
): Promise<ImportStep | Refusal> {
  const { found, reading, isLast } = await readPage(services.db, mark.id, own, before, comparedRows);
  const name = nameOf(own.table);
  const isOrganization = own === ownTables[0];
  const digest = isOrganization
    ? addRows(
        emptyDigest,
        own,
        found.map((row) => ({ ...row, slug: mark.manifest.slug })),
      )
    : reading.digest;
  if (!isLast)
    return stepOf(mark, ["compare", mark.id, name, reading.rows, reading.digest, ...reading.after]);
  const expected = mark.manifest.tables[name];
  if (expected?.digest !== digest || expected.rows !== reading.rows)
    return refuse("copy_differs", { tables: [name] });
  const compared = { table: name, rows: reading.rows, digest };
  const following = ownTables[ownTables.indexOf(own) + 1];
  if (following)
    return { ...stepOf(mark, ["compare", mark.id, nameOf(following.table), 0, emptyDigest]), compared };
  return { ...(await finish(services, mark)), compared };
}

async function finish({ db, cell, images, coordinators }: Uses, mark: Mark) {
  const { erasedClients: erasedBefore, ...facts } = mark.manifest.facts;
  await coordinators.getByName(mark.id).importFacts(facts);
  await unmarkErasure(images, mark.id);
  const known = new Set(erasedBefore);
  const erased_clients = (await erasedClients(images, mark.id)).filter((clientId) => !known.has(clientId));
  for (const clientId of erasedBefore) await markErasure(images, { organizationId: mark.id, clientId });
  await publishOldLinks({ db, cell }, (column) => eq(column, mark.id));
  await batch(db, [
    statement(build.delete(imports).where(eq(imports.id, mark.id))),
    liftFence(mark.id),
    markOutdated(mark.id),
  ]);
  logLine({ imported: "organization", organization_id: mark.id });
  return { ...stepOf(mark, null), erased_clients };
}
