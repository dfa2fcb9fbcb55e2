import { getTableColumns } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { numbered } from "../db/table-rules.ts";
import { sha256Hex } from "../platform/digest.ts";
import { nameOf, type OwnRows, ownTables } from "./rows-of-organization.ts";

/**
 * The manifest of a full export (manifest.jsonl) has lines for its header, each table, each image, the coordinator's
 * data, and its end. It does not depend on the source database.
 */

/** Returns the exported columns: all except computed ones. */
export const copiedColumns = ({ table }: OwnRows): SQLiteColumn[] =>
  Object.values<SQLiteColumn>(getTableColumns(table)).filter(
    ({ name, generated }) => !generated && name !== numbered[nameOf(table)]?.number,
  );

/** A digest of the tables' columns. An export can only be imported into a database with the same digest. */
export const schemaVersion: string = sha256Hex(
  JSON.stringify(ownTables.map((own) => [nameOf(own.table), copiedColumns(own).map(({ name }) => name)])),
).slice(0, 16);

export const manifestFile = "manifest.jsonl";

const Counted = z.strictObject({ rows: z.int(), digest: z.string() });

/** Facts that are stored outside the database: when tokens end, the next invoice number, and the erased clients. */
export const CopiedFacts = z.object({
  tokenEnds: z.record(z.string(), z.string()),
  invoiceNumber: z.int().nullable(),
  erasedClients: z.array(z.string()),
});

export const ManifestLine = z.union([
  z.strictObject({ schema: z.string(), id: z.string(), slug: z.string(), link_prefix: z.string() }),
  z.strictObject({ table: z.string(), ...Counted.shape }),
  z.strictObject({
    image: z.string(),
    bytes: z.int(),
    sha256: z.string().nullable(),
    content_type: z.string().nullable(),
  }),
  z.strictObject({ coordinator: z.literal(true), ...Counted.shape }),
  z.strictObject({ ...CopiedFacts.shape, end: z.literal(true) }),
]);
export type ManifestLine = z.output<typeof ManifestLine>;
export type CopiedImage = Extract<ManifestLine, { image: string }>;

/** The manifest without its images, as an import stores it. */
export const Manifest = z.object({
  schema: z.string(),
  id: z.string(),
  slug: z.string(),
  link_prefix: z.string(),
  tables: z.record(z.string(), Counted),
  coordinator: Counted,
  facts: CopiedFacts,
});
export type Manifest = z.output<typeof Manifest>;

/** Parses a manifest's lines. If the manifest is incomplete, returns the reason as a string. */
export function readManifest(lines: readonly string[]): (Manifest & { images: CopiedImage[] }) | string {
  const manifest: Partial<Manifest> & { tables: Manifest["tables"]; images: CopiedImage[] } = {
    tables: {},
    images: [],
  };
  for (const text of lines) {
    const line = parsed(text);
    if (line === null) return `a line of ${manifestFile} cannot be read`;
    if ("schema" in line) Object.assign(manifest, line);
    else if ("table" in line) manifest.tables[line.table] = { rows: line.rows, digest: line.digest };
    else if ("image" in line) manifest.images.push(line);
    else if ("coordinator" in line) manifest.coordinator = { rows: line.rows, digest: line.digest };
    else manifest.facts = CopiedFacts.parse(line);
  }
  const { schema, id, slug, link_prefix, coordinator, facts } = manifest;
  if (schema === undefined || id === undefined || slug === undefined || link_prefix === undefined)
    return `${manifestFile} lacks its beginning`;
  if (coordinator === undefined || facts === undefined) return `${manifestFile} is truncated`;
  return { ...manifest, schema, id, slug, link_prefix, coordinator, facts };
}

function parsed(text: string): ManifestLine | null {
  try {
    return ManifestLine.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export type CopiedRow = Record<string, unknown>;

export const emptyDigest = "0".repeat(64);

/** Adds rows to a table's digest. */
export function addRows(digest: string, own: OwnRows, found: readonly CopiedRow[]): string {
  const names = copiedColumns(own).map(({ name }) => name);
  return addTexts(
    digest,
    found.map((row) => JSON.stringify(names.map((name) => row[name] ?? null))),
  );
}

/** Adds the SHA-256 digests of strings to a sum that does not depend on their order. */
export function addTexts(digest: string, texts: readonly string[]): string {
  const sum = texts.reduce((all, text) => all + BigInt(`0x${sha256Hex(text)}`), BigInt(`0x${digest}`));
  return BigInt.asUintN(256, sum).toString(16).padStart(64, "0");
}

/** The file with the coordinator's request data. */
export const coordinatorFile = "coordinator.jsonl";

export const ownTable = (name: unknown): OwnRows | undefined =>
  ownTables.find(({ table }) => nameOf(table) === name);
