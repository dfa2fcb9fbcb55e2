/// <reference types="vite/client" />
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { difference } from "../../scripts/migration/difference.ts";
import { readSource, type Statement, statementOf } from "../../scripts/migration/sources.ts";
import { values } from "../../scripts/migration/values.ts";
import { tables, triggers } from "../../src/db/triggers.ts";
import { sql } from "./workspace.ts";

const sources = import.meta.glob<string>("../../src/contract/events/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});

const byName = (statements: readonly Statement[]) =>
  Object.fromEntries(statements.map(({ name, text }) => [name, text]));

describe("the sources of the triggers and views", () => {
  it("are exactly what the migrations make: else run npm run migration", async () => {
    const made = await sql<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE type IN ('trigger', 'view')",
    );
    const wanted = [...triggers, ...Object.values(sources).flatMap((source) => readSource(source, values))];
    expect(wanted.length).toBeGreaterThan(100);
    expect(Object.keys(byName(wanted))).toHaveLength(wanted.length);
    expect(byName(made.map((row) => statementOf(row.sql)))).toEqual(byName(wanted));
  });

  it("name only tables and columns that there are", async () => {
    for (const table of tables) {
      const columns = getTableConfig(table).columns.filter(({ generated }) => !generated);
      const name = getTableConfig(table).name;
      // To explain a change, the database compiles every trigger that it fires.
      await sql(`EXPLAIN INSERT INTO ${name} (${columns[0]?.name}) VALUES (NULL)`);
      await sql(`EXPLAIN UPDATE ${name} SET ${columns.map((column) => `${column.name} = NULL`).join(", ")}`);
      await sql(`EXPLAIN DELETE FROM ${name}`);
    }
  });

  it("have no line over 120 characters", () => {
    const long = Object.entries(sources).flatMap(([path, text]) =>
      text.split("\n").flatMap((line, index) => (line.length > 120 ? [`${path}:${index + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });
});

const trigger = (name: string, text: string) => statementOf(`CREATE TRIGGER ${name} ${text}`);

describe("a source of triggers", () => {
  it("becomes one line, without its comments and with its literals as they are", () => {
    const source = [
      "-- Why.",
      "CREATE TRIGGER a AFTER INSERT ON t",
      "BEGIN",
      "  -- a comment; it's no literal",
      "  SELECT 'two  blanks -- and ''quotes''';",
      "  SELECT {{now}} WHERE {{limits.x}} > 1;",
      "END;",
      "",
    ].join("\n");
    expect(readSource(source, { now: "time()", "limits.x": 20 })).toEqual([
      trigger(
        "a",
        "AFTER INSERT ON t BEGIN SELECT 'two  blanks -- and ''quotes'''; SELECT time() WHERE 20 > 1; END",
      ),
    ]);
  });

  it("stands for one trigger of each row that its comment lists", () => {
    const source =
      "-- each table, row: events, an event\n--   | payments, a payment\n" +
      "CREATE TRIGGER {{table}}_x BEFORE UPDATE ON {{table}}\nBEGIN\n  SELECT '{{row}}';\nEND;\n";
    expect(readSource(source, {})).toEqual([
      trigger("events_x", "BEFORE UPDATE ON events BEGIN SELECT 'an event'; END"),
      trigger("payments_x", "BEFORE UPDATE ON payments BEGIN SELECT 'a payment'; END"),
    ]);
  });

  it("is refused with a name that stands for nothing, a value too few or too many, or anything else", () => {
    expect(() => readSource("CREATE VIEW v AS SELECT {{limits.none}};\n", values)).toThrow("limits.none");
    expect(() => readSource("-- each a, b: x\nCREATE VIEW v AS SELECT 1;\n", {})).toThrow("not one value");
    expect(() => readSource("-- each a: x, y\nCREATE VIEW v AS SELECT 1;\n", {})).toThrow("not one value");
    expect(() => readSource("CREATE TABLE t (id TEXT);\n", {})).toThrow("neither a trigger nor a view");
  });
});

describe("a migration of triggers", () => {
  const kept = trigger("kept", "BEGIN SELECT 1; END");
  const made = (statements: Statement[], eventTypes = {}) => ({ statements, eventTypes });

  it("drops what vanished, replaces what changed, creates what is new and leaves the rest", () => {
    const [old, changed] = [trigger("a", "BEGIN SELECT 1; END"), trigger("a", "BEGIN SELECT 2; END")];
    const view = statementOf("CREATE VIEW v AS SELECT 1");
    const gone = trigger("gone", "BEGIN SELECT 1; END");
    expect(difference(made([kept, old, gone]), made([kept, changed, view]))).toEqual([
      "DROP TRIGGER IF EXISTS a;",
      "DROP TRIGGER IF EXISTS gone;",
      "CREATE VIEW IF NOT EXISTS v AS SELECT 1;",
      "CREATE TRIGGER IF NOT EXISTS a BEGIN SELECT 2; END;",
    ]);
    expect(difference(made([kept, view]), made([view, kept]))).toEqual([]);
  });

  it("writes the types of the events", () => {
    expect(
      difference(
        made([], { "a.kept": "money", "a.gone": "money", "a.moved": "money" }),
        made([], { "a.kept": "money", "a.moved": "scope", "a.new": "change" }),
      ),
    ).toEqual([
      "DELETE FROM event_types WHERE name = 'a.gone';",
      "INSERT OR REPLACE INTO event_types (name, category) VALUES ('a.moved', 'scope');",
      "INSERT OR REPLACE INTO event_types (name, category) VALUES ('a.new', 'change');",
    ]);
  });
});
