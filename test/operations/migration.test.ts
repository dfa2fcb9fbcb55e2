import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../../scripts/local/migrate.ts";
import { openState } from "../../scripts/local/open-state.ts";
import { freePort } from "../../scripts/local/port.ts";

const root = join(import.meta.dirname, "../..");
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "migrations-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Copies the migrations that `wanted` accepts. */
function copyMigrations(wanted: (text: string) => boolean): string[] {
  const migrations = join(root, "migrations");
  const files = readdirSync(migrations).filter((file) =>
    wanted(readFileSync(join(migrations, file), "utf8")),
  );
  for (const file of files) cpSync(join(migrations, file), join(directory, file));
  return files.sort();
}

const writeMigration = (...args: string[]) =>
  execFileSync(
    process.execPath,
    ["--no-warnings", "scripts/migration.ts", ...args, "--migrations", directory],
    { cwd: root, encoding: "utf8", stdio: "pipe" },
  );

describe("npm run migration", () => {
  it("writes nothing if the migrations match the sources", () => {
    const files = copyMigrations(() => true);
    expect(writeMigration("again")).toContain("Nothing to migrate");
    expect(readdirSync(directory).sort()).toEqual(files);
  });

  it("writes all missing statements into the next file, once", () => {
    // Leaves out the triggers, and everything that depends on triggers.
    const tables = copyMigrations((text) => !/CREATE TRIGGER|FROM client_sort_names/.test(text));
    writeMigration("all_triggers");
    const [written, ...others] = readdirSync(directory).filter((file) => !tables.includes(file));
    const next = String(Number(tables.toSorted().at(-1)?.slice(0, 4)) + 1).padStart(4, "0");
    expect([written, others]).toEqual([`${next}_all_triggers.sql`, []]);
    const lines = readFileSync(join(directory, String(written)), "utf8").split("\n");
    expect(lines.filter((line) => line.startsWith("CREATE TRIGGER IF NOT EXISTS")).length).toBeGreaterThan(
      100,
    );
    expect(writeMigration("again")).toContain("Nothing to migrate");
  });

  it("requires a name for the file", () => {
    expect(() => writeMigration()).toThrow("Usage");
    expect(() => writeMigration("../elsewhere")).toThrow("Usage");
  });
});

describe("npm run migration:check", () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--no-warnings", ...args], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, STATE_DIR: directory, CI: "true" },
    });
  const check = () => run("scripts/migration/check.ts");

  async function onDatabase(work: (db: D1Database) => Promise<unknown>): Promise<void> {
    const miniflare = openState(directory);
    try {
      await work((await miniflare.getBindings<{ DB: D1Database }>()).DB);
    } finally {
      await miniflare.dispose();
    }
  }
  const execute = (db: D1Database, sql: string) =>
    db.batch(
      sql
        .trim()
        .split(/(?<=;)\n/)
        .map((statement) => db.prepare(statement)),
    );

  it("names each difference and prints the SQL that restores it [B6]", async () => {
    await onDatabase(migrate);
    const broken = `DROP INDEX payments_of_processor;
      DROP INDEX events_in_order;
      DROP TABLE size_notices;
      CREATE INDEX events_in_order ON events (sequence);
      CREATE INDEX of_nobody ON events (id);
      ALTER TABLE brands ADD COLUMN extra TEXT;
      ALTER TABLE brands RENAME COLUMN accent TO color;
      DROP VIEW client_sort_names;
      CREATE TABLE notes (id TEXT);
      DROP TRIGGER invoices_organization_kept;
      DROP TRIGGER members_organization_kept;
      CREATE TRIGGER members_organization_kept BEFORE UPDATE ON members BEGIN SELECT 1; END;`;
    await onDatabase((db) => execute(db, broken));
    const { status, stdout, stderr } = check();
    const named = (text: string) => text.match(/^-- .*/gm)?.toSorted();
    expect([status, stderr]).toEqual([1, expect.stringContaining("wrangler d1 execute DB --file")]);
    expect(named(stdout)).toEqual([
      "-- changed: index events_in_order",
      "-- changed: trigger brands_changed_in_directory",
      "-- changed: trigger brands_stamp",
      "-- changed: trigger members_organization_kept",
      "-- missing: column brands.accent",
      "-- missing: index payments_of_processor",
      "-- missing: table size_notices",
      "-- missing: trigger invoices_organization_kept",
      "-- missing: view client_sort_names",
      "-- unknown: column brands.color",
      "-- unknown: column brands.extra",
      "-- unknown: index of_nobody",
      "-- unknown: table notes",
    ]);
    const port = String(await freePort());
    const start = run("scripts/start.ts", "--port", port);
    expect([start.status, start.stderr]).toEqual([
      1,
      expect.stringMatching(/an earlier version.+: table size_notices and 12 more.+STATE_DIR=/s),
    ]);
    const byHand = `DROP TRIGGER brands_stamp;
      DROP TRIGGER brands_changed_in_directory;
      ALTER TABLE brands DROP COLUMN extra;
      ALTER TABLE brands RENAME COLUMN color TO accent;
      DROP TABLE notes;`;
    await onDatabase((db) => execute(db, `${stdout}${byHand}\n${stdout}`));
    expect(check()).toMatchObject({ status: 0, stdout: "" });
  });
});
