import { describe, expect, it } from "vitest";

/** Every source file as text, read at build time. */
const files = import.meta.glob(["../../src/**/*.ts", "../../src/**/*.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
}) as Record<string, string>;

/** The layers from bottom to top. Each may import from itself and from the layers before it (docs/architecture.md). */
const ladder = [
  "contract",
  "platform",
  "db",
  "core",
  "workspace",
  "work",
  "review",
  "webhooks",
  "payments",
  "lifecycle",
  "http",
] as const;

/** Adds the coordinator and the entry points, which are outside the layers above. */
const mayImport: Record<string, readonly string[]> = {
  durable: ["contract"],
  // A separate Worker, which has no cell's database, user-facing text or rules.
  front: ["contract", "platform"],
  ...Object.fromEntries(ladder.map((layer, index) => [layer, ladder.slice(0, index)])),
  http: [...ladder, "durable"],
  // core/ uses the rows of organizations, members and tokens; see the test below.
  core: ["contract", "platform", "db", "workspace"],
  routes: ladder,
  operations: ladder,
  pages: [...ladder, "operations"],
  processor: ladder,
  queues: ladder,
  cron: ladder,
};

const sources = Object.entries(files)
  .map(([path, text]) => ({ path: path.replace("../../src/", ""), text }))
  .filter(({ path }) => !/\.test\.tsx?$/.test(path));

const layerOf = (path: string) => (path.includes("/") ? (path.split("/")[0] as string) : "composition root");

const specifiersOf = (text: string) =>
  [...text.matchAll(/(?:from|import\(?)\s*"([^"]+)"/g)].map((match) => match[1] as string);

/** The folders under src/ that a file imports from. Paths outside src/ are unchanged, and libraries are omitted. */
const importedLayers = (path: string, text: string): string[] =>
  specifiersOf(text)
    .filter((specifier) => specifier.startsWith(".") && !specifier.includes("/node_modules/"))
    .map((specifier) => new URL(specifier, `file:///src/${path}`).pathname)
    .map((resolved) => (resolved.startsWith("/src/") ? layerOf(resolved.slice(5)) : resolved));

describe("imports between layers", () => {
  it("every source folder belongs to a layer", () => {
    expect(new Set(sources.map(({ path }) => layerOf(path)))).toEqual(
      new Set([...Object.keys(mayImport), "composition root"]),
    );
  });

  it.each(sources.filter(({ path }) => path.includes("/")))(
    "$path imports only the layers that are allowed for it",
    ({ path, text }) => {
      const layer = layerOf(path);
      const allowed = [layer, ...(mayImport[layer] ?? [])];
      expect(importedLayers(path, text).filter((imported) => !allowed.includes(imported))).toEqual([]);
    },
  );

  it("core/ imports only declarations from workspace/", () => {
    const verbs = sources
      .filter(({ path }) => layerOf(path) === "core")
      .flatMap(({ text }) => specifiersOf(text))
      .filter((specifier) => specifier.includes("/workspace/"))
      .filter((specifier) => !/\/(tables|record|organization-of)\.ts$/.test(specifier));
    expect(verbs).toEqual([]);
  });

  it("the Worker does not import the scripts or the OpenAPI generator", () => {
    const outside = sources.flatMap(({ path, text }) => [
      ...importedLayers(path, text).filter((imported) => imported.startsWith("/")),
      ...specifiersOf(text).filter((specifier) => specifier === "zod-openapi"),
    ]);
    expect(outside).toEqual([]);
  });
});

it("no source file exceeds 300 lines", () => {
  const long = sources.filter(({ text }) => text.split("\n").length > 301).map(({ path }) => path);
  expect(long).toEqual([]);
});

/** Triggers and table rules are written into migrations, where a list is plain text. */
const isTextOfMigration = (path: string) => path.startsWith("db/") || path.endsWith("/guards.ts");

it("queries bind a list as one variable with isIn, because D1 allows 100 variables per query", () => {
  const listing = sources.filter(({ path, text }) => {
    return !isTextOfMigration(path) && /\b(?:inArray|notInArray)\b|\bIN \$\{/.test(text);
  });
  expect(listing.map(({ path }) => path)).toEqual([]);
});
