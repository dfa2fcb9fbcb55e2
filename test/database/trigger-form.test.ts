/// <reference types="vite/client" />
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sql } from "./workspace.ts";

const files = import.meta.glob<string>("../../migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});
const triggerLines = Object.values(files).flatMap((text) =>
  text.split("\n").filter((line) => line.includes("TRIGGER") && !line.startsWith("--")),
);

describe("triggers are written so that every migration tool splits them right", () => {
  it("stands each on one physical line, from CREATE TRIGGER IF NOT EXISTS to END;", () => {
    expect(triggerLines.length).toBeGreaterThan(100);
    const one = /^CREATE TRIGGER IF NOT EXISTS \w+ (BEFORE|AFTER) (INSERT|UPDATE|DELETE) .* BEGIN .*; END;$/;
    for (const line of triggerLines) expect(line).toMatch(one);
  });

  it("uses no CASE, and BEGIN and END once each", () => {
    for (const line of triggerLines) {
      expect(line).not.toMatch(/\bCASE\b/i);
      expect(line.match(/\bBEGIN\b/gi)).toHaveLength(1);
      expect(line.match(/\bEND\b/gi)).toHaveLength(1);
    }
  });

  it("ends lines with LF alone", () => {
    for (const text of Object.values(files)) expect(text).not.toContain("\r");
  });

  it("keeps triggers out of the files that make tables", () => {
    for (const [path, text] of Object.entries(files)) {
      expect(/^CREATE TABLE/m.test(text) && /^CREATE TRIGGER/m.test(text), path).toBe(false);
    }
  });

  it("arrives in the database whole, each under a name of its own", async () => {
    const names = triggerLines.map((line) => line.split(" ")[5]);
    expect(new Set(names).size).toBe(names.length);
    const rows = await sql<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger'");
    expect(rows.map(({ name }) => name).sort()).toEqual([...names].sort());
    const statements = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries);
    expect(statements.filter((query) => query.includes("CREATE TRIGGER"))).toHaveLength(names.length);
  });
});
