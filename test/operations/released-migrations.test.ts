import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { workerBuild } from "../../scripts/local/worker-build.ts";
import { migrateDatabase } from "../faults/migrate.ts";
import { startKillableService } from "../faults/service.ts";
import {
  checkOut,
  isReleaseHere,
  migrationsIn,
  presentMigrations,
  release,
  withoutIcons,
  withoutRelease,
} from "./release.ts";

/**
 * Released migrations must not change, and later migrations must lead from every released database to the current
 * schema.
 */

const root = join(import.meta.dirname, "..", "..");
let folder: string;

beforeEach((context) => {
  if (!isReleaseHere) context.skip(withoutRelease);
  folder = mkdtempSync(join(tmpdir(), "released-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function migrationsAt(commit: string): Map<string, string> {
  const place = join(folder, commit);
  mkdirSync(place);
  checkOut(commit, ["migrations"], place);
  return migrationsIn(join(place, "migrations"));
}

interface Made {
  type: string;
  name: string;
  sql: string;
}

const schemaQuery = `SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name <> 'd1_migrations' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'
  ORDER BY type, name`;

const schemaOf = (rows: readonly Made[]) =>
  rows.map(({ type, name, sql }) => [type, name, sql.replace(/\s+/g, " ")]);

const inMemory = (...texts: string[]) => {
  const database = new DatabaseSync(":memory:");
  for (const text of texts) database.exec(text);
  return schemaOf(database.prepare(schemaQuery).all() as unknown[] as Made[]);
};

const newSchema = inMemory(...presentMigrations.values());

const missingFrom = (applied: ReadonlyMap<string, string>) =>
  [...presentMigrations].flatMap(([name, text]) => (applied.has(name) ? [] : [text]));

it("the migrations of the last release are unchanged [B6]", () => {
  const released = migrationsAt(release);
  expect(released.size).toBeGreaterThan(0);
  for (const [name, text] of released)
    expect(presentMigrations.get(name) === text, `${name} was edited`).toBe(true);
});

/**
 * Builds between 2ecab608 and migration 0009 edited the migrations 0002, 0005 and 0008, so a database may come from any
 * of these builds.
 */
const builds = ["bd339e06", "337cf8ff", "2516bab4", "b4b1806a"];

it.each(builds)("the migrations lead from a database of build %s to the same schema", (commit) => {
  const applied = migrationsAt(commit);
  expect(inMemory(...applied.values(), ...missingFrom(applied))).toEqual(newSchema);
});

const rowsOfNoWorkspace = [
  "INSERT INTO attempt_counts (minute, delivered) VALUES ('2026-01-31T09:30', 1)",
  "INSERT INTO backups (day) VALUES ('2026-01-31')",
  "INSERT INTO erasures (id) SELECT id FROM organizations",
  "INSERT INTO imports (id, slug, manifest) VALUES ('x', 'x', '{}')",
  "INSERT INTO service_mails (day, mails) VALUES ('2026-01-31', 1)",
  "INSERT INTO sessions (token_hash, email, expires_at) VALUES ('x', 'ada@example.com', '2099-01-31T09:30:00.000Z')",
  "INSERT INTO sign_in_links (token_hash, email, expires_at) VALUES ('x', 'ada@example.com', '2099-01-31T09:30:00.000Z')",
  "INSERT INTO size_notices (percent) VALUES (50)",
];

/** Bundles the release's Worker with a helper that inserts a row into every table. */
async function bundleWithRows(): Promise<string> {
  checkOut(release, ["src", "test/support", "package.json", "tsconfig.json"], folder);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const outfile = join(folder, "worker.js");
  await build({
    ...workerBuild,
    stdin: {
      contents: `export * from "./src/worker.ts";
        import worker from "./src/worker.ts";
        import { makeWholeWorkspace } from "./test/support/whole-workspace.ts";
        const fetch = async () => Response.json(await makeWholeWorkspace());
        export default { ...worker, fetch };`,
      resolveDir: folder,
      loader: "ts",
    },
    outfile,
    plugins: [
      withoutIcons,
      {
        name: "without-vitest",
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^vitest$/ }, () => ({ path: "vitest", namespace: "without" }));
          onLoad({ filter: /^/, namespace: "without" }, () => ({
            contents: `export const inject = () => ({ http: "https://port-9.receiver.example" }), vi = {};`,
          }));
        },
      },
    ],
  });
  return outfile;
}

describe("the database of the last release, with rows in every table", () => {
  it("reaches the schema of a new database and keeps its rows [B6]", async () => {
    const released = migrationsAt(release);
    const bundle = await bundleWithRows();
    const service = await startKillableService(join(folder, "state"), bundle, localGatewayKey());
    try {
      await migrateDatabase(service, released);
      const made = await fetch(service.baseUrl);
      expect(made.status, await made.text()).toBe(200);
      for (const row of rowsOfNoWorkspace) await service.sql(row);
      const tables = inMemory(...released.values()).flatMap(([type, name]) =>
        type === "table" ? [name] : [],
      );
      const count = async () =>
        new Map(
          await Promise.all(
            tables.map(async (name) => {
              const [row] = await service.sql<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`);
              return [name, row?.rows] as const;
            }),
          ),
        );
      const before = await count();
      expect([...before].flatMap(([name, rows]) => (rows === 0 ? [name] : []))).toEqual([]);
      await migrateDatabase(service);
      expect(schemaOf(await service.sql(schemaQuery))).toEqual(newSchema);
      expect(await service.sql("PRAGMA foreign_key_check")).toEqual([]);
      expect(await count()).toEqual(before);
    } finally {
      await service.kill();
    }
  });
});
