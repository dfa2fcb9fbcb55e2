import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  differenceInWords,
  type SchemaPart,
  schemaDifference,
  schemaQuery,
  wantedSchema,
} from "../migration/schema.ts";
import { projectFolder } from "./child.ts";

const ofCells = join(projectFolder, "migrations");
export const ofDirectory = join(projectFolder, "src", "front", "migrations");

/** Splits a migration at line ends, because it is too long for a single D1 statement. Each trigger is on one line. */
const statementsIn = (migration: string): string[] =>
  migration.split(/(?<=;)\n/).filter((text) => text.trim() !== "");

/**
 * Applies missing migrations, each in a transaction, and records them like `wrangler d1 migrations apply`. That command
 * starts a database for every file, which took 15 s for a new state.
 */
export async function migrate(db: D1Database, folder = ofCells): Promise<void> {
  await db
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
         applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    )
    .run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const isNew = applied.size === 0;
  for (const name of readdirSync(folder).sort()) {
    if (applied.has(name)) continue;
    await db.batch([
      ...statementsIn(readFileSync(join(folder, name), "utf8")).map((text) => db.prepare(text)),
      db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
  if (!isNew && folder === ofCells) await refuseAnotherSchema(db);
}

/** Rejects a database from another build, whose migrations may have the same names but different contents. */
async function refuseAnotherSchema(db: D1Database): Promise<void> {
  const { results } = await db.prepare(schemaQuery).all<SchemaPart>();
  const [first, ...others] = schemaDifference(results, wantedSchema());
  if (first === undefined) return;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  throw new Error(`its schema is not this version's (${differenceInWords(first)}${more})`);
}
