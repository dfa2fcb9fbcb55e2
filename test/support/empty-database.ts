import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Files share a process one after another, but no rows: some call what works for every workspace, like the cron. */
const { results: left } = await env.DB.prepare(
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*' " +
    "ORDER BY rowid DESC",
).all<{ name: string }>();
if (left.length > 0) {
  await env.DB.batch([
    env.DB.prepare("PRAGMA defer_foreign_keys = true"),
    ...left.map(({ name }) => env.DB.prepare(`DROP TABLE "${name}"`)),
  ]);
}
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
