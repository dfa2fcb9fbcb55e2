import { env } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { metered } from "../support/metered.ts";
import { call, post } from "../support/partner.ts";
import { makeDeliverable, makeStudio, type Studio } from "../support/review.ts";

const sql = <T>(text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .all<T>();

async function make(studio: Studio, path: string, body: object): Promise<string> {
  const answer = await post(studio, path, body);
  expect(answer.status).toBe(201);
  return (await answer.json<{ id: string }>()).id;
}

const numbers = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)";

async function copy(
  id: string,
  times: number,
  table: string,
  children: string,
  parent: string,
): Promise<void> {
  const columnsOf = async (of: string) => {
    const changed = ["id", parent];
    const { results } = await sql<{ name: string }>("SELECT name FROM pragma_table_info(?)", of);
    return results.flatMap(({ name }) => (changed.includes(name) ? [] : [name])).join(", ");
  };
  const [own, theirs] = [await columnsOf(table), await columnsOf(children)];
  const copyOf = (column: string) => `printf('%08d', n) || substr(${column}, 9)`;
  await sql(
    `${numbers} INSERT INTO ${table} (id, ${own}) SELECT ${copyOf("id")}, ${own} FROM ${table}, n WHERE id = ?1`,
    id,
    times,
  );
  await sql(
    `${numbers} INSERT INTO ${children} (id, ${parent}, ${theirs})
     SELECT ${copyOf("id")}, ${copyOf(parent)}, ${theirs} FROM ${children}, n WHERE ${parent} = ?1`,
    id,
    times,
  );
}

/** Creates `times` invoices with `lines` line items each, surrounded by small invoices. Returns the list's path. */
async function invoices(studio: Studio, times: number, lines: number, description: string): Promise<string> {
  const line = { description: "Concept", quantity: 1, unit_price: 1 };
  const one = { client_id: studio.clientId, line_items: [line] };
  await make(studio, "/api-v1/invoices", one);
  const line_items = Array(lines).fill({ ...line, description });
  const large = await make(studio, "/api-v1/invoices", { ...one, line_items });
  await copy(large, times, "invoices", "invoice_line_items", "invoice_id");
  await make(studio, "/api-v1/invoices", one);
  await make(studio, "/api-v1/invoices", { ...one, line_items });
  await make(studio, "/api-v1/invoices", one);
  return "/api-v1/invoices";
}

async function projects(studio: Studio): Promise<string> {
  const milestones = Array(100).fill({ name: "漢".repeat(200) });
  const body = { client_id: studio.clientId, name: "Relaunch", description: "漢".repeat(5000) };
  const large = await make(studio, "/api-v1/projects", { ...body, milestones });
  await copy(large, 75, "projects", "milestones", "project_id");
  return "/api-v1/projects";
}

async function feedback(studio: Studio): Promise<string> {
  const id = await makeDeliverable(studio);
  await sql(
    `${numbers} INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name)
     SELECT printf('%08d-0000-4000-8000-000000000000', n), organization_id, id, 1, 'comment',
       'a' || replace(hex(zeroblob(2499)), '0', char(1)) || 'z', 'Nora'
     FROM deliverables, n WHERE id = ?1`,
    id,
    201,
  );
  return `/api-v1/deliverables/${id}/feedback`;
}

async function versions(studio: Studio): Promise<string> {
  const id = await makeDeliverable(studio);
  await sql(
    `${numbers} INSERT INTO deliverable_versions (id, organization_id, deliverable_id, version_number, title, note,
       embed_url, previous_hash, hash, created_by, created_at)
     SELECT printf('%08d-0000-4000-8000-000000000000', n), organization_id, deliverable_id, n + 1, title,
       'a' || replace(hex(zeroblob(999)), '0', char(1)) || 'z', 'https://e.example/' || hex(zeroblob(8000)),
       iif(n = 1, hash, printf('%064x', n - 1)), printf('%064x', n), created_by, created_at
     FROM deliverable_versions, n WHERE deliverable_id = ?1 AND version_number = 1`,
    id,
    201,
  );
  return `/api-v1/deliverables/${id}/versions`;
}

const megabyte = 1024 * 1024;

async function pagesOf(studio: Studio, path: string, limit: number) {
  const pages: { ids: string[]; bytes: number; readBytes: number }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = `?limit=${limit}${cursor && `&cursor=${cursor}`}`;
    const { answer, largestBytes } = await metered(() => call(studio, path + query));
    const text = await answer.text();
    expect(answer.status).toBe(200);
    const { data, next_cursor } = JSON.parse(text) as { data: { id: string }[]; next_cursor: string | null };
    pages.push({ ids: data.map(({ id }) => id), bytes: Buffer.byteLength(text), readBytes: largestBytes });
    cursor = next_cursor;
  }
  return pages;
}

it.each<[string, number, (studio: Studio) => Promise<string>]>([
  [
    "invoices with the longest possible text fields",
    80,
    (s) => invoices(s, 75, 200, `a${"漢".repeat(108)}z`),
  ],
  ["invoices with many bytes in few characters", 165, (s) => invoices(s, 160, 15, "漢".repeat(1000))],
  ["projects", 77, projects],
  ["feedback", 201, feedback],
  ["versions", 202, versions],
])("pages of limited size return each record exactly once: %s [L10]", async (_, count, fill) => {
  const studio = await makeStudio();
  const path = await fill(studio);
  const read = [];
  for (const limit of [75, 200]) {
    const pages = await pagesOf(studio, path, limit);
    const ids = pages.flatMap((page) => page.ids);
    expect([limit, ids.length, new Set(ids).size]).toEqual([limit, count, count]);
    read.push(ids);
    for (const { bytes, readBytes } of pages) {
      expect(bytes).toBeLessThan(4 * megabyte + 200);
      expect(readBytes).toBeLessThan(7 * megabyte);
    }
  }
  expect(read[0]).toEqual(read[1]);
});
