import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/partner.ts";
import { makeRecords, type Records } from "../support/records.ts";
import { listRoutes } from "../support/requests.ts";
import { type Collection, seed, tableOf } from "../support/seed.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

interface Page {
  data: { id: string; updated_at: string }[];
  next_cursor: string | null;
}

async function filled(
  collection: Collection,
  count: number,
): Promise<{ workspace: Workspace; records: Records }> {
  const workspace = await makeWorkspace();
  const records = await makeRecords(workspace, { withSignOff: false });
  await seed(collection, workspace, records, 1, count);
  // Moves the row from makeRecords to the end of the list.
  await env.DB.prepare(
    `UPDATE ${tableOf(collection)} SET updated_at = '2026-12-31T00:00:00.000Z' WHERE organization_id = ?
      AND updated_at > '2026-02-01'`,
  )
    .bind(workspace.organizationId)
    .run();
  return { workspace, records };
}

async function page(
  workspace: Workspace,
  path: string,
  query: Record<string, string | number> = {},
): Promise<Page> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const answer = await call(workspace, `${path}?${search}`);
  expect(answer.status).toBe(200);
  return answer.json<Page>();
}

/** Follows next_cursor to the end, running `between` after every page. */
async function everyPage(
  workspace: Workspace,
  path: string,
  query: Record<string, string | number> = {},
  between: (page: Page) => Promise<void> = async () => {},
): Promise<Page[]> {
  const pages = [await page(workspace, path, query)];
  for (;;) {
    const last = pages.at(-1) as Page;
    await between(last);
    if (last.next_cursor === null) return pages;
    pages.push(await page(workspace, path, { ...query, cursor: last.next_cursor }));
  }
}

const idsOf = (pages: Page[]) => pages.flatMap(({ data }) => data.map(({ id }) => id));

const refusedWith = async (workspace: Workspace, path: string, text: string) => {
  const answer = await call(workspace, path);
  expect([path, answer.status, await answer.json()]).toEqual([path, 400, { error: text }]);
};

const lists = listRoutes.map(({ name, route }) => ({
  name,
  path: route.path,
  collection: route.path.split("/")[2] as Collection,
}));

describe.each(lists)("$name", ({ path, collection }) => {
  it("returns 50 records by default and accepts a limit from 1 to 200 [L1]", async () => {
    const { workspace } = await filled(collection, 210);
    expect((await page(workspace, path)).data).toHaveLength(50);
    for (const limit of [1, 2, 199, 200]) {
      expect((await page(workspace, path, { limit })).data).toHaveLength(limit);
    }
    for (const limit of [
      "0",
      "201",
      "-1",
      "1.5",
      "1e2",
      "",
      "ten",
      " 5",
      "0x10",
      "1000",
      "005",
      "0200",
      "٥",
    ]) {
      await refusedWith(
        workspace,
        `${path}?limit=${encodeURIComponent(limit)}`,
        "limit must be an integer from 1 to 200",
      );
    }
  });

  it("is empty for a new organization, with next_cursor null", async () => {
    expect(await page(await makeWorkspace(), path)).toEqual({ data: [], next_cursor: null });
  });

  it("returns every record once, in ascending order of (updated_at, id) [L2]", async () => {
    const { workspace } = await filled(collection, 25);
    for (const limit of [1, 4, 13, 26, 200]) {
      const pages = await everyPage(workspace, path, { limit });
      const records = pages.flatMap(({ data }) => data);
      expect(records).toHaveLength(26);
      const keys = records.map(({ updated_at, id }) => `${updated_at} ${id}`);
      expect(keys).toEqual([...new Set(keys)].sort());
      expect(pages).toHaveLength(Math.ceil(26 / limit));
    }
  });

  it("accepts a different limit on each page", async () => {
    const { workspace } = await filled(collection, 9);
    const first = await page(workspace, path, { limit: 3 });
    const rest = await page(workspace, path, { limit: 200, cursor: first.next_cursor ?? "" });
    expect(new Set(idsOf([first, rest])).size).toBe(10);
  });

  it("never misses a record that exists throughout, even while rows change [L6]", async () => {
    const { workspace, records } = await filled(collection, 40);
    const existed = idsOf(await everyPage(workspace, path));
    let turn = 0;
    const pages = await everyPage(workspace, path, { limit: 5 }, async ({ data }) => {
      turn += 1;
      if (turn > 8) return;
      const [seen] = data;
      await env.DB.prepare(`UPDATE ${tableOf(collection)} SET updated_at = ?2 WHERE id = ?1`)
        .bind(seen?.id, `2026-02-0${turn}T00:00:00.000Z`)
        .run();
      await seed(collection, workspace, records, 100 + turn, 100 + turn);
    });
    const got = idsOf(pages);
    expect(existed.filter((id) => !got.includes(id))).toEqual([]);
    expect(got.length).toBeGreaterThan(new Set(got).size);
  });

  it("filters by updated_since, inclusive, with any ISO 8601 offset [L4]", async () => {
    const { workspace } = await filled(collection, 30);
    const since = async (text: string) => await everyPage(workspace, path, { updated_since: text, limit: 7 });
    const expected = idsOf(await since("2026-01-01T00:00:05.000Z"));
    expect(expected).toHaveLength(17);
    for (const same of [
      "2026-01-01T00:00:05Z",
      "2026-01-01T02:00:05+02:00",
      "2026-01-01T02:00:05+0200",
      "2026-01-01T02:00:05+02",
      "2025-12-31T18:30:05-05:30",
      "2026-01-01T00:00:05.000000Z",
      "2026-01-01T00:00:04.9999Z".replace("4.9999", "5.0"),
    ]) {
      expect([same, idsOf(await since(same))]).toEqual([same, expected]);
    }
    const first = await page(workspace, path, { updated_since: "2026-01-01T00:00:05.000Z", limit: 3 });
    expect(first.data.map(({ updated_at }) => updated_at)).toEqual(Array(3).fill("2026-01-01T00:00:05.000Z"));
    const two = await everyPage(workspace, path, { updated_since: "2026-01-01T00:00:05.000Z", limit: 2 });
    expect(idsOf(two)).toEqual(expected);
    expect(idsOf(await since("2026-01-01T00:00:05.001Z"))).toHaveLength(14);
    expect(await page(workspace, path, { updated_since: "2999-01-01T00:00:00Z" })).toEqual({
      data: [],
      next_cursor: null,
    });
  });

  it("rejects an updated_since that is not an ISO 8601 timestamp", async () => {
    const workspace = await makeWorkspace();
    for (const text of [
      "",
      "yesterday",
      "2026-02-30T00:00:00Z",
      "2026-01-01T25:00:00Z",
      "1767225600",
      "2026-01-01 00:00:00Z",
      "2026-01-01T00:00:00+99:00",
    ]) {
      await refusedWith(
        workspace,
        `${path}?updated_since=${encodeURIComponent(text)}`,
        "updated_since must be an ISO 8601 timestamp",
      );
    }
  });

  it("rejects a cursor that was altered or issued for another list, organization or filter [L3]", async () => {
    const wrong = "cursor is not valid for this list";
    const { workspace } = await filled(collection, 9);
    const { workspace: other } = await filled(collection, 9);
    const { next_cursor } = await page(workspace, path, { limit: 3 });
    const cursor = next_cursor ?? "";
    const at = (list: string, query: Record<string, string>) => `${list}?${new URLSearchParams(query)}`;
    const [position = "", signature = ""] = cursor.split(".");
    const forged = btoa("2026-01-01T00:00:00.000Z|00000000-0000-4000-8000-000000000000").replaceAll("=", "");
    for (const changed of [
      "",
      "x",
      position,
      `.${signature}`,
      `${position}.`,
      `${forged}.${signature}`,
      `A.${signature}`,
      `${btoa("\0|\0")}.${signature}`,
      `${position}.${signature.replace(/^./, (letter) => (letter === "A" ? "B" : "A"))}`,
      `${cursor}x`,
      ` ${cursor}`,
      `${position}..${signature}`,
      "x".repeat(5000),
    ]) {
      await refusedWith(workspace, at(path, { cursor: changed }), wrong);
    }
    await refusedWith(other, at(path, { cursor }), wrong);
    await refusedWith(workspace, at(path, { cursor, updated_since: "2025-01-01T00:00:00Z" }), wrong);
    const elsewhere = lists.find((list) => list.path !== path)?.path ?? "";
    await refusedWith(workspace, at(elsewhere, { cursor }), wrong);
    const filtered = await page(workspace, path, { limit: 3, updated_since: "2025-01-01T00:00:00Z" });
    await refusedWith(workspace, at(path, { cursor: filtered.next_cursor ?? "" }), wrong);
    await refusedWith(
      workspace,
      at(path, { cursor: filtered.next_cursor ?? "", updated_since: "2025-01-02T00:00:00Z" }),
      wrong,
    );
    const same = at(path, { cursor: filtered.next_cursor ?? "", updated_since: "2025-01-01T01:00:00+01:00" });
    expect((await call(workspace, same)).status).toBe(200);
  });

  it("finds a record with updated_since after a change with plain SQL", async () => {
    const { workspace } = await filled(collection, 3);
    const [oldest] = (await page(workspace, path, { limit: 1 })).data;
    const before = new Date().toISOString();
    const column = { clients: "client_name", projects: "status", deliverables: "title" } as Record<
      string,
      string
    >;
    const value = collection === "projects" ? "completed" : "Changed";
    const set = column[collection] ?? (collection === "invoices" ? "notes" : "description");
    await env.DB.prepare(`UPDATE ${tableOf(collection)} SET ${set} = ? WHERE id = ?`)
      .bind(value, oldest?.id)
      .run();
    const { data } = await page(workspace, path, { updated_since: before });
    expect(data.map(({ id }) => id)).toContain(oldest?.id);
  });
});
