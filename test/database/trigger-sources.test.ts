/// <reference types="vite/client" />
import { sql as template } from "drizzle-orm";
import { getTableConfig, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { difference, statementOf } from "../../scripts/migration/difference.ts";
import { field } from "../../src/core/events/event.ts";
import { tables, triggers } from "../../src/database.ts";
import { after, before, plainText, raise, type Statement, view } from "../../src/db/trigger.ts";
import { sql } from "../support/filled-workspace.ts";

const sources = import.meta.glob<string>(
  ["../../src/db/**/*.ts", "../../src/*/**/{guards,tables,events}.ts"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);

const byName = (statements: readonly Statement[]) =>
  Object.fromEntries(statements.map(({ name, text }) => [name, text]));

describe("the trigger and view sources", () => {
  it("match the migrations (run npm run migration after a change)", async () => {
    const made = await sql<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE type IN ('trigger', 'view')",
    );
    expect(triggers.length).toBeGreaterThan(100);
    expect(Object.keys(byName(triggers))).toHaveLength(triggers.length);
    expect(byName(made.map((row) => statementOf(row.sql)))).toEqual(byName(triggers));
  });

  it("refer only to existing tables and columns", async () => {
    for (const table of tables) {
      const { name, columns } = getTableConfig(table);
      const set = columns.filter(({ generated }) => !generated).map((column) => `${column.name} = NULL`);
      // EXPLAIN compiles every trigger that the statement would fire.
      await sql(`EXPLAIN INSERT INTO ${name} (${columns[0]?.name}) VALUES (NULL)`);
      await sql(`EXPLAIN UPDATE ${name} SET ${set.join(", ")}`);
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

describe("a trigger", () => {
  const letters = sqliteTable("letters", { id: text().primaryKey(), word: text() });

  it("is written on one line with its literals unchanged", () => {
    const made = before(letters, ["word"], "kept", ({ NEW, OLD }) => ({
      when: template`${NEW.word} <> ${OLD.word}
        AND ${NEW.word} NOT IN ${["a  b", "it's"]}`,
      do: [raise("immutable"), raise("row_exists", template`WHERE ${NEW.id} > ${20}`)],
    }));
    expect(made).toEqual({
      kind: "TRIGGER",
      name: "letters_kept",
      text:
        "CREATE TRIGGER letters_kept BEFORE UPDATE OF word ON letters " +
        "WHEN NEW.word <> OLD.word AND NEW.word NOT IN ('a  b', 'it''s') " +
        "BEGIN SELECT RAISE(ABORT, 'immutable'); SELECT RAISE(ABORT, 'row_exists') WHERE NEW.id > 20; END",
    });
  });

  it("has no WHEN clause without a condition", () => {
    const words = view("words", template`SELECT word FROM ${letters}`);
    expect(words.text).toBe("CREATE VIEW words AS SELECT word FROM letters");
    expect(after(letters, "DELETE", "gone", () => ({ do: template`SELECT 1` })).text).toBe(
      "CREATE TRIGGER letters_gone AFTER DELETE ON letters BEGIN SELECT 1; END",
    );
    expect(plainText(template`${letters.word}`)).toBe("word");
  });
});

it("an event field requires its SQL at compile time", () => {
  // @ts-expect-error: only its schema and example
  const withoutSql = () => field(z.string(), "Acme");
  // @ts-expect-error: only its SQL
  const withoutSchema = () => field(template`clients.name`, "Acme");
  expect([withoutSql, withoutSchema]).toHaveLength(2);
});

describe("a migration of triggers", () => {
  const trigger = (name: string, rest: string) => statementOf(`CREATE TRIGGER ${name} ${rest}`);
  const kept = trigger("kept", "BEGIN SELECT 1; END");

  it("drops removed triggers, replaces changed ones and creates new ones", () => {
    const [old, changed] = [trigger("a", "BEGIN SELECT 1; END"), trigger("a", "BEGIN SELECT 2; END")];
    const words = statementOf("CREATE VIEW v AS SELECT 1");
    const gone = trigger("gone", "BEGIN SELECT 1; END");
    expect(difference([kept, old, gone], [kept, changed, words])).toEqual([
      "DROP TRIGGER IF EXISTS a;",
      "DROP TRIGGER IF EXISTS gone;",
      "CREATE VIEW IF NOT EXISTS v AS SELECT 1;",
      "CREATE TRIGGER IF NOT EXISTS a BEGIN SELECT 2; END;",
    ]);
    expect(difference([kept, words], [words, kept])).toEqual([]);
  });

  it("creates a table's fences last, so that they fire before its guards", () => {
    const fence = trigger("a_fenced_update", "BEFORE UPDATE ON a BEGIN SELECT 1; END");
    const other = trigger("b_fenced_update", "BEFORE UPDATE ON b BEGIN SELECT 1; END");
    const guard = trigger("guard", "BEFORE UPDATE ON a BEGIN SELECT 2; END");
    expect(difference([fence, other], [fence, other, guard])).toEqual([
      "DROP TRIGGER IF EXISTS a_fenced_update;",
      "CREATE TRIGGER IF NOT EXISTS guard BEFORE UPDATE ON a BEGIN SELECT 2; END;",
      "CREATE TRIGGER IF NOT EXISTS a_fenced_update BEFORE UPDATE ON a BEGIN SELECT 1; END;",
    ]);
  });
});
