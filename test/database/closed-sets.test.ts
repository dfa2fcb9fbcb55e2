import { getTableConfig } from "drizzle-orm/sqlite-core";
import { beforeAll, describe, expect, it } from "vitest";
import { difference } from "../../scripts/migration/difference.ts";
import { tables } from "../../src/database.ts";
import { closedSets, setsOf } from "../../src/db/table-rules.ts";
import { sql } from "../support/filled-workspace.ts";
import { makeWholeWorkspace } from "../support/whole-workspace.ts";

const sets = tables.flatMap((table) =>
  Object.entries(setsOf(table)).map(([column, values]) => ({
    set: `${getTableConfig(table).name}.${column}`,
    table,
    column,
    values,
  })),
);

describe("a migration can add a value to a closed set, even if the table has rows [K3]", () => {
  beforeAll(async () => {
    await makeWholeWorkspace();
    // Drops all other guards, such as those on statuses, to test only the closed sets.
    const others = await sql<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name NOT LIKE '%_closed_sets%'",
    );
    for (const { name } of others) await sql(`DROP TRIGGER ${name}`);
    await sql(
      "INSERT INTO mail_events (message_id, kind, at) VALUES ('of no mail', 'bounced', '2026-01-31')",
    );
  });

  const setsSoFar = new Map<string, ReturnType<typeof setsOf>>();

  it.each(sets)("$set", async ({ table, column, values }) => {
    const { name, columns, primaryKeys } = getTableConfig(table);
    const key = (columns.find(({ primary }) => primary) ?? primaryKeys[0]?.columns[0])?.name;
    const rows = await sql(`SELECT ${column} FROM ${name}`);
    expect(rows).not.toEqual([]);
    const grow = () =>
      sql(`UPDATE ${name} SET ${column} = 'grown' WHERE ${key} = (SELECT min(${key}) FROM ${name})`);
    await expect(grow()).rejects.toThrow("value_not_in_set: SQLITE_CONSTRAINT");
    const present = setsSoFar.get(name) ?? setsOf(table);
    const wider = { ...present, [column]: [...values, "grown"] };
    for (const line of difference(closedSets(table, present), closedSets(table, wider))) await sql(line);
    setsSoFar.set(name, wider);
    await grow();
    expect(await sql(`SELECT ${column} FROM ${name}`)).toHaveLength(rows.length);
    await expect(sql(`UPDATE ${name} SET ${column} = 'shrunk'`)).rejects.toThrow("value_not_in_set");
  });
});
