/**
 * Runs before the server starts. Migrates the databases, and creates the demo workspace in the first cell if it is
 * missing, with a token and a sign-in link for its owner. The workspace is written in one transaction. Usage: node
 * prepare-database.ts STATE_DIR CELLS BASE_URL SECRET_KEY TOKEN_HASH TOKEN_PREFIX LINK_HASH
 */
import { eq } from "drizzle-orm";
import { build, row } from "../../src/db/build.ts";
import { batch, run, skipMigrationCheck } from "../../src/db/query.ts";
import { rebuildStep } from "../../src/workspace/directory/rebuild.ts";
import { organizations } from "../../src/workspace/organizations/tables.ts";
import { demoRows } from "../demo-workspace/rows.ts";
import { demoSlug, demoWorkspace } from "../demo-workspace.ts";
import { cellNames, databaseIdOf, directoryId } from "./cells.ts";
import { demoTokenRows } from "./demo-token.ts";
import { migrate, ofDirectory } from "./migrate.ts";
import { openState } from "./open-state.ts";
import { receiversAt } from "./receivers.ts";
import { signInLinkRows } from "./sign-in-link.ts";

const [
  stateDirectory = "",
  cells = "",
  baseUrl = "",
  webhookSecretKey = "",
  tokenHash = "",
  prefix = "",
  linkHash = "",
] = process.argv.slice(2);

/** A Worker that runs a batch. Through `getBindings`, each statement would be a separate, blocking call. */
const runsBatch = `export default {
  async fetch(request, { DB }) {
    const queries = await request.json();
    await DB.batch(queries.map(({ sql, params }) => DB.prepare(sql).bind(...params)));
    return new Response();
  },
};`;

const names = cellNames(Number(cells));
const others = names.slice(1).map((name, index): [string, string] => [`DB_${name}`, databaseIdOf(index + 1)]);
const isOfCells = others.length > 0;
const miniflare = openState(stateDirectory, runsBatch, {
  ...Object.fromEntries(others),
  ...(isOfCells && { DIRECTORY: directoryId }),
});
try {
  const env = await miniflare.getBindings<
    { DB: D1Database; IMAGES: R2Bucket } & Record<string, D1Database>
  >();
  await migrateAll(env).catch((error: Error) => {
    process.send?.({ failed: error.message });
    throw error;
  });
  process.send?.("migrated");
  const id = { id: organizations.id };
  const demo = row(id, build.select(id).from(organizations).where(eq(organizations.slug, demoSlug)));
  if (!(await run(env.DB, demo))) {
    const document = demoWorkspace(new Date(), receiversAt(baseUrl));
    const { queries, images } = await demoRows(document, { baseUrl, webhookSecretKey });
    for (const { path, bytes, contentType } of images) {
      await env.IMAGES.put(path, bytes, { httpMetadata: { contentType } });
    }
    const made = await miniflare.dispatchFetch("http://local/", {
      method: "POST",
      body: JSON.stringify(queries),
    });
    if (!made.ok) throw new Error(await made.text());
    process.send?.("made");
  }
  await batch(env.DB, demoTokenRows(demoSlug, tokenHash, prefix));
  if (env.DIRECTORY) await publishAll(env.DB, skipMigrationCheck(env.DIRECTORY));
  await batch(env.DIRECTORY ?? env.DB, signInLinkRows(demoSlug, linkHash));
} finally {
  await miniflare.dispose();
}

async function migrateAll({ DB, DIRECTORY, ...bindings }: Record<string, D1Database>): Promise<void> {
  if (DB) await migrate(DB);
  for (const [binding] of others) if (bindings[binding]) await migrate(bindings[binding]);
  if (DIRECTORY) await migrate(DIRECTORY, ofDirectory);
}

/** Publishes the first cell's records to the directory, so that the front can find them from the first request. */
async function publishAll(db: D1Database, directory: D1Database): Promise<void> {
  const cell = { name: names[0] ?? "", names, directory };
  for (let position: string | null = ""; position !== null; )
    position = (await rebuildStep({ db, cell }, position)).next;
}

// The channel to the parent would otherwise keep the process alive.
process.exit();
