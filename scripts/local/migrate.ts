import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "..", "migrations");

/**
 * Applies the migrations that are missing, each in a transaction and as one text, which a local database takes; keeps
 * the same record of them as `wrangler d1 migrations apply`. That command starts a database for every file: a fresh
 * state took 15 s of the start.
 */
export async function migrate(db: D1Database): Promise<void> {
  await db
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
         applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    )
    .run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  for (const name of readdirSync(folder).sort()) {
    if (applied.has(name)) continue;
    await db.batch([
      db.prepare(readFileSync(join(folder, name), "utf8")),
      db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
}
