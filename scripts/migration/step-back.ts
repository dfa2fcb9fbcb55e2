import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migratedInMemory, partsOf, schemaDifference } from "./schema.ts";

const folder = join(import.meta.dirname, "..", "..", "migrations");

/**
 * Reverts a stopped local server's database to the schema before the newest migration, like a point-in-time restore,
 * but keeps the rows. Returns the migration's name.
 */
export function stepBack(directory: string): string {
  const names = readdirSync(folder).sort();
  const newest = names.pop() as string;
  const before = partsOf(migratedInMemory(folder, names));
  for (const file of globSync(join(directory, "**", "*.sqlite"))) {
    const database = new DatabaseSync(file);
    const isOurs = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'").get();
    if (isOurs) revertSchema(database, before, newest);
    database.close();
  }
  return newest;
}

function revertSchema(database: DatabaseSync, before: ReturnType<typeof partsOf>, newest: string): void {
  database.exec("PRAGMA foreign_keys = OFF");
  const differences = schemaDifference(partsOf(database), before);
  const of = (...kinds: string[]) => differences.filter(({ kind }) => kinds.includes(kind));
  const remade = of("trigger", "view", "index");
  for (const { kind, name, how } of remade) if (how !== "missing") database.exec(`DROP ${kind} ${name}`);
  for (const { name, how } of of("column")) {
    const [table, column] = name.split(".");
    if (how === "unknown") database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
  for (const { name, how } of of("table")) if (how === "unknown") database.exec(`DROP TABLE ${name}`);
  for (const { text, how } of remade) if (how !== "unknown") database.exec(text);
  database.prepare("DELETE FROM d1_migrations WHERE name = ?").run(newest);
}
