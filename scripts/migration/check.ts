/**
 * `npm run -s migration:check -- --env production`: compares the triggers and views of a database with the sources,
 * after its migrations were applied. Without --env, the database of the local server (STATE_DIR). Prints what is
 * missing as SQL, for `wrangler d1 execute DB --file`.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { triggers } from "../../src/database.ts";
import { stateAt } from "../local/state.ts";
import { difference, statementOf } from "./difference.ts";

const { env } = parseArgs({ options: { env: { type: "string" } } }).values;
const where = env ? ["--remote", "--env", env] : ["--local", "--persist-to", stateAt(undefined).directory];
const command =
  "SELECT sql FROM sqlite_schema WHERE type IN ('trigger', 'view') AND sql IS NOT NULL ORDER BY rowid";

const wrangler = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "wrangler");
const printed = execFileSync(wrangler, ["d1", "execute", "DB", ...where, "--json", "--command", command], {
  encoding: "utf8",
  maxBuffer: 50_000_000,
});
const [{ results }] = JSON.parse(printed) as [{ results: { sql: string }[] }];
const missing = difference(
  results.map(({ sql }) => statementOf(sql)),
  triggers,
);
if (missing.length === 0) console.error(`The database has all ${triggers.length} triggers and views`);
else {
  console.log(missing.join("\n"));
  console.error("The database differs from the sources: run this SQL with `wrangler d1 execute DB --file`");
  process.exitCode = 1;
}
