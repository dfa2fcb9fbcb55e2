import { env } from "cloudflare:workers";
import { is, SQL } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { currencyDigits } from "../../src/contract/currencies.ts";
import { tables as allTables } from "../../src/database.ts";

const tables = allTables.map((table) => getTableConfig(table));

interface Column {
  name: string;
  type: string;
  required: boolean;
  inPrimaryKey: boolean;
  default: string | null;
  generated: string | null;
}

const dialect = new SQLiteSyncDialect();
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const textOf = (expression: SQL) => oneLine(dialect.sqlToQuery(expression).sql);

/** Formats a default value or a generated column's expression as in the migrations. */
function written(value: unknown): string | null {
  if (value === undefined) return null;
  if (is(value, SQL)) return textOf(value);
  if (typeof value === "string") return `'${value}'`;
  return typeof value === "object" ? `'${JSON.stringify(value)}'` : String(Number(value));
}

const declaredColumn = (column: SQLiteColumn, keys: readonly string[]): Column => ({
  name: column.name,
  type: column.getSQLType().toUpperCase(),
  required: column.notNull || column.primary,
  inPrimaryKey: column.primary || keys.includes(column.name),
  default: written(column.default),
  generated: written(column.generated?.as),
});

async function columnsMade(table: string): Promise<Column[]> {
  const { results } = await env.DB.prepare(
    'SELECT name, type, "notnull", pk, dflt_value FROM pragma_table_xinfo(?)',
  )
    .bind(table)
    .all<{ name: string; type: string; notnull: number; pk: number; dflt_value: string | null }>();
  const text = await createText(table);
  return results.map(({ name, type, notnull, pk, dflt_value }) => ({
    name,
    type: type.replace(/ GENERATED ALWAYS$/, ""),
    required: notnull === 1 || pk > 0,
    inPrimaryKey: pk > 0,
    default: dflt_value === null ? null : oneLine(dflt_value),
    generated: generatedAs(text, name),
  }));
}

const createText = async (table: string) =>
  (await env.DB.prepare("SELECT sql FROM sqlite_master WHERE name = ?").bind(table).first<string>("sql")) ??
  "";

const generatedAs = (text: string, column: string) =>
  oneLine(
    new RegExp(`(?:^ *|, )${column} [^,]*GENERATED ALWAYS AS \\(([^]*?)\\) VIRTUAL`, "m").exec(text)?.[1] ??
      "",
  ) || null;

/** The columns that CHECK constraints restrict to 0 and 1. */
const flagsChecked = (text: string) =>
  [...text.matchAll(/CHECK \((\w+) IN \(0, 1\)\)/g)].map(([, column]) => column);

describe("the drizzle schema", () => {
  it("has exactly the database's tables [O11]", async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
        AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'`,
    ).all<{ name: string }>();
    expect(tables.map(({ name }) => name).sort()).toEqual(results.map(({ name }) => name).sort());
  });

  it.each(tables)(
    "declares every column of $name with its type, nullability, key and default",
    async (table) => {
      const keys = table.primaryKeys.flatMap(({ columns }) => columns.map(({ name }) => name));
      expect(table.columns.map((column) => declaredColumn(column, keys))).toEqual(
        await columnsMade(table.name),
      );
    },
  );

  it.each(tables)(
    "matches the CHECKs of $name: one for each boolean, none for a closed set",
    async (table) => {
      const text = await createText(table.name);
      const flags = table.columns.filter(({ dataType }) => dataType === "boolean").map(({ name }) => name);
      expect(flagsChecked(text)).toEqual(flags);
      expect(text).not.toMatch(/CHECK \([^)]*'[a-z_]+'/);
    },
  );
});

/**
 * Unique keys that other guards protect: invoice and version numbers have their own guards, and a deliverable with a
 * reused link is protected by the versions that refer to it.
 */
const guardedElsewhere = [
  "deliverables ()",
  "deliverables (share_url)",
  "deliverable_versions (deliverable_id, version_number)",
  "invoices (organization_id, number)",
];

it("the triggers that prevent REPLACE check each unique key for an existing row", async () => {
  const { results } = await env.DB.prepare(
    `SELECT guarded.name AS "table", guard.sql AS guard, (
        SELECT json_group_array(name) FROM pragma_index_info(keys.name)
      ) AS columns
      FROM sqlite_master AS guard
      JOIN sqlite_master AS guarded ON guarded.name = guard.tbl_name AND guarded.type = 'table'
      JOIN pragma_index_list(guarded.name) AS keys ON keys."unique" = 1
      WHERE guard.type = 'trigger' AND guard.name = guarded.name || '_not_replaced'`,
  ).all<{ table: string; guard: string; columns: string }>();
  const missed = results.flatMap(({ table, guard, columns: json }) => {
    const columns: string[] = JSON.parse(json);
    const isSeen = columns.some((key) => key !== "organization_id" && guard.includes(`${key} = NEW.${key}`));
    return isSeen ? [] : [`${table} (${columns.join(", ")})`];
  });
  expect(results.length).toBeGreaterThan(5);
  expect(missed).toEqual(guardedElsewhere);
});

describe("the folded letters that sort the legacy client list", () => {
  /** Letters that do not decompose into a base letter, with their alphabetical order. */
  const special: Record<string, string> = {
    ß: "ss",
    æ: "ae",
    œ: "oe",
    ø: "o",
    đ: "d",
    ð: "d",
    þ: "th",
    ł: "l",
    ħ: "h",
    ı: "i",
    ŧ: "t",
  };
  const fold = (letter: string) => {
    const bare = letter.normalize("NFD").toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
    return [...bare].map((one) => special[one] ?? one).join("");
  };
  // Latin, combining marks, Greek and Cyrillic; Latin Extended Additional and Greek Extended.
  const blocks = [
    [0xc0, 0x24f],
    [0x300, 0x36f],
    [0x370, 0x52f],
    [0x1e00, 0x1fff],
  ] as const;

  it("include each letter and mark that differs from its base letter", async () => {
    const letters = blocks
      .flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
      )
      .filter((letter) => /\p{L}|\p{M}/u.test(letter) && fold(letter) !== letter);
    const { results } = await env.DB.prepare("SELECT letter, folded FROM folded_letters").all<{
      letter: string;
      folded: string;
    }>();
    expect(new Map(results.map(({ letter, folded }) => [letter, folded]))).toEqual(
      new Map(letters.map((letter): [string, string] => [letter, fold(letter)])),
    );
  });
});

it("the API and the database agree on the digits of every currency", async () => {
  const { results } = await env.DB.prepare("SELECT code, minor_units_per_unit FROM currencies").all<{
    code: string;
    minor_units_per_unit: number;
  }>();
  const ofDatabase = results.map(({ code, minor_units_per_unit }) => [
    code,
    Math.log10(minor_units_per_unit),
  ]);
  expect(new Map(ofDatabase as [string, number][])).toEqual(new Map([...currencyDigits].sort()));
});
