import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_splitSqlQuery } from "wrangler";
import { presentMigrations } from "../operations/release.ts";
import type { RunningService } from "./service.ts";

export function directoryMigrations(): string[] {
  const folder = join(import.meta.dirname, "..", "..", "src", "front", "migrations");
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"));
}

export async function migrateDatabase(
  service: RunningService,
  texts: ReadonlyMap<string, string> = presentMigrations,
): Promise<void> {
  await service.sql("CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)");
  const applied = await service.sql<{ name: string }>("SELECT name FROM d1_migrations");
  const names = new Set(applied.map(({ name }) => name));
  for (const [name, text] of texts) {
    if (names.has(name)) continue;
    for (const statement of unstable_splitSqlQuery(text)) await service.sql(statement);
    await service.sql("INSERT INTO d1_migrations (name) VALUES (?)", name);
  }
}
