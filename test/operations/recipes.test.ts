import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const recipes = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "recipe-"));
  for (const path of ["src", "scripts/migration.ts", "scripts/migration", "migrations", "package.json"])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  cpSync(join(root, "test/operations/recipes"), join(copy, "test/operations/recipes"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});
afterEach(() => rmSync(copy, { recursive: true }));

const inCopy = (...args: string[]) =>
  execFileSync(process.execPath, ["--no-warnings", ...args], { cwd: copy, encoding: "utf8", stdio: "pipe" });

const shown = (path: string) => {
  const [, text] = recipes.split(`\`\`\`ts\n// ${path}\n`);
  if (text === undefined) throw new Error(`CONTRIBUTING.md shows no ${path}`);
  return text.slice(0, text.indexOf("```"));
};

/** The line that a recipe's table adds to a file. */
const written = (path: string) => {
  const row = recipes.split("\n").find((line) => line.startsWith(`| \`${path}\` |`)) ?? "";
  return [...row.matchAll(/`([^`]+)`/g)].slice(1).map(([, code]) => String(code));
};

it("the event recipe names the four files that it changes", () => {
  const [, recipe = ""] = recipes.split("### Add an event\n");
  const rows = recipe.slice(0, recipe.indexOf("```")).matchAll(/^\| (`.+?`) \|/gm);
  expect(rows.flatMap(([, files = ""]) => files.split(", ")).toArray()).toHaveLength(4);
});

it("the event recipe adds an event that reaches an endpoint and the feed", () => {
  const [imported = "", listed = ""] = written("src/webhooks/events.ts");
  const list = readFileSync(join(copy, "src/webhooks/events.ts"), "utf8");
  writeFileSync(join(copy, "src/work/projects/events.ts"), shown("src/work/projects/events.ts"));
  writeFileSync(
    join(copy, "src/webhooks/events.ts"),
    `${imported}\n${list.replace("const declared = {", `const declared = {\n  ${listed}`)}`,
  );
  const before = readdirSync(join(copy, "migrations"));
  inCopy("scripts/migration.ts", "project_completed");
  const [migration, ...others] = readdirSync(join(copy, "migrations")).filter(
    (file) => !before.includes(file),
  );
  expect(others).toEqual([]);
  const lines = readFileSync(join(copy, "migrations", String(migration)), "utf8")
    .trim()
    .split("\n")
    .slice(1);
  // The migration also recreates the table's fences, so that they still fire before other triggers.
  expect(lines.filter((line) => !/ projects_fenced_(update|delete)\b/.test(line))).toEqual([
    expect.stringMatching(/^CREATE TRIGGER IF NOT EXISTS projects_project_completed_on_update /),
  ]);
  const made = JSON.parse(inCopy("test/operations/recipes/try-event.ts"));
  expect(made).toMatchObject({
    events: [
      {
        event: "project.completed",
        category: "delivery",
        subject_id: "2c7d6a1b-3e4f-4a5b-8c6d-7e8f9a0b1c17",
        data: { end_date: null, client_name: "Acme", project_name: "Relaunch" },
      },
    ],
    deliveries: [{ event: "project.completed" }],
    isDocumented: true,
    example: { event: "project.completed", data: { end_date: "2026-03-31", client_name: "Acme" } },
  });
});
