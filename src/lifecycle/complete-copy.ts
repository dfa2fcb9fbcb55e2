import { getTableColumns } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { sha256Hex } from "../platform/digest.ts";
import { nameOf, type OwnRows, ownTables } from "./rows-of-organization.ts";

/**
 * What a complete copy of a workspace says of itself, on the lines of manifest.jsonl: how it begins, each table, each
 * image, what its coordinator keeps, and that it ends. It knows nothing of the database that it comes from.
 */

/** Numbers that a database gives in its own order: a copy takes new ones, and no digest holds them. */
const numbered: Readonly<Record<string, string>> = { events: "sequence", audit_log: "sequence" };

/** The columns that a copy brings; computed ones follow from them. */
export const copiedColumns = ({ table }: OwnRows): SQLiteColumn[] =>
  Object.values<SQLiteColumn>(getTableColumns(table)).filter(
    ({ name, generated }) => !generated && name !== numbered[nameOf(table)],
  );

/** Of what the tables are: a copy fits only where it is the same. */
export const schemaVersion: string = sha256Hex(
  JSON.stringify(ownTables.map((own) => [nameOf(own.table), copiedColumns(own).map(({ name }) => name)])),
).slice(0, 16);

export const manifestFile = "manifest.jsonl";

const Counted = z.strictObject({ rows: z.int(), digest: z.string() });

export const ManifestLine = z.union([
  z.strictObject({ schema: z.string(), id: z.string(), slug: z.string(), link_prefix: z.string() }),
  z.strictObject({ table: z.string(), ...Counted.shape }),
  z.strictObject({
    image: z.string(),
    bytes: z.int(),
    sha256: z.string().nullable(),
    content_type: z.string().nullable(),
  }),
  z.strictObject({
    tokenEnds: z.record(z.string(), z.string()),
    invoiceNumber: z.int().nullable(),
    end: z.literal(true),
  }),
]);
export type ManifestLine = z.output<typeof ManifestLine>;
export type CopiedImage = Extract<ManifestLine, { image: string }>;

/** The manifest without its images, as an import keeps it. */
export const Manifest = z.object({
  schema: z.string(),
  id: z.string(),
  slug: z.string(),
  link_prefix: z.string(),
  tables: z.record(z.string(), Counted),
  facts: z.object({ tokenEnds: z.record(z.string(), z.string()), invoiceNumber: z.int().nullable() }),
});
export type Manifest = z.output<typeof Manifest>;

/** Reads the lines of a manifest; a text says why it is not whole. */
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
    else manifest.facts = { tokenEnds: line.tokenEnds, invoiceNumber: line.invoiceNumber };
  }
  const { schema, id, slug, link_prefix, facts } = manifest;
  if (schema === undefined || id === undefined || slug === undefined || link_prefix === undefined)
    return `${manifestFile} lacks its beginning`;
  if (facts === undefined) return `${manifestFile} lacks its end`;
  return { ...manifest, schema, id, slug, link_prefix, facts };
}

function parsed(text: string): ManifestLine | null {
  try {
    return ManifestLine.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export type CopiedRow = Record<string, unknown>;

export const noDigest = "0".repeat(64);

/** Adds rows to the digest of a table: a sum of SHA-256, so that no order of rows matters. */
export function addRows(digest: string, own: OwnRows, found: readonly CopiedRow[]): string {
  const names = copiedColumns(own).map(({ name }) => name);
  const sum = found.reduce(
    (all, row) => all + BigInt(`0x${sha256Hex(JSON.stringify(names.map((name) => row[name] ?? null)))}`),
    BigInt(`0x${digest}`),
  );
  return BigInt.asUintN(256, sum).toString(16).padStart(64, "0");
}

export const ownTable = (name: unknown): OwnRows | undefined =>
  ownTables.find(({ table }) => nameOf(table) === name);
