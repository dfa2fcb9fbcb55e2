import { describe, expect, it, vi } from "vitest";
import { migrations } from "../../src/db/migrations.ts";
import { sql } from "../support/filled-workspace.ts";
import { call, post } from "../support/partner.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** side-by-side.test.ts covers the schema check on an isolate's first request. */
describe("a request that needs a missing table or column", () => {
  const newest = String(migrations.at(-1));

  /** Hides a table or column while requests are sent, and returns the logged errors. */
  async function without<T>(hide: string, bringBack: string, ask: () => Promise<T>): Promise<[T, string]> {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await sql(hide);
    const answer = await ask().finally(() => sql(bringBack));
    const lines = log.mock.calls.map(([line]) => String(line)).join("\n");
    log.mockRestore();
    return [answer, lines];
  }

  const forget = `DELETE FROM d1_migrations WHERE name = '${newest}'`;
  const remember = `INSERT INTO d1_migrations (name) VALUES ('${newest}')`;

  it.each([
    ["clients", "clients_elsewhere"],
    ["clients RENAME COLUMN external_id", "external_id_elsewhere"],
  ])("returns 503 with Retry-After and logs the missing migration: %s [B6]", async (what, name) => {
    const workspace = await makeWorkspace();
    const [table, column] = what.split(" RENAME COLUMN ");
    const rename = (from: string, to: string) =>
      column ? `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}` : `ALTER TABLE ${from} RENAME TO ${to}`;
    await sql(forget);
    const [answers, lines] = await without(rename(column ?? what, name), rename(name, column ?? what), () =>
      // SQLite treats an unknown quoted name as a string, so only writes fail if a column is missing.
      Promise.all([
        ...(column ? [] : [call(workspace, "/api-v1/clients")]),
        post(workspace, "/api-v1/clients", { client_name: "Nora" }),
      ]),
    ).finally(() => sql(remember));
    for (const { status, headers } of answers)
      expect([status, headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(lines).toContain(`the database lacks the migration ${newest}`);
    expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
  });

  it("returns 503 and logs the missing part even if every migration is recorded [B6]", async () => {
    const workspace = await makeWorkspace();
    const [{ status }, lines] = await without(
      "ALTER TABLE clients RENAME TO clients_elsewhere",
      "ALTER TABLE clients_elsewhere RENAME TO clients",
      () => call(workspace, "/api-v1/clients"),
    );
    expect([status, lines]).toEqual([503, expect.stringContaining("no such table: clients")]);
  });
});
