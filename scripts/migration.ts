import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { triggers } from "../src/database.ts";
import type { Statement } from "../src/db/trigger.ts";
import { difference, statementOf } from "./migration/difference.ts";

/**
 * `npm run migration -- NAME` writes the next numbered migration, with the triggers and views that have changed since
 * the last one.
 */
const root = join(import.meta.dirname, "..");

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { migrations: { type: "string", default: join(root, "migrations") } },
});
const [name] = positionals;
if (!/^[a-z][a-z0-9_]*$/.test(name ?? "")) {
  console.error("Usage: npm run migration -- NAME (lower case, with _ between words)");
  process.exit(1);
}

const files = readdirSync(options.migrations)
  .filter((file) => file.endsWith(".sql"))
  .sort();
const lines = difference(present(), triggers);
if (lines.length === 0) {
  console.log("Nothing to migrate. The migrations match the sources");
} else {
  const number = String(Number(files.at(-1)?.slice(0, 4) ?? 0) + 1).padStart(4, "0");
  const path = join(options.migrations, `${number}_${name}.sql`);
  const head = "-- Written by npm run migration from src/database.ts: change its sources.\n";
  writeFileSync(path, `${head}${lines.join("\n")}\n`, { flag: "wx" });
  console.log(`Wrote ${path}`);
}

function present(): Statement[] {
  const database = new DatabaseSync(":memory:");
  for (const file of files) database.exec(readFileSync(join(options.migrations, file), "utf8"));
  const texts = database.prepare(
    "SELECT sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY rowid",
  );
  return texts.all().map(({ sql }) => statementOf(String(sql)));
}
