/** Compares a database's schema with the one that this code requires. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { tables, triggers } from "../../src/database.ts";

export interface SchemaPart {
  kind: "table" | "column" | "index" | "trigger" | "view";
  /** For a column, `table.column`. */
  name: string;
  /** A CREATE statement, or a column's definition. */
  text: string;
}

const ours = "name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'";

export const schemaQuery = `SELECT type AS kind, name, sql AS text FROM sqlite_schema WHERE sql IS NOT NULL AND ${ours}
  UNION ALL SELECT 'column', made.name || '.' || part.name,
    json_array(part.type, part."notnull", part.dflt_value, part.pk, part.hidden)
  FROM (SELECT name FROM sqlite_schema WHERE type = 'table' AND ${ours}) AS made, pragma_table_xinfo(made.name) AS part`;

const migrationsFolder = join(import.meta.dirname, "..", "..", "migrations");

/** Creates an in-memory database with a folder's migrations; by default, all of them. */
export function migratedInMemory(
  folder = migrationsFolder,
  names: readonly string[] = readdirSync(folder).sort(),
): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const name of names) database.exec(readFileSync(join(folder, name), "utf8"));
  return database;
}

// The cast is safe: the query selects the fields of a part.
export const partsOf = (database: DatabaseSync) =>
  database.prepare(schemaQuery).all() as unknown[] as SchemaPart[];

/** Everything that the migrations create in an empty database, plus everything else that the code declares. */
export function wantedSchema(): SchemaPart[] {
  const made = partsOf(migratedInMemory());
  const declared: SchemaPart[] = [
    ...triggers.map(
      ({ kind, name, text }) => ({ kind: kind === "VIEW" ? "view" : "trigger", name, text }) as const,
    ),
    ...tables
      .map(getTableConfig)
      .flatMap(({ name, columns }) => [
        { kind: "table", name, text: "" } as const,
        ...columns.map((column) => ({ kind: "column", name: `${name}.${column.name}`, text: "" }) as const),
      ]),
  ];
  const known = new Set(made.map(keyOf));
  return [...made, ...declared.filter((part) => !known.has(keyOf(part)))];
}

export interface SchemaDifference extends SchemaPart {
  how: "missing" | "changed" | "unknown";
}

const keyOf = ({ kind, name }: SchemaPart) => `${kind} ${name}`;
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const byKey = (parts: readonly SchemaPart[]) => new Map(parts.map((part) => [keyOf(part), part]));

/** The differences from the required schema. If only a table's columns differ, lists just the columns. */
export function schemaDifference(
  present: readonly SchemaPart[],
  wanted: readonly SchemaPart[],
): SchemaDifference[] {
  const [there, expected] = [byKey(present), byKey(wanted)];
  const differences = [
    ...wanted.flatMap((part): SchemaDifference[] => {
      const found = there.get(keyOf(part));
      if (found && oneLine(found.text) === oneLine(part.text)) return [];
      return [{ ...part, how: found ? "changed" : "missing" }];
    }),
    ...present.flatMap((part): SchemaDifference[] =>
      expected.has(keyOf(part)) ? [] : [{ ...part, how: "unknown" }],
    ),
  ];
  const tableOf = ({ name }: SchemaPart) => name.slice(0, name.indexOf("."));
  const whole = new Set(
    differences.flatMap(({ kind, name, how }) => (kind === "table" && how !== "changed" ? [name] : [])),
  );
  const inPart = new Set(differences.flatMap((part) => (part.kind === "column" ? [tableOf(part)] : [])));
  return differences.filter((part) => {
    if (part.kind === "column") return !whole.has(tableOf(part));
    return !(part.kind === "table" && part.how === "changed" && inPart.has(part.name));
  });
}

/** Formats a difference: `missing: index payments_of_processor`. */
export const differenceInWords = ({ how, kind, name }: SchemaDifference): string => `${how}: ${kind} ${name}`;
