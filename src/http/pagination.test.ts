import { describe, expect, it } from "vitest";
import { limits } from "../contract/limits.ts";
import { cursorAt, cursorFits, pageBy } from "./pagination.ts";

const list = { route: "/api-v1/invoices", organizationId: "a", cursorKeys: ["key"] };
/** A record whose JSON has this many bytes. */
const ofBytes = (bytes: number) => `漢${"x".repeat(bytes - '"漢"'.length - 2)}`;
const page = (records: string[], of: Partial<typeof list & { mayBeLarge: boolean }> = {}, limit = 2) => {
  const found = pageBy(records, { limit }, { ...list, ...of }, (record) => String(record.length));
  if (!("data" in found)) throw new Error("refused");
  return [found.data.length, found.next_cursor !== null];
};

describe("a page of records that may be large", () => {
  const most = limits.pageBytes;
  it.each([
    ["includes a record that fits exactly", [most - 10, 10], [2, false]],
    ["ends before a record that does not fit", [most - 10, 11], [1, true]],
    ["has at least one record", [most + 1, 10], [1, true]],
    ["has at most the requested number of records", [10, 10, 10], [2, true]],
  ])("%s", (_, sizes, expected) => {
    expect(page(sizes.map(ofBytes), { mayBeLarge: true })).toEqual(expected);
  });

  it("is limited to 4 MB, unlike a page of small records", () => {
    expect(most).toBe(4_194_304);
    expect(page([ofBytes(most), ofBytes(10)])).toEqual([2, false]);
  });
});

it("a cursor is valid with its filters in any order, even if an earlier deployment issued it", () => {
  const cursor = cursorAt(list, { limit: 2, ...{ client_id: "c", status: "open" } }, "position");
  expect(cursorFits(list, { limit: 2, cursor, ...{ status: "open", client_id: "c" } })).toBe(true);
  expect(cursorFits(list, { limit: 2, cursor, ...{ status: "paid", client_id: "c" } })).toBe(false);
});
