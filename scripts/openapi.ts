/** Writes openapi.json from the routes; with --check it only says whether the committed one is up to date. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { webhookEvents } from "../src/contract/events.ts";
import { routes } from "../src/routes/routes.ts";
import { documentOf } from "./openapi/document.ts";

const path = join(import.meta.dirname, "..", "openapi.json");
const made = `${JSON.stringify(documentOf(routes, webhookEvents), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(path, made);
} else if (readFileSync(path, "utf8") !== made) {
  console.error("openapi.json is not what the routes say: run `npm run openapi` and commit it");
  process.exit(1);
}
