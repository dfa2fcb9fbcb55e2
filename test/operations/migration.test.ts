import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/local/port.ts";

const root = join(import.meta.dirname, "../..");
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "migrations-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Copies the migrations that `wanted` takes by their text. */
function copyMigrations(wanted: (text: string) => boolean): string[] {
  const migrations = join(root, "migrations");
  const files = readdirSync(migrations).filter((file) =>
    wanted(readFileSync(join(migrations, file), "utf8")),
  );
  for (const file of files) cpSync(join(migrations, file), join(directory, file));
  return files.sort();
}

const migrate = (...args: string[]) =>
  execFileSync(
    process.execPath,
    ["--no-warnings", "scripts/migration.ts", ...args, "--migrations", directory],
    { cwd: root, encoding: "utf8", stdio: "pipe" },
  );

describe("npm run migration", () => {
  it("writes nothing where the migrations make what the sources say", () => {
    const files = copyMigrations(() => true);
    expect(migrate("again")).toContain("Nothing to migrate");
    expect(readdirSync(directory).sort()).toEqual(files);
  });

  it("writes all that is missing into the next file, once", () => {
    // What is neither a trigger nor needs what the sources make.
    const tables = copyMigrations((text) => !/CREATE TRIGGER|FROM client_sort_names/.test(text));
    migrate("all_triggers");
    const [written, ...others] = readdirSync(directory).filter((file) => !tables.includes(file));
    const next = String(Number(tables.toSorted().at(-1)?.slice(0, 4)) + 1).padStart(4, "0");
    expect([written, others]).toEqual([`${next}_all_triggers.sql`, []]);
    const lines = readFileSync(join(directory, String(written)), "utf8").split("\n");
    expect(lines.filter((line) => line.startsWith("CREATE TRIGGER IF NOT EXISTS")).length).toBeGreaterThan(
      100,
    );
    expect(migrate("again")).toContain("Nothing to migrate");
  });

  it("wants a name for the file", () => {
    expect(() => migrate()).toThrow("Usage");
    expect(() => migrate("../elsewhere")).toThrow("Usage");
  });
});

describe("npm run migration:check", () => {
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, STATE_DIR: directory, CI: "true" },
    });
  const wrangler = (...args: string[]) =>
    run("node_modules/.bin/wrangler", "d1", ...args, "--local", "--persist-to", directory);
  const check = () => run(process.execPath, "--no-warnings", "scripts/migration/check.ts");

  it("names each table, column, index, trigger and view that differs, and what the code does not know", () => {
    wrangler("migrations", "apply", "DB");
    const broken = `DROP INDEX payments_of_processor; DROP INDEX events_in_order; DROP TABLE size_notices;
      CREATE INDEX events_in_order ON events (sequence); CREATE INDEX of_nobody ON events (id);
      ALTER TABLE brands ADD COLUMN extra TEXT; ALTER TABLE brands RENAME COLUMN accent TO colour;
      DROP VIEW client_sort_names; CREATE TABLE notes (id TEXT)`;
    wrangler("execute", "DB", "--command", broken);
    const { status, stdout } = check();
    expect([status, stdout.match(/^-- .*/gm)?.toSorted()]).toEqual([
      1,
      [
        "-- changed: index events_in_order",
        "-- changed: trigger brands_stamp",
        "-- missing: column brands.accent",
        "-- missing: index payments_of_processor",
        "-- missing: table size_notices",
        "-- missing: view client_sort_names",
        "-- unknown: column brands.colour",
        "-- unknown: column brands.extra",
        "-- unknown: index of_nobody",
        "-- unknown: table notes",
      ],
    ]);
  });

  it("is what npm start holds a state to, after it applied what is missing [B6]", async () => {
    wrangler("migrations", "apply", "DB");
    wrangler("execute", "DB", "--command", "DROP INDEX payments_of_processor");
    const { status, stderr } = run(
      process.execPath,
      "--no-warnings",
      "scripts/start.ts",
      "--port",
      `${await freePort()}`,
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/an earlier version.+missing: index payments_of_processor.+STATE_DIR=/s),
    ]);
  });

  it("finds a trigger that an apply lost or changed, and prints what brings it back", () => {
    expect(wrangler("migrations", "apply", "DB")).toMatchObject({ status: 0 });
    expect(check()).toMatchObject({ status: 0, stdout: "" });
    const broken = `DROP TRIGGER invoices_organization_kept; DROP TRIGGER members_organization_kept;
      CREATE TRIGGER members_organization_kept BEFORE UPDATE ON members BEGIN SELECT 1; END`;
    wrangler("execute", "DB", "--command", broken);
    const { status, stdout, stderr } = check();
    expect([status, stderr]).toEqual([1, expect.stringContaining("wrangler d1 execute DB --file")]);
    expect(stdout.match(/^\w+ TRIGGER IF (?:NOT )?EXISTS \w+/gm)).toEqual([
      "DROP TRIGGER IF EXISTS members_organization_kept",
      "CREATE TRIGGER IF NOT EXISTS invoices_organization_kept",
      "CREATE TRIGGER IF NOT EXISTS members_organization_kept",
    ]);
    writeFileSync(join(directory, "missing.sql"), stdout);
    wrangler("execute", "DB", "--file", join(directory, "missing.sql"));
    expect(check()).toMatchObject({ status: 0, stdout: "" });
  });
});
