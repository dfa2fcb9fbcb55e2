import { describe, expect, it } from "vitest";

/** Every source file as text, read when the tests are built. */
const files = import.meta.glob("../../src/**/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
}) as Record<string, string>;

/** Which rooms a room may import from (docs/architecture.md); a room may always import from itself. */
const mayImport: Record<string, readonly string[]> = {
  contract: [],
  platform: ["contract"],
  db: ["contract"],
  durable: ["contract"],
  domain: ["contract", "db", "platform"],
  http: ["contract", "db", "domain", "durable", "platform"],
  routes: ["contract", "db", "domain", "http", "platform"],
  queues: ["contract", "db", "domain", "platform"],
  cron: ["contract", "db", "domain", "platform", "queues"],
  admin: ["contract", "db", "domain", "platform"],
};

const sources = Object.entries(files)
  .map(([path, text]) => ({ path: path.replace("../../src/", ""), text }))
  .filter(({ path }) => !path.endsWith(".test.ts"));

const roomOf = (path: string) => (path.includes("/") ? (path.split("/")[0] as string) : "composition root");

function importedRooms(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s+"(\.[^"]+)"/g)].map((match) => match[1] as string);
  return specifiers.map((specifier) => {
    const resolved = new URL(specifier, `file:///src/${path}`).pathname.replace("/src/", "");
    return roomOf(resolved);
  });
}

describe("imports point one way", () => {
  it("finds the house", () => {
    expect(new Set(sources.map(({ path }) => roomOf(path)))).toEqual(
      new Set([...Object.keys(mayImport), "composition root"]),
    );
  });

  it.each(sources.filter(({ path }) => path.includes("/")))("$path", ({ path, text }) => {
    const room = roomOf(path);
    const allowed = [room, ...(mayImport[room] ?? [])];
    expect(importedRooms(path, text).filter((imported) => !allowed.includes(imported))).toEqual([]);
  });
});

it("no source file is over 300 lines", () => {
  const long = sources.filter(({ text }) => text.split("\n").length > 301).map(({ path }) => path);
  expect(long).toEqual([]);
});
