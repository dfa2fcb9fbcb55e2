import { env } from "cloudflare:workers";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { currencyDigits } from "../../src/contract/currencies.ts";
import * as schema from "../../src/db/schema.ts";

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

const tables = Object.values(schema)
  .filter((table) => table instanceof SQLiteTable)
  .map((table) => getTableConfig(table));

describe("the drizzle schema says what the migrations made", () => {
  it.each(tables)("$name: every column with its type and nullability", async (table) => {
    const { results } = await env.DB.prepare('SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)')
      .bind(table.name)
      .all<Column>();
    const declared = table.columns.map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      required: column.notNull || column.primary,
    }));
    const made = results.map(({ name, type, notnull, pk }) => ({
      name,
      type: type.replace(/ GENERATED ALWAYS$/, ""),
      required: notnull === 1 || pk === 1,
    }));
    expect(declared).toEqual(made);
  });
});

it("the catalogue and the database agree on the digits of every currency", async () => {
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
