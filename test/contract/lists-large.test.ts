import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { metered } from "../support/metered.ts";
import { call, post } from "../support/partner.ts";
import { makeStudio, type Studio } from "../support/review.ts";

/** An invoice with all the text that it may have, in characters that JSON writes with six. */
const largeLines = Array(200).fill({ description: `a${"\u0001".repeat(54)}z`, quantity: 1, unit_price: 1 });
const smallLines = [{ description: "Concept", quantity: 1, unit_price: 1 }];

async function makeInvoices(studio: Studio, sizes: readonly ("large" | "small")[]): Promise<string[]> {
  const ids: string[] = [];
  for (const size of sizes) {
    const body = { client_id: studio.clientId, line_items: size === "large" ? largeLines : smallLines };
    const answer = await post(studio, "/api-v1/invoices", body);
    expect(answer.status).toBe(201);
    ids.push((await answer.json<{ id: string }>()).id);
  }
  return ids;
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
  const large = (count: number) => Array(count).fill("large") as "large"[];
  const ids = await makeInvoices(studio, ["small", "small", ...large(75), "small", ...large(2), "small"]);
  for (const limit of [50, 51, 200]) {
    const pages = await pagesOf(studio, limit);
    expect(
      pages.flatMap((page) => page.ids),
      `limit ${limit}`,
    ).toEqual(ids);
    for (const { bytes, readBytes } of pages) {
      expect(bytes).toBeLessThan(4 * megabyte + 200);
      expect(readBytes).toBeLessThan(7 * megabyte);
    }
  }
});
