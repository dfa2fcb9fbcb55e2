import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Staff } from "../core/actor.ts";
import type { Context } from "../core/context.ts";
import { imageFolder } from "../core/images/asset.ts";
import {
  addTexts,
  coordinatorFile,
  emptyDigest,
  type ManifestLine,
  ownTable,
  schemaVersion,
} from "./complete-copy.ts";
import { copyCoordinator } from "./copy-coordinator.ts";
import { erasedClients } from "./erasure-marks.ts";
import { type Reading, readPage } from "./read-copy.ts";
import { readImages } from "./read-images.ts";
import { nameOf, type OwnRows, ownTables } from "./rows-of-organization.ts";
import type { ExportStep } from "./steps.ts";

/** The number of rows per step. As in an export without secrets, they have at most 8 MB. */
const stepRows = 100;

const [images, coordinator, end] = ["images", "coordinator", "end"];

type Exported = Context<Staff, "db" | "images" | "coordinators", "slug">;

/** Runs one step of a full export (contract B3), including credentials as the database stores them. */
export async function completeStep(
  context: Exported,
  [name = "organizations", ...rest]: readonly unknown[],
): Promise<ExportStep | Refusal> {
  if (name === images) return imageStep(context, String(rest[0] ?? ""), Number(rest[1] ?? 0));
  if (name === coordinator)
    return coordinatorStep(
      context,
      Number(rest[0] ?? 0),
      Number(rest[1] ?? 0),
      String(rest[2] ?? emptyDigest),
    );
  if (name === end) return endStep(context);
  const own = ownTable(name);
  if (!own) return refuse("position_wrong");
  const [rows = 0, digest = emptyDigest, ...after] = rest;
  return tableStep(context, own, { rows: Number(rows), digest: String(digest), after });
}

const stepOf = (
  { organization: { id, slug } }: Exported,
  next: readonly unknown[] | null,
  ...lines: ManifestLine[]
) => ({
  id,
  organization: slug,
  files: [],
  manifest: lines.length > 0 ? lines.map((line) => `${JSON.stringify(line)}\n`).join("") : null,
  rows: 0,
  images: 0,
  next: next && JSON.stringify(["complete", ...next]),
});

async function tableStep(context: Exported, own: OwnRows, before: Reading): Promise<ExportStep> {
  const { id, slug } = context.organization;
  const { found, reading, isLast } = await readPage(context.services.db, id, own, before, stepRows);
  const name = nameOf(own.table);
  const following = ownTables[ownTables.indexOf(own) + 1];
  const next = isLast
    ? [following ? nameOf(following.table) : images]
    : [name, reading.rows, reading.digest, ...reading.after];
  const link_prefix = String(found[0]?.link_prefix);
  const lines: ManifestLine[] =
    own === ownTables[0] ? [{ schema: schemaVersion, id, slug, link_prefix }] : [];
  if (isLast) lines.push({ table: name, rows: reading.rows, digest: reading.digest });
  const text = found.map((row) => `${JSON.stringify(row)}\n`).join("");
  const files = [{ file: `${name}.jsonl`, text, base64: null }];
  return { ...stepOf(context, next, ...lines), files, rows: found.length };
}

async function imageStep(context: Exported, path: string, offset: number): Promise<ExportStep> {
  const { services, organization } = context;
  const read = await readImages(services.images, imageFolder(organization.id), path, offset);
  const lines = read.whole.map((image) => ({
    image: image.path,
    bytes: image.bytes,
    sha256: image.sha256,
    content_type: image.contentType,
  }));
  return {
    ...stepOf(context, read.next ? [images, ...read.next] : [coordinator], ...lines),
    files: read.images.map((image) => ({
      file: `${images}/${image.path}`,
      text: null,
      base64: image.base64,
    })),
    images: read.whole.length,
  };
}

/** Exports the request log, daily usage, and when each token was last used. */
async function coordinatorStep(
  context: Exported,
  afterId: number,
  before: number,
  digest: string,
): Promise<ExportStep> {
  const { lines, next } = await copyCoordinator(context.services, context.organization.id, afterId);
  const counted = { rows: before + lines.length, digest: addTexts(digest, lines) };
  const text = lines.map((line) => `${line}\n`).join("");
  return {
    ...(next === null
      ? stepOf(context, [end], { coordinator: true, ...counted })
      : stepOf(context, [coordinator, next, counted.rows, counted.digest])),
    files: [{ file: coordinatorFile, text, base64: null }],
  };
}

/** Exports the facts that are stored outside the database: ended tokens, the next invoice number, erased clients. */
async function endStep(context: Exported): Promise<ExportStep> {
  const { services, organization } = context;
  const facts = await services.coordinators.getByName(organization.id).keptFacts();
  const clients = await erasedClients(services.images, organization.id);
  return stepOf(context, null, { ...facts, erasedClients: clients, end: true });
}
