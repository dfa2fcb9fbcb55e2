/// <reference types="vite/client" />
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { guardRefusals } from "../../src/contract/refusals/guards.ts";
import { refusals } from "../../src/contract/refusals.ts";

const files = import.meta.glob<string>("../../migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});
const triggerLines = Object.values(files).flatMap((text) =>
  text.split("\n").filter((line) => /CREATE\b.*\bTRIGGER/.test(line) && !line.startsWith("--")),
);

const raised = new Set(
  Object.values(files).flatMap((text) =>
    // Except for the dry-run trigger, which raises a response instead of a name.
    [...text.replace("RAISE(ABORT, NEW.told)", "").matchAll(/RAISE\s*\(\s*\w+\s*,(.*?)\)/gis)].map(
      ([, name = ""]) => name.trim().replace(/^'|'$/g, ""),
    ),
  ),
);

describe("a RAISE message", () => {
  it("is always a name in the catalog", () => {
    expect(raised.size).toBeGreaterThan(40);
    expect([...raised].filter((name) => !Object.hasOwn(refusals, name))).toEqual([]);
  });

  it("exists for each refusal that only guards use", () => {
    expect(Object.keys(guardRefusals).filter((name) => !raised.has(name))).toEqual([]);
  });
});

describe("a migration file that every migration tool can split", () => {
  it("has each trigger on one line, from CREATE TRIGGER IF NOT EXISTS to END;", () => {
    expect(triggerLines.length).toBeGreaterThan(100);
    const one =
      /^CREATE TRIGGER IF NOT EXISTS \w+ (BEFORE|AFTER|INSTEAD OF) (INSERT|UPDATE|DELETE) .* BEGIN .*; END;$/;
    for (const line of triggerLines) expect(line).toMatch(one);
  });

  it("has triggers without CASE and with exactly one BEGIN and END", () => {
    for (const line of triggerLines) {
      expect(line).not.toMatch(/\bCASE\b/i);
      expect(line.match(/\bBEGIN\b/gi)).toHaveLength(1);
      expect(line.match(/\bEND\b/gi)).toHaveLength(1);
    }
  });

  it("has LF line endings only", () => {
    for (const text of Object.values(files)) expect(text).not.toContain("\r");
  });

  it("has either triggers or tables", () => {
    for (const [path, text] of Object.entries(files)) {
      expect(/^CREATE TABLE/m.test(text) && /^CREATE TRIGGER/m.test(text), path).toBe(false);
    }
  });

  it("reaches the database unchanged", () => {
    const statements = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries);
    const whole = statements.filter((query) => query.includes("CREATE TRIGGER"));
    const lastLines = whole.map((query) => `${query.split("\n").at(-1)}`.replace(/;?$/, ";"));
    expect(lastLines).toEqual(triggerLines);
  });
});
