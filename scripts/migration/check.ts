/**
 * `npm run -s migration:check -- --env production` lists every table, column, index, trigger and view that differs
 * between a migrated database and this code. Without --env, it checks the local server's database (STATE_DIR). The
 * differences are printed as comments in SQL for `wrangler d1 execute DB --file`; the SQL does not change existing
 * tables.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { stateAt } from "../local/state.ts";
import {
  differenceInWords,
  type SchemaDifference,
  type SchemaPart,
  schemaDifference,
  schemaQuery,
  wantedSchema,
} from "./schema.ts";

const { env } = parseArgs({ options: { env: { type: "string" } } }).values;
const where = env ? ["--remote", "--env", env] : ["--local", "--persist-to", stateAt(undefined).directory];

const wrangler = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "wrangler");
const printed = execFileSync(
  wrangler,
  ["d1", "execute", "DB", ...where, "--json", "--command", schemaQuery],
  {
    encoding: "utf8",
    maxBuffer: 50_000_000,
  },
);
const [{ results }] = JSON.parse(printed) as [{ results: SchemaPart[] }];
const wanted = wantedSchema();
const differences = schemaDifference(results, wanted);

/** Whether this part can be dropped and recreated without losing rows. */
const isRemade = ({ kind }: SchemaPart) => kind === "index" || kind === "trigger" || kind === "view";

const dropped = ({ kind, name }: SchemaPart) => `DROP ${kind.toUpperCase()} IF EXISTS ${name};`;

const created = ({ text }: SchemaPart) =>
  `${text.replace(/^CREATE (UNIQUE INDEX|INDEX|TABLE|TRIGGER|VIEW) /, "CREATE $1 IF NOT EXISTS ")};`;

const order = ["table", "column", "view", "index", "trigger"];
const inOrder = differences.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
const isMended = (part: SchemaDifference) =>
  part.how !== "unknown" && (isRemade(part) || (part.kind === "table" && part.how === "missing"));

if (differences.length === 0) {
  const counted = wanted.filter(({ kind }) => kind !== "column").length;
  console.error(`The database has all ${counted} tables, indexes, triggers and views`);
} else {
  for (const part of inOrder) console.log(`-- ${differenceInWords(part)}`);
  for (const part of inOrder) if (part.how !== "missing" && isRemade(part)) console.log(dropped(part));
  for (const part of inOrder) if (isMended(part)) console.log(created(part));
  console.error(
    "The database differs from the code: apply the migrations that it lacks; if it lacks none, run this SQL",
  );
  console.error("with `wrangler d1 execute DB --file`. A column that differs needs a separate migration.");
  process.exitCode = 1;
}
