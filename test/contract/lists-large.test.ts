import { env } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { metered } from "../support/metered.ts";
import { call, post } from "../support/partner.ts";
import { makeStudio, type Studio } from "../support/review.ts";

const smallLines = [{ description: "Concept", quantity: 1, unit_price: 1 }];
/** All the text that an invoice may have, in characters that JSON writes with six. */
const largeLines = Array(200).fill({ ...smallLines[0], description: `a${"\u0001".repeat(54)}z` });

async function makeInvoice({ clientId, ...studio }: Studio, line_items: object[]): Promise<string> {
  const answer = await post(studio as Studio, "/api-v1/invoices", { client_id: clientId, line_items });
  expect(answer.status).toBe(201);
  return (await answer.json<{ id: string }>()).id;
}

const columnsOf = async (table: string, changed: readonly string[]): Promise<string> => {
  const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info(?)")
    .bind(table)
    .all<{ name: string }>();
  return results.flatMap(({ name }) => (changed.includes(name) ? [] : [name])).join(", ");
};

/** The same invoice so many times more, by plain SQL. */
async function copyInvoice(id: string, times: number): Promise<void> {
  const invoice = await columnsOf("invoices", ["id", "request_fingerprint"]);
  const line = await columnsOf("invoice_line_items", ["id", "invoice_id"]);
  const numbers = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)";
  const copyId = "printf('%08d', n) || substr(?1, 9)";
  await env.DB.batch(
    [
      `${numbers} INSERT INTO invoices (id, ${invoice}) SELECT ${copyId}, ${invoice} FROM invoices, n WHERE id = ?1`,
      `${numbers} INSERT INTO invoice_line_items (id, invoice_id, ${line})
         SELECT printf('%08d', n) || substr(id, 9), ${copyId}, ${line}
         FROM invoice_line_items, n WHERE invoice_id = ?1`,
    ].map((text) => env.DB.prepare(text).bind(id, times)),
  );
}

const megabyte = 1024 * 1024;

/** Every page, with the bytes of its answer and of what D1 handed over for it. */
async function pagesOf(studio: Studio, limit: number) {
  const pages: { ids: string[]; bytes: number; readBytes: number }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = `?limit=${limit}${cursor && `&cursor=${cursor}`}`;
    const { answer, largestBytes } = await metered(() => call(studio, `/api-v1/invoices${query}`));
    const text = await answer.text();
    expect(answer.status).toBe(200);
    const { data, next_cursor } = JSON.parse(text) as { data: { id: string }[]; next_cursor: string | null };
    pages.push({ ids: data.map(({ id }) => id), bytes: Buffer.byteLength(text), readBytes: largestBytes });
    cursor = next_cursor;
  }
  return pages;
}

it("a page is bounded by bytes, read and answered, and no record is lost or comes twice", async () => {
  const studio = await makeStudio();
  await makeInvoice(studio, smallLines);
  await copyInvoice(await makeInvoice(studio, largeLines), 75);
  await makeInvoice(studio, smallLines);
  await makeInvoice(studio, largeLines);
  await makeInvoice(studio, smallLines);
  const { results } = await env.DB.prepare(
    "SELECT id FROM invoices WHERE organization_id = ? ORDER BY updated_at, id",
  )
    .bind(studio.organizationId)
    .all<{ id: string }>();
  const ids = results.map(({ id }) => id);
  expect(ids).toHaveLength(80);
  for (const limit of [50, 51, 200]) {
    const pages = await pagesOf(studio, limit);
    expect([limit, pages.flatMap((page) => page.ids)]).toEqual([limit, ids]);
    for (const { bytes, readBytes } of pages) {
      expect(bytes).toBeLessThan(4 * megabyte + 200);
      expect(readBytes).toBeLessThan(7 * megabyte);
    }
  }
});
