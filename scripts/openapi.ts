/** Generates openapi.json from the routes, and further files from it. With --check, only lists outdated files. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { schemaOf } from "../client/scripts/schema.ts";
import { pythonOf } from "../client-python/scripts/generate.ts";
import { refusals } from "../src/contract/refusals.ts";
import { operations } from "../src/operations/operations.ts";
import { routes } from "../src/routes/routes.ts";
import { webhookEvents } from "../src/webhooks/events.ts";
import { documentOf } from "./openapi/document.ts";
import { pythonErrors, typescriptErrors } from "./openapi/error-classes.ts";
import { pagesWithRetrySchedule, withEventsTable, withRetrySchedule } from "./openapi/generated-texts.ts";
import { operationsTable } from "./rpc/table.ts";

const { values: options } = parseArgs({ options: { check: { type: "boolean" } } });
const document = documentOf(routes, webhookEvents);
const text = `${JSON.stringify(document, null, 2)}\n`;

/** An example body for each event, used by tools that send test deliveries. */
const exampleEvents = () => Object.values(webhookEvents).map(({ example }) => example);

const pathOf = (file: string) => join(import.meta.dirname, "..", file);

const pagesWithEvents = ["docs/webhooks.md", "docs/contract.md"];

/** These pages are hand-written except for their event table and retry schedule. */
const pages = [...new Set([...pagesWithEvents, ...pagesWithRetrySchedule])].map((file) => {
  const page = withRetrySchedule(file, readFileSync(pathOf(file), "utf8"));
  return [file, pagesWithEvents.includes(file) ? withEventsTable(page, webhookEvents) : page];
});

/** The Worker uses this list to detect missing migrations. */
const migrationsOf = (names: readonly string[]) =>
  [
    "// Written by npm run openapi.",
    "",
    "/** Every migration, in order. */",
    "export const migrations: readonly string[] = [",
    ...names.map((name) => `  ${JSON.stringify(name)},`),
    "];",
    "",
  ].join("\n");

const made: Record<string, string> = {
  "openapi.json": text,
  "client/src/schema.ts": await schemaOf(document),
  "client/src/refusals.ts": typescriptErrors(refusals),
  ...pythonOf(text),
  "client-python/partner_api/refusals.py": pythonErrors(refusals),
  "src/db/migrations.ts": migrationsOf(readdirSync(pathOf("migrations")).sort()),
  "docs/admin-operations.md": operationsTable(operations),
  ...Object.fromEntries(pages),
  "client/cli/example-events.json": `${JSON.stringify(exampleEvents(), null, 2)}\n`,
};

if (!options.check) {
  for (const [file, text] of Object.entries(made)) writeFileSync(pathOf(file), text);
} else {
  const stale = Object.keys(made).filter((file) => readFileSync(pathOf(file), "utf8") !== made[file]);
  for (const file of stale) {
    console.error(`${file} does not match the routes. Run \`npm run openapi\` and commit the result`);
  }
  if (stale.length > 0) process.exit(1);
}
