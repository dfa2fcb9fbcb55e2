import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

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
