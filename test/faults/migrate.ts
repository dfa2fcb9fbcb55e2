import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_splitSqlQuery } from "wrangler";
import type { RunningService } from "./service.ts";

const folder = join(import.meta.dirname, "..", "..", "migrations");

/** Applies every migration to a fresh database, split as wrangler splits them. */
export async function migrateDatabase(service: RunningService): Promise<void> {
  for (const file of readdirSync(folder).sort()) {
    for (const statement of unstable_splitSqlQuery(readFileSync(join(folder, file), "utf8"))) {
      await service.sql(statement);
    }
  }
}
