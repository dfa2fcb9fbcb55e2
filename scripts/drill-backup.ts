/**
 * `npm run drill:backup -- --from FOLDER [--day 2026-01-31] [--organization SLUG] [--out FOLDER]` follows the runbook
 * (docs/runbooks.md, "the account is locked or lost") and restores the service from a folder that `npm run pull-backup`
 * filled. Exits with 0 only if a workspace has every row and image of that night and the service can read them. `--out`
 * keeps the workspace's complete export.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { imageFolder } from "../src/core/images/asset.ts";
import { rows } from "../src/db/build.ts";
import {
  addRows,
  type CopiedRow,
  copiedColumns,
  emptyDigest,
  manifestFile,
  readManifest,
} from "../src/lifecycle/complete-copy.ts";
import { nameOf, type OwnRows, ownTables, selectOwn } from "../src/lifecycle/rows-of-organization.ts";
import { sha256Hex } from "../src/platform/digest.ts";
import type { AdminConnection } from "./admin/connection.ts";
import { ExportFolder } from "./admin/export-folder.ts";
import { runSteps } from "./admin/run-steps.ts";
import { askOf } from "./backup/connect.ts";
import { BackupFolder } from "./backup/folder.ts";
import { nightOf, pushBackup, wholeImages } from "./backup/push.ts";
import { type DemoContext, expectAnswer } from "./demo/context.ts";
import { startWrangler } from "./local/child.ts";
import { directory, runDrill, serving, state } from "./local/drill.ts";

const text = { type: "string" } as const;
const { values: given } = parseArgs({ options: { from: text, day: text, organization: text, out: text } });
const file = join(directory, "night.sql");
/**
 * Tables that gain rows during the drill: exporting and starting a local server write audit entries, a token and a mail
 * count.
 */
const grown = ["audit_log", "api_tokens", "mail_counts"];

await runDrill(async () => {
  if (given.from === undefined) throw new Error("--from is required: the folder of npm run pull-backup");
  const folder = new BackupFolder(given.from);
  const day = await nightOf(folder, given.day);
  console.log(`The night of ${day}, from ${folder.path}`);
  await wholeImages(folder, day);
  for await (const page of folder.sqlOf(day)) await appendFile(file, page);
  const night = new DatabaseSync(":memory:");
  for await (const page of folder.sqlOf(day)) night.exec(page);
  migrate(night);
  await fillDatabase();
  const brought = { night, day, ...workspaceOf(night, given.organization) };
  await serving("closed", (context, connection) => bringBack(context, connection, folder, brought));
  // Read-only, so that a production backup's pending e-mails and webhooks are not sent from here.
  await serving("read_only", (context) => readBack(context, brought));
  console.log(`\n${brought.slug} is restored, with its images.`);
});

/** Fills the database like the runbook does, but on this machine. */
async function fillDatabase(): Promise<void> {
  const filling = startWrangler(
    ["d1", "execute", "DB", "--local", "--persist-to", state.directory, "--file", file, "--yes"],
    state,
  );
  if ((await filling.ended) !== 0) throw new Error(`The database was not filled:\n${filling.output()}`);
}

/** Applies newer migrations, like the service does at startup, because the backup may be from an earlier release. */
function migrate(night: DatabaseSync): void {
  const applied = night.prepare("SELECT name FROM d1_migrations").all();
  const migrations = join(import.meta.dirname, "..", "migrations");
  for (const name of readdirSync(migrations).sort())
    if (!applied.some((row) => row.name === name)) night.exec(readFileSync(join(migrations, name), "utf8"));
}

interface Workspace {
  id: string;
  slug: string;
}

/** The workspace to compare, with the backup in a separate database. */
interface Night extends Workspace {
  night: DatabaseSync;
  day: string;
}

/** The requested workspace, or the one with API access and the most images. */
function workspaceOf(night: DatabaseSync, asked: string | undefined): Workspace {
  const found = night
    .prepare(
      `SELECT organizations.id, slug FROM organizations JOIN plans ON plans.name = plan
       WHERE api_access = 1 AND coalesce(?, slug) = slug
       ORDER BY (SELECT count(*) FROM stored_images WHERE organization_id = organizations.id) DESC LIMIT 1`,
    )
    .get(asked ?? null);
  if (!found) throw new Error(`The backup has no workspace ${asked ?? ""} with API access`);
  return { id: String(found.id), slug: String(found.slug) };
}

async function bringBack(
  { step }: DemoContext,
  connection: AdminConnection,
  folder: BackupFolder,
  { night, day, id }: Night,
): Promise<void> {
  await step("every image of the night is in the folder as it was, and goes back once", async () => {
    const { images, stored } = await pushBackup(askOf(connection), folder, day);
    assert.equal((await pushBackup(askOf(connection), folder, day)).stored, 0);
    return `${images} images, ${stored} were missing`;
  });
  await step("the workspace has every row and every image of the night", async () => {
    const out = new ExportFolder(given.out ?? join(directory, "export"));
    const asked = { organization: id, complete: "true" };
    const outcome = await runSteps(connection, "export-organization", asked, out);
    assert.ok(outcome.ok, outcome.ok ? "" : outcome.message);
    const text = await readFile(join(out.path, manifestFile), "utf8");
    const manifest = readManifest(text.split("\n").filter((line) => line !== ""));
    if (typeof manifest === "string") throw new Error(manifest);
    for (const own of ownTables.filter(({ table }) => !grown.includes(nameOf(table)))) {
      const found = rowsIn(night, own, id);
      const expected = { rows: found.length, digest: addRows(emptyDigest, own, found) };
      assert.deepEqual(manifest.tables[nameOf(own.table)], expected, nameOf(own.table));
    }
    const listed = (await folder.imagesOf(day)).filter(({ path }) => path.startsWith(imageFolder(id)));
    const named = ({ sha256, bytes }: { sha256: string | null; bytes: number }) => `${bytes} ${sha256}`;
    assert.deepEqual(manifest.images.map(named).sort(), listed.map(named).sort());
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
    return `${rows} rows and ${listed.length} images of ${ownTables.length} tables`;
  });
  await step("after-restore", async () => {
    const outcome = await runSteps(connection, "after-restore", {}, undefined);
    assert.ok(outcome.ok, outcome.ok ? "" : outcome.message);
    return JSON.stringify(outcome.result);
  });
}

function rowsIn(night: DatabaseSync, own: OwnRows, organizationId: string): CopiedRow[] {
  const page = { organizationId, limit: Number.MAX_SAFE_INTEGER };
  const { sql, params } = rows({}, selectOwn(own, copiedColumns(own), page));
  return night.prepare(sql).all(...(params as string[]));
}

async function readBack(
  { call, admin, server, step }: DemoContext,
  { night, id, slug }: Night,
): Promise<void> {
  const scopes = "client:read,deliverable:read";
  const { token } = await admin("create-api-token", { organization: id, name: "Drill", scopes });
  await step("a partner reads its clients", async () => {
    const answer = await call("/api-v1/clients?limit=200", { token });
    expectAnswer(answer, 200);
    return `${answer.body.data.length} on the first page`;
  });
  await step("the newest versions are served with their images", async () => {
    const versions = night
      .prepare(
        `SELECT deliverable_id AS id, version_number AS number, asset_sha256 AS sha256 FROM deliverable_versions
         WHERE organization_id = ? AND asset_sha256 IS NOT NULL ORDER BY created_at DESC LIMIT 20`,
      )
      .all(id);
    const headers = { apikey: server.apikey, authorization: `Bearer ${token}` };
    for (const version of versions) {
      const path = `/api-v1/deliverables/${version.id}/versions/${version.number}/image`;
      const image = await fetch(server.base_url + path, { headers });
      const bytes = new Uint8Array(await image.arrayBuffer());
      assert.deepEqual([image.status, sha256Hex(bytes)], [200, version.sha256], path);
    }
    return `${versions.length} of ${slug}`;
  });
}
