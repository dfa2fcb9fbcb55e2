import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Leaves out SQLite's internal objects. */
const made = "FROM sqlite_master WHERE name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*'";

/** The statements that create the schema and its reference data, stored by the process's first file. */
const process = globalThis as { migrated?: D1PreparedStatement[] };

/**
 * Test files run one after another in a process. Each starts with an empty database, because some of them run code that
 * affects all workspaces, such as the cron.
 */
const { results: left } = await env.DB.prepare(
  `SELECT type, name ${made} AND type IN ('table', 'view') ORDER BY rowid DESC`,
).all<{ type: string; name: string }>();
await env.DB.batch([
  env.DB.prepare("PRAGMA defer_foreign_keys = true"),
  ...left.map(({ type, name }) => env.DB.prepare(`DROP ${type} "${name}"`)),
  ...(process.migrated ?? []),
]);
if (process.migrated === undefined) {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  process.migrated = await statements();
}

async function statements(): Promise<D1PreparedStatement[]> {
  const { results } = await env.DB.prepare(
    `SELECT type, name, sql ${made} AND sql IS NOT NULL ORDER BY rowid`,
  ).all<{ type: string; name: string; sql: string }>();
  const rows: D1PreparedStatement[] = [];
  for (const { name } of results.filter(({ type }) => type === "table")) {
    const { results: all } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    const columns = Object.keys(all[0] ?? {});
    const values = columns.map((column) => `value ->> '${column}'`);
    const insert = `INSERT INTO "${name}" (${columns}) SELECT ${values} FROM json_each(?)`;
    if (all.length > 0) rows.push(env.DB.prepare(insert).bind(JSON.stringify(all)));
  }
  return [...results.map(({ sql }) => env.DB.prepare(sql)), ...rows];
}
