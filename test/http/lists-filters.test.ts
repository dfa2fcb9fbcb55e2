import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { PageParameters } from "../../src/http/pagination.ts";
import { metered } from "../support/metered.ts";
import { call, post } from "../support/partner.ts";
import { makeRecords, type Records } from "../support/records.ts";
import { listRoutes } from "../support/requests.ts";
import { type Collection, seed, tableOf } from "../support/seed.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

/**
 * The rows that a page reads in addition to its `limit` records: the next page's first row, two for the token, the
 * organization and the plan.
 */
const constantRows = 6;
const manyRows = 5_000;
const otherKind = 500;

// An isolate's first request also reads the list of migrations.
beforeAll(async () => {
  await call(await makeWorkspace(), "/api-v1/token");
});

interface Page {
  data: Record<string, unknown>[];
  next_cursor: string | null;
}

async function pageOf(workspace: Workspace, path: string): Promise<Page & { rows: number }> {
  const { answer, read } = await metered(() => call(workspace, path));
  return { ...(await answer.json<Page>()), rows: read };
}

const isTextOrId = (schema: unknown): boolean => {
  const given = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return given instanceof z.ZodString && given.meta()?.format !== "date";
};

const lists = listRoutes.flatMap(({ route: { path, query } }) =>
  Object.entries(query?.shape ?? {})
    .filter(([name, schema]) => !(name in PageParameters.shape) && name !== "number" && isTextOrId(schema))
    .map(([filter]) => ({ path, collection: path.split("/")[2] as Collection, filter })),
);

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

/** The ids of other records, for the rows that a filter must find. */
async function makeOthers(workspace: Workspace): Promise<Record<string, string>> {
  const { organizationId } = workspace;
  const other: Records = await makeRecords(workspace);
  const member = crypto.randomUUID();
  await sql(
    "INSERT INTO members (id, organization_id, email, role) VALUES (?, ?, 'other@example.com', 'member')",
    member,
    organizationId,
  );
  return {
    client_id: other.client_id,
    project_id: other.project_id,
    user_id: member,
    external_id: "crm-4711",
    email: "mara@northwind.example",
  };
}

const everyNth = (table: string, n: number) =>
  `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY updated_at) AS place
     FROM ${table} WHERE organization_id = ?2 AND updated_at < '2026-02-01')
   WHERE place % ${n} = 0`;

/** Every 40th seeded row belongs to the other record. */
async function fill(workspace: Workspace, collection: Collection, filter: string): Promise<string> {
  const others = await makeOthers(workspace);
  const records = await makeRecords(workspace);
  await seed(collection, workspace, records, 1, manyRows);
  const value = others[filter] ?? "a rare value";
  const set = {
    client_id: `client_id = ?1${collection === "time-entries" ? `, project_id = '${others.project_id}'` : ""}`,
    project_id: `project_id = ?1, client_id = '${others.client_id}'`,
  }[filter];
  const table = tableOf(collection);
  await sql(
    `UPDATE ${table} SET ${set ?? `${filter} = ?1`}, updated_at = substr(updated_at, 1, 19) || '.500Z'
     WHERE organization_id = ?2 AND updated_at < '2026-02-01' AND id IN (${everyNth(table, manyRows / otherKind)})`,
    value,
    workspace.organizationId,
  );
  return value;
}

describe.each(lists)("$path?$filter", ({ path, collection, filter }) => {
  it("returns exactly the matching records, with limit + 6 rows read per page at any depth [L8, L9]", async () => {
    const workspace = await makeWorkspace();
    const value = await fill(workspace, collection, filter);
    const children = ["projects", "invoices"].includes(collection);
    for (const limit of [1, 50, 200]) {
      const query = `${path}?${filter}=${encodeURIComponent(value)}&limit=${limit}`;
      let cursor: string | null = "";
      let found = 0;
      while (cursor !== null && (limit > 1 || found < 5)) {
        const page: Page & { rows: number } = await pageOf(
          workspace,
          `${query}${cursor && `&cursor=${cursor}`}`,
        );
        expect(page.data.every((record) => record[filter] === value)).toBe(true);
        // Projects and invoices have children, which cost one lookup per record.
        expect(page.rows).toBeLessThanOrEqual(limit + constantRows + (children ? limit + 1 : 0));
        found += page.data.length;
        cursor = page.next_cursor;
      }
      if (limit > 1) expect(found).toBeGreaterThanOrEqual(otherKind);
      if (limit > 1) expect(found).toBeLessThanOrEqual(otherKind + 2);
    }
  });
});

it("an invoice can be found by its number", async () => {
  const workspace = await makeWorkspace();
  const { invoice_id } = await makeRecords(workspace);
  await seed("invoices", workspace, await makeRecords(workspace), 1, manyRows);
  await sql(
    `INSERT INTO invoice_line_items (id, organization_id, invoice_id, position, description, quantity,
      unit_price_minor, amount_minor)
     VALUES (?1, ?2, ?1, 0, 'Concept', 1, 1000, 1000)`,
    invoice_id,
    workspace.organizationId,
  );
  await sql("UPDATE invoices SET status = 'open' WHERE id = ?", invoice_id);
  const { data, rows } = await pageOf(workspace, "/api-v1/invoices?number=INV-0001");
  expect(data.map(({ id }) => id)).toEqual([invoice_id]);
  expect(rows).toBeLessThanOrEqual(50 + constantRows);
});

describe("a page filtered by a rare status", () => {
  it.each([["clients", "status=archived", "status = 'archived'"]] as const)(
    "reads limit + 6 rows for a list of any size: %s?%s",
    async (collection, query, set) => {
      const workspace = await makeWorkspace();
      await seed(collection, workspace, await makeRecords(workspace), 1, manyRows);
      await sql(
        `UPDATE ${tableOf(collection)} SET ${set}, updated_at = '2026-06-01T00:00:00.000Z'
       WHERE organization_id = ?1 AND id IN (SELECT id FROM (
         SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${tableOf(collection)} WHERE organization_id = ?1
       ) WHERE n % 1000 = 0)`,
        workspace.organizationId,
      );
      const page = await pageOf(workspace, `/api-v1/${collection}?${query}`);
      expect(page.data.length).toBeGreaterThan(0);
      expect(page.rows).toBeLessThanOrEqual(50 + constantRows);
    },
  );
});

describe("time entries in a date range", () => {
  it("include the first and last day, without reading rows outside the range [L8, N11]", async () => {
    const workspace = await makeWorkspace();
    await seed("time-entries", workspace, await makeRecords(workspace), 1, 12_000);
    await sql(
      `UPDATE time_entries SET spent_date = date('2020-01-01', (placed.place / 4) || ' days'), updated_at = updated_at
       FROM (SELECT id, row_number() OVER (ORDER BY updated_at, id) AS place FROM time_entries
         WHERE organization_id = ?1) AS placed
       WHERE time_entries.organization_id = ?1 AND time_entries.id = placed.id`,
      workspace.organizationId,
    );
    const found: unknown[] = [];
    let [cursor, pages]: [string | null, number] = ["", 0];
    while (cursor !== null) {
      const query: string = `/api-v1/time-entries?from=2028-01-31&to=2028-02-02${cursor && `&cursor=${cursor}`}`;
      const page: Page & { rows: number } = await pageOf(workspace, query);
      // The scanned index entries, as many skipped ones, and the page's rows.
      expect(page.rows).toBeLessThanOrEqual(20_000 + 2 * 50 + constantRows);
      found.push(...page.data.map((entry) => entry.spent_date));
      cursor = page.next_cursor;
      pages += 1;
    }
    const days = ["2028-01-31", "2028-02-01", "2028-02-02"];
    expect([found.toSorted(), pages]).toEqual([days.flatMap((day) => [day, day, day, day]), 2]);
    expect((await pageOf(workspace, "/api-v1/time-entries?from=2028-02-01&to=2028-01-31")).data).toEqual([]);
  });
});

describe("sample data", () => {
  it("can be selected or excluded in lists of clients, projects and deliverables [L8]", async () => {
    const workspace = await makeWorkspace();
    const { client_id } = await makeRecords(workspace);
    const sample = await makeRecords(workspace);
    await sql("UPDATE clients SET is_sample = 1 WHERE id = ?", sample.client_id);
    await sql(
      "UPDATE deliverables SET is_sample = 1 WHERE client_id = ? AND review_state = 'draft'",
      sample.client_id,
    );
    const found = async (query: string) =>
      (await pageOf(workspace, `/api-v1/${query}`)).data.map((record) => record.client_id ?? record.id);
    const ofSample = sample.client_id;
    expect([await found("clients?is_sample=true"), await found("clients?is_sample=false")]).toEqual([
      [ofSample],
      [client_id],
    ]);
    expect([await found("projects?is_sample=true"), await found("projects?is_sample=false")]).toEqual([
      [ofSample],
      [client_id],
    ]);
    expect(await found("deliverables?is_sample=true")).toEqual([ofSample]);
    expect(await found("deliverables?is_sample=false")).toEqual([client_id, client_id, ofSample]);
  });
});

describe("a page with two filters", () => {
  it("ends after 2,000 scanned rows, with a cursor for the rest [N11]", async () => {
    const workspace = await makeWorkspace();
    const { organizationId } = workspace;
    await seed("clients", workspace, await makeRecords(workspace), 1, manyRows);
    await sql("UPDATE clients SET email = 'a@b.example' WHERE organization_id = ?", organizationId);
    const id = await env.DB.prepare(
      "SELECT id FROM clients WHERE organization_id = ? ORDER BY updated_at, id LIMIT 1 OFFSET 4321",
    )
      .bind(organizationId)
      .first("id");
    await sql("UPDATE clients SET status = 'archived', updated_at = updated_at WHERE id = ?", id);
    const found: unknown[] = [];
    let [cursor, pages]: [string | null, number] = ["", 0];
    while (cursor !== null) {
      const query: string = `/api-v1/clients?status=archived&email=a@b.example${cursor && `&cursor=${cursor}`}`;
      const page: Page & { rows: number } = await pageOf(workspace, query);
      expect(page.rows).toBeLessThanOrEqual(2_000 + 50 + constantRows);
      found.push(...page.data.map((record) => record.id));
      cursor = page.next_cursor;
      pages += 1;
    }
    expect([found, pages]).toEqual([[id], 6]);
    const dense = await pageOf(workspace, "/api-v1/clients?status=active&email=a@b.example");
    expect(dense.data).toHaveLength(50);
    expect(dense.rows).toBeLessThanOrEqual(50 + constantRows);
  });
});

describe("filters", () => {
  it("combine with updated_since and with each other", async () => {
    const workspace = await makeWorkspace();
    const { client_id, project_id, time_entry_id } = await makeRecords(workspace);
    const { data: all } = await pageOf(workspace, `/api-v1/time-entries?project_id=${project_id}`);
    expect(all).toHaveLength(1);
    const found = async (query: string) =>
      (await pageOf(workspace, `/api-v1/time-entries?${query}`)).data.length;
    const both = `project_id=${project_id}&client_id=${client_id}`;
    expect(await found(both)).toBe(1);
    expect(await found(`${both}&user_id=${workspace.ownerId}&invoiced=false`)).toBe(1);
    expect(await found(`${both}&invoiced=true`)).toBe(0);
    expect(await found(`${both}&user_id=${client_id}`)).toBe(0);
    expect(await found(`${both}&updated_since=2999-01-01T00:00:00Z`)).toBe(0);
    const line = { description: "Work", quantity: 1, unit_price: 1, time_entry_id };
    await post(workspace, "/api-v1/invoices", { client_id, line_items: [line] });
    expect([await found(`${both}&invoiced=false`), await found(`${both}&invoiced=true`)]).toEqual([0, 1]);
  });

  it.each([
    ["/api-v1/clients?status=active", 1],
    ["/api-v1/clients?status=archived", 0],
    ["/api-v1/projects?status=active", 1],
    ["/api-v1/projects?status=completed", 0],
    ["/api-v1/invoices?status=draft", 1],
    ["/api-v1/invoices?status=paid", 0],
    ["/api-v1/deliverables?review_state=draft", 1],
    ["/api-v1/deliverables?review_state=approved", 1],
    ["/api-v1/clients?email=MARA@acme.example", 0],
    ["/api-v1/clients?email=mara@acme.example", 1],
    ["/api-v1/clients?is_sample=true", 0],
    ["/api-v1/clients?is_sample=false", 1],
    ["/api-v1/projects?is_sample=true", 0],
    ["/api-v1/projects?is_sample=false", 1],
    ["/api-v1/deliverables?is_sample=true", 0],
    ["/api-v1/deliverables?is_sample=false", 2],
  ])("%s finds %i", async (path, count) => {
    const workspace = await makeWorkspace();
    await makeRecords(workspace);
    expect((await pageOf(workspace, path)).data).toHaveLength(count);
  });

  it.each([
    ["/api-v1/clients?status=gone", "status must be one of active, archived"],
    ["/api-v1/time-entries?invoiced=yes", "invoiced must be one of true, false"],
    ["/api-v1/time-entries?user_id=me", "user_id must be a UUID"],
    ["/api-v1/time-entries?from=2026-02-30", "from must be a calendar day like 2026-01-31"],
    ["/api-v1/projects?is_sample=1", "is_sample must be one of true, false"],
    ["/api-v1/projects?number=1", "number is not a known field"],
    ["/api-v1/clients?external_id=", "external_id must have at least 1 character"],
  ])("%s is rejected", async (path, error) => {
    const answer = await call(await makeWorkspace(), path);
    expect([answer.status, await answer.json()]).toEqual([400, { error }]);
  });

  it("accept the longest value that the field may contain", async () => {
    const workspace = await makeWorkspace();
    const label = "b".repeat(63);
    const longest = {
      external_id: "😀".repeat(200),
      email: `${"a".repeat(61)}@${label}.${label}.${"c".repeat(61)}.co`,
    };
    expect(longest.email).toHaveLength(254);
    expect((await post(workspace, "/api-v1/clients", { client_name: "Mara", ...longest })).status).toBe(201);
    for (const [name, value] of Object.entries(longest)) {
      const { data } = await pageOf(workspace, `/api-v1/clients?${name}=${encodeURIComponent(value)}`);
      expect([name, data.length]).toEqual([name, 1]);
    }
  });

  it("must stay the same when a cursor is used", async () => {
    const workspace = await makeWorkspace();
    await seed("clients", workspace, await makeRecords(workspace), 1, 5);
    const { next_cursor } = await pageOf(workspace, "/api-v1/clients?status=active&limit=2");
    for (const query of ["", "status=archived&", "status=active&email=a@b.example&"]) {
      const answer = await call(workspace, `/api-v1/clients?${query}cursor=${next_cursor}`);
      expect([query, answer.status]).toEqual([query, 400]);
    }
    expect(
      (await pageOf(workspace, `/api-v1/clients?status=active&cursor=${next_cursor}`)).data,
    ).toHaveLength(4);
  });
});
