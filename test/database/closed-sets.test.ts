import { getTableConfig } from "drizzle-orm/sqlite-core";
import { beforeAll, describe, expect, it } from "vitest";
import { difference } from "../../scripts/migration/difference.ts";
import { tables } from "../../src/database.ts";
import { closedSets, setsOf } from "../../src/db/table-rules.ts";
import { makeFilledWorkspace, sql } from "../support/filled-workspace.ts";
import { makers } from "../support/makers.ts";

const sets = tables.flatMap((table) =>
  Object.entries(setsOf(table)).map(([column, values]) => ({
    set: `${getTableConfig(table).name}.${column}`,
    table,
    column,
    values,
  })),
);

/** A row of every table that has a closed set. */
async function fill() {
  const here = await makeFilledWorkspace();
  await here.endpoint();
  for (const make of Object.values(makers)) await make(here);
  await here.own("milestones", { project_id: here.projectId, name: "Start", position: 0 });
  await here.own("invitations", {
    email: "x@example.com",
    role: "member",
    token_hash: "x",
    created_by: here.ownerId,
    expires_at: "2999-01-01T00:00:00.000Z",
  });
  const deliverable_id = await here.deliverable();
  const expires_at = "2999-01-01T00:00:00.000Z";
  await here.own("feedback", {
    deliverable_id,
    version_number: 1,
    kind: "comment",
    body: "x",
    author_name: "Ada",
    attribution: "link_only",
  });
  await sql(
    `INSERT INTO review_keys (key_hash, organization_id, deliverable_id, email, attribution, expires_at)
      VALUES ('x', ?, ?, 'ada@example.com', 'mailed_link', ?)`,
    here.organizationId,
    deliverable_id,
    expires_at,
  );
  await here.own("scope_request_evidence", {
    client_id: here.clientId,
    content: "x",
    external_id: "x",
    created_by: here.ownerId,
    content_fingerprint: "x",
  });
  await here.own("processor_events", {
    type: "charge.refunded",
    kind: "refund",
    outcome: "ignored",
    occurred_at: "2026-01-31T09:30:00.000Z",
  });
}

describe("a closed set may grow by a migration, on a table with rows [K3]", () => {
  beforeAll(async () => {
    await fill();
    // Every other guard of the tables goes, so that only the sets judge: a status has its own way to go.
    const others = await sql<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name NOT LIKE '%_closed_sets%'",
    );
    for (const { name } of others) await sql(`DROP TRIGGER ${name}`);
  });

  const setsSoFar = new Map<string, ReturnType<typeof setsOf>>();

  it.each(sets)("$set", async ({ table, column, values }) => {
    const { name, columns } = getTableConfig(table);
    const key = columns.find(({ primary }) => primary)?.name;
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
