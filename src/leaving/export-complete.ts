import { type Refusal, refuse } from "../contract/refusal.ts";
import { imageBehind, readPart } from "../platform/images.ts";
import type { Staff } from "../workspace/actor.ts";
import type { Context } from "../workspace/context.ts";
import { imageFolder } from "../workspace/images/asset.ts";
import { type ManifestLine, noDigest, ownTable, schemaVersion } from "./complete-copy.ts";
import { type Reading, readPage } from "./read-copy.ts";
import { nameOf, type OwnRows, ownTables } from "./rows-of-organization.ts";
import type { ExportStep } from "./steps.ts";

const stepLimits = {
  /** As of the export without secrets: 8 MB at most. */
  rows: 100,
  /** Bytes of one image per step. */
  imageBytes: 1024 * 1024,
};

const [images, end] = ["images", "end"];

type Exported = Context<Staff, "db" | "images" | "coordinators", "slug">;

/** One step of a complete copy (contract B3): with what opens something, as the database stores it. */
export async function completeStep(
  context: Exported,
  [name = "organizations", ...rest]: readonly unknown[],
): Promise<ExportStep | Refusal> {
  if (name === images) return imageStep(context, String(rest[0] ?? ""), Number(rest[1] ?? 0));
  if (name === end) return endStep(context);
  const own = ownTable(name);
  if (!own) return refuse("position_wrong");
  const [rows = 0, digest = noDigest, ...after] = rest;
  return tableStep(context, own, { rows: Number(rows), digest: String(digest), after });
}

const stepOf = (
  { organization: { id, slug } }: Exported,
  file: string,
  next: readonly unknown[] | null,
  ...lines: ManifestLine[]
) => ({
  id,
  organization: slug,
  file,
  text: null,
  base64: null,
  manifest: lines.length > 0 ? lines.map((line) => `${JSON.stringify(line)}\n`).join("") : null,
  rows: 0,
  images: 0,
  next: next && JSON.stringify(["complete", ...next]),
});

async function tableStep(context: Exported, own: OwnRows, before: Reading): Promise<ExportStep> {
  const { id, slug } = context.organization;
  const { found, reading, isLast } = await readPage(context.services.db, id, own, before, stepLimits.rows);
  const name = nameOf(own.table);
  const following = ownTables[ownTables.indexOf(own) + 1];
  const next = isLast
    ? [following ? nameOf(following.table) : images]
    : [name, reading.rows, reading.digest, ...reading.after];
  const lines: ManifestLine[] = own === ownTables[0] ? [{ schema: schemaVersion, id, slug }] : [];
  if (isLast) lines.push({ table: name, rows: reading.rows, digest: reading.digest });
  const text = found.map((row) => `${JSON.stringify(row)}\n`).join("");
  return { ...stepOf(context, `${name}.jsonl`, next, ...lines), text, rows: found.length };
}

async function imageStep(context: Exported, path: string, offset: number): Promise<ExportStep> {
  const bucket = context.services.images;
  const folder = imageFolder(context.organization.id);
  const found = offset > 0 && path.startsWith(folder) ? path : await imageBehind(bucket, folder, path);
  if (found === undefined) return stepOf(context, images, [end]);
  const part = await readPart(bucket, found, { offset, length: stepLimits.imageBytes });
  const read = offset + (part?.bytes.length ?? 0);
  const isWhole = !part || read >= part.sizeBytes;
  const line = part && {
    image: found,
    bytes: part.sizeBytes,
    sha256: part.sha256,
    content_type: part.contentType,
  };
  return {
    ...stepOf(
      context,
      `${images}/${found}`,
      isWhole ? [images, found] : [images, found, read],
      ...(line && isWhole ? [line] : []),
    ),
    base64: part?.bytes.toBase64() ?? null,
    images: part && isWhole ? 1 : 0,
  };
}

/** What the coordinator keeps beside the database: tokens that ended, and the number of the next invoice. */
async function endStep(context: Exported): Promise<ExportStep> {
  const { services, organization } = context;
  const facts = await services.coordinators.getByName(organization.id).keptFacts();
  return stepOf(context, end, null, { ...facts, end: true });
}
