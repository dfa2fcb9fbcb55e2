import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { metered } from "../support/metered.ts";
import { post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, successOf, writeRoutes } from "../support/requests.ts";
import { type Collection, seed } from "../support/seed.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const collections: Collection[] = ["clients", "projects", "time-entries", "invoices", "deliverables"];

async function rowsOf(
  work: () => Promise<Response>,
): Promise<{ status: number; read: number; written: number }> {
  const { answer, read, written } = await metered(work);
  return { status: answer.status, read, written };
}

const rowsOfLarge = 5_000;

/** Looking up a missing row also counts the next row, if there is one. The total varies with the ids. */
const neighborRows = { more: 4, less: 8 };

let large: Workspace;
beforeAll(async () => {
  large = await makeWorkspace();
  const records = await makeRecords(large);
  for (const collection of collections) await seed(collection, large, records, 1, rowsOfLarge);
});

describe.each(writeRoutes)("$name", ({ route }) => {
  it("reads and writes as many rows in a large organization as in a new one", async () => {
    const small = await makeWorkspace();
    const records = [await makeRecords(small), await makeRecords(large)] as const;
    const key = crypto.randomUUID();
    const inSmall = await rowsOf(() => ask(route, small, { key }, records[0]));
    const inLarge = await rowsOf(() => ask(route, large, { key }, records[1]));
    expect(inSmall.status).toBe(successOf(route));
    expect([inLarge.status, inLarge.written]).toEqual([inSmall.status, inSmall.written]);
    expect(inLarge.read).toBeLessThanOrEqual(inSmall.read + neighborRows.more);
    expect(inLarge.read).toBeGreaterThanOrEqual(inSmall.read - neighborRows.less);
    expect(inSmall.read).toBeLessThan(100);
    if (route.kind !== "write" || !route.idempotent) return;
    expect(await rowsOf(() => ask(route, small, { key }, records[0]))).toMatchObject({
      status: 200,
      written: 0,
    });
  });
});

it("an invoice reads only the time entries that it bills", async () => {
  const workspace = large;
  const { client_id, project_id } = await makeRecords(workspace);
  await seed("time-entries", workspace, { client_id, project_id }, 1, 50);
  const { results } = await env.DB.prepare("SELECT id FROM time_entries WHERE client_id = ? LIMIT 50")
    .bind(client_id)
    .all<{ id: string }>();
  const line_items = results.map(({ id }) => ({
    description: "Time",
    quantity: 1,
    unit_price: 95,
    time_entry_id: id,
  }));
  const { status, read } = await rowsOf(() => post(workspace, "/api-v1/invoices", { client_id, line_items }));
  expect(status).toBe(201);
  expect(read).toBeLessThan(50 * 25);
});

/**
 * Bodies with every field that has a filter, and the number of rows that they write without and with the filters'
 * indexes.
 */
const creates = [
  ["clients", { company_name: "Acme", email: "mara@acme.example", external_id: "crm-1" }, 11, 14],
  ["projects", { name: "Website", external_id: "crm-1" }, 9, 12],
  ["time-entries", { hours: 1, spent_date: "2026-01-31" }, 8, 10],
  [
    "invoices",
    { external_id: "crm-1", line_items: [{ description: "Concept", quantity: 1, unit_price: 1 }] },
    14,
    17,
  ],
  ["deliverables", { title: "Logo", embed_url: "https://example.com/" }, 15, 17],
] as const;

it.each(creates)(
  "the filter indexes of %s write at most three rows",
  async (path, fields, before, written) => {
    const workspace = await makeWorkspace();
    const { client_id, project_id } = await makeRecords(workspace);
    const body = {
      ...fields,
      ...(path !== "clients" && path !== "time-entries" && { client_id }),
      ...(path !== "clients" && path !== "projects" && { project_id }),
    };
    const made = await rowsOf(() => post(workspace, `/api-v1/${path}`, body));
    expect([made.status, made.written]).toEqual([201, written]);
    expect(written - before).toBeLessThanOrEqual(3);
  },
);
