import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { cursorAt } from "../../src/http/pagination.ts";
import { hideNumbers } from "../../src/platform/hidden-numbers.ts";
import { type EventName, eventNames, webhookEvents } from "../../src/webhooks/events.ts";
import type { Event } from "../../src/webhooks/feed/event.ts";
import { metered } from "../support/metered.ts";
import { call } from "../support/partner.ts";
import { insertToken, makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

interface Page {
  data: Event[];
  next_cursor: string | null;
  latest_cursor: string;
}

const path = "/api-v1/events";

async function page(
  workspace: { token: string },
  query: Record<string, string | number> = {},
): Promise<Page> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const answer = await call(workspace, `${path}?${search}`);
  expect(answer.status).toBe(200);
  return answer.json<Page>();
}

const categoryOf = (name: string) => webhookEvents[name as EventName]?.category ?? null;

async function insertEvents({ organizationId }: Workspace, names: readonly string[], subjectId?: string) {
  const statement = env.DB.prepare(
    `INSERT INTO events (organization_id, event, category, subject_id, payload)
     VALUES (?1, ?2, ?3, ?4, json_object('event', ?2, 'data', json_object('title', 'Logo'))) RETURNING id`,
  );
  const results = await env.DB.batch<{ id: string }>(
    names.map((name) =>
      statement.bind(organizationId, name, categoryOf(name), subjectId ?? crypto.randomUUID()),
    ),
  );
  return results.map(({ results: [row] }) => String(row?.id));
}

const insertMany = (
  { organizationId }: Workspace,
  names: readonly string[],
  times: number,
  subjectId: string | null = null,
) =>
  env.DB.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?3)
     INSERT INTO events (organization_id, event, category, subject_id, payload)
     SELECT ?1, value ->> 0, value ->> 1,
         coalesce(?4, printf('%08d-0000-4000-8000-000000000000', n % 100)), '{"data":{}}'
       FROM n JOIN json_each(?2) ON key = n % json_array_length(?2) ORDER BY n`,
  )
    .bind(organizationId, JSON.stringify(names.map((name) => [name, categoryOf(name)])), times, subjectId)
    .run();

const idsOf = ({ data }: Page) => data.map(({ id }) => id);

const unlimited = async () => makeWorkspace({ plan: await makePlan(1_000_000) });

it("the feed returns events of every type in commit order, always with latest_cursor [F1]", async () => {
  const workspace = await makeWorkspace();
  const empty = await page(workspace);
  expect(empty).toEqual({ data: [], next_cursor: null, latest_cursor: expect.any(String) });
  const ids = await insertEvents(workspace, [...eventNames, ...eventNames]);
  const all = await page(workspace, { cursor: empty.latest_cursor });
  expect(idsOf(all)).toEqual(ids);
  expect(all.data[0]).toEqual({
    id: ids[0],
    event: eventNames[0],
    category: webhookEvents[eventNames[0] as (typeof eventNames)[number]].category,
    created_at: expect.any(String),
    subject_id: expect.any(String),
    data: { title: "Logo" },
  });
  const after = await page(workspace, { cursor: all.latest_cursor });
  expect([after.data, after.next_cursor, after.latest_cursor]).toEqual([[], null, all.latest_cursor]);
});

it("a reader that follows latest_cursor gets each event exactly once, even during concurrent writes [F3]", async () => {
  const workspace = await unlimited();
  const written: string[] = [];
  const seen: string[] = [];
  let writing = true;
  const write = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      written.push(...(await insertEvents(workspace, ["invoice.sent", "deliverable.sent"])));
    }
  };
  const writers = Promise.all([write(10), write(10), write(10)]).finally(() => {
    writing = false;
  });
  let cursor: string | undefined;
  for (let more = true; more; ) {
    const last = !writing;
    const read = await page(workspace, { limit: 7, ...(cursor && { cursor }) });
    seen.push(...idsOf(read));
    cursor = read.latest_cursor;
    more = !last || read.data.length > 0;
  }
  await writers;
  expect(seen).toHaveLength(60);
  expect(new Set(seen)).toEqual(new Set(written));
});

it.each<Record<string, string>>([
  { types: "deposit.cleared,invoice.overdue" },
  { types: "invoice.overdue" },
  { types: "scope" },
  { subject_id: "11111111-2222-4333-8444-555555555555" },
])("an empty poll moves the cursor past the events that its filter excludes: %o", async (filter) => {
  const workspace = await unlimited();
  await insertEvents(workspace, ["invoice.overdue"]);
  await insertMany(workspace, ["invoice.sent", "invoice.paid"], 1_000);
  const first = await page(workspace, filter);
  await insertEvents(await makeWorkspace(), ["invoice.overdue", "change_order.sent"]);
  const { answer, read } = await metered(() => page(workspace, { ...filter, cursor: first.latest_cursor }));
  expect([answer.data, read < 16 || read]).toEqual([[], true]);
  const asked = filter.types?.split(",").at(-1) ?? "invoice.overdue";
  const name = asked === "scope" ? "change_order.sent" : asked;
  const [id] = await insertEvents(workspace, [name], filter.subject_id);
  await insertEvents(workspace, ["invoice.paid"]);
  expect(idsOf(await page(workspace, { ...filter, cursor: answer.latest_cursor }))).toEqual([id]);
});

it("the position in a cursor is encrypted", async () => {
  const workspace = await unlimited();
  const [first, second] = await insertEvents(workspace, ["invoice.sent", "invoice.paid"]);
  const cursorKeys = [env.CURSOR_KEY];
  const { organizationId } = workspace;
  const { sequence } = (await env.DB.prepare("SELECT sequence FROM events WHERE id = ?").bind(first).first<{
    sequence: number;
  }>()) as { sequence: number };
  const { latest_cursor, data } = await page(workspace, { limit: 1 });
  expect(atob(latest_cursor.split(".")[0] ?? "")).toMatch(/^[\w-]{26}$/);
  const kept = (position: string) =>
    cursorAt({ route: path, organizationId, cursorKeys }, { limit: 1 }, position);
  const withoutId = hideNumbers(env.CURSOR_KEY, Date.parse(String(data[0]?.created_at)), sequence);
  for (const cursor of [latest_cursor, kept(withoutId), kept(String(sequence))])
    expect(idsOf(await page(workspace, { cursor }))).toEqual([second]);
});

it("the feed returns events of the selected types in commit order", async () => {
  const workspace = await unlimited();
  const names = ["invoice.sent", "deliverable.sent", "change_order.sent"];
  const ids = await insertEvents(workspace, [...names, ...names.toReversed(), ...names]);
  const first = await page(workspace, { types: "scope,money,delivery", limit: 4 });
  const rest = await page(workspace, { types: "scope,money,delivery", cursor: first.latest_cursor });
  expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids);
});

it("the feed continues right after the last event of a full page", async () => {
  const workspace = await unlimited();
  const ids = await insertEvents(workspace, ["invoice.sent", "invoice.paid", "invoice.sent", "invoice.sent"]);
  const first = await page(workspace, { types: "invoice.sent", limit: 1 });
  const second = await page(workspace, { types: "invoice.sent", limit: 1, cursor: first.latest_cursor });
  expect([first, second].map(idsOf)).toEqual([[ids[0]], [ids[2]]]);
});

it("latest_cursor stays valid after the newest events are purged", async () => {
  const workspace = await makeWorkspace();
  await insertEvents(workspace, ["invoice.sent"]);
  const { latest_cursor } = await page(workspace);
  await env.DB.prepare("DELETE FROM events WHERE organization_id = ?").bind(workspace.organizationId).run();
  expect((await page(workspace, { cursor: latest_cursor })).latest_cursor).toBe(latest_cursor);
  const blind = { token: await insertToken(workspace, ["time:read"]) };
  expect((await page(blind, { cursor: latest_cursor })).latest_cursor).toBe(latest_cursor);
  const [id] = await insertEvents(workspace, ["invoice.paid"]);
  expect(idsOf(await page(workspace, { cursor: latest_cursor }))).toEqual([id]);
});

describe("the types parameter", () => {
  it("selects names and categories, and returns 400 for an unknown type [F2]", async () => {
    const workspace = await makeWorkspace();
    await insertEvents(workspace, eventNames);
    const names = async (types: string) => (await page(workspace, { types })).data.map(({ event }) => event);
    for (const name of eventNames) expect(await names(name)).toEqual([name]);
    const ofCategory = (...categories: string[]) =>
      eventNames.filter((name) => categories.includes(webhookEvents[name].category));
    expect(await names("money")).toEqual(ofCategory("money"));
    expect(await names("money, scope,change,delivery")).toEqual(eventNames);
    expect(await names("invoice.sent,invoice.paid,change")).toEqual(
      eventNames.filter((name) => /^invoice\.(sent|paid)|^change_decision/.test(name)),
    );
    for (const types of ["", "nothing", "money,", "invoice", "invoice.*"]) {
      const answer = await call(workspace, `${path}?types=${encodeURIComponent(types)}`);
      expect([types, answer.status, await answer.json()]).toEqual([
        types,
        400,
        { error: "types must be event names or categories" },
      ]);
    }
  });

  it.each([
    ["deliverable:read", "delivery"],
    ["invoice:read", "money"],
    ["project:read", "scope,change"],
  ] as const)(
    "for a token with %s returns only %s events, and names the missing scope for others [F4]",
    async (scope, shown) => {
      const workspace = await makeWorkspace();
      await insertEvents(workspace, eventNames);
      const token = { token: await insertToken(workspace, [scope]) };
      const mine = eventNames.filter((name) => shown.split(",").includes(webhookEvents[name].category));
      expect((await page(token)).data.map(({ event }) => event)).toEqual(mine);
      expect((await page(token, { types: shown })).data.map(({ event }) => event)).toEqual(mine);
      const other = scope === "invoice:read" ? "deliverable:read" : "invoice:read";
      for (const [types, required_scope] of [
        ["delivery", "deliverable:read"],
        ["invoice.paid", "invoice:read"],
        ["scope", "project:read"],
        ["change_decision.sent", "project:read"],
        [`${shown.split(",")[0]}, ${scope === "invoice:read" ? "delivery" : "money"}`, other],
      ]) {
        const answer = await call(token, `${path}?types=${types}&limit=0`);
        if (required_scope === scope) expect(answer.status).toBe(400);
        else expect([answer.status, await answer.json()]).toMatchObject([403, { required_scope }]);
      }
      expect((await page({ token: await insertToken(workspace, ["time:read"]) })).data).toEqual([]);
    },
  );
});

it("the filters subject_id and updated_since must stay the same for a cursor [F2]", async () => {
  const workspace = await makeWorkspace();
  const subject = crypto.randomUUID();
  await insertEvents(workspace, ["invoice.sent"]);
  const [first, second] = await insertEvents(workspace, ["deliverable.sent", "feedback.created"], subject);
  expect(idsOf(await page(workspace, { subject_id: subject }))).toEqual([first, second]);
  expect(idsOf(await page(workspace, { subject_id: subject, types: "feedback.created" }))).toEqual([second]);
  const { latest_cursor, data } = await page(workspace, { subject_id: subject, limit: 1 });
  const since = String(data[0]?.created_at);
  expect(idsOf(await page(workspace, { updated_since: since }))).toEqual(
    expect.arrayContaining([first, second]),
  );
  expect((await page(workspace, { updated_since: "2999-01-01T00:00:00Z" })).data).toEqual([]);
  // Simulates a clock that was set back: a later event has an earlier timestamp.
  const [late = ""] = await insertEvents(workspace, ["feedback.created"], subject);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO erasures (id) VALUES (?)").bind(workspace.organizationId),
    env.DB.prepare("UPDATE events SET created_at = '2020-01-31T09:30:00.000Z' WHERE id = ?").bind(late),
    env.DB.prepare("DELETE FROM erasures WHERE id = ?").bind(workspace.organizationId),
  ]);
  expect(idsOf(await page(workspace, { updated_since: since }))).not.toContain(late);
  expect(idsOf(await page(workspace, { updated_since: "2020-01-31T09:30:00Z" }))).toContain(late);
  for (const query of [
    "",
    `types=money&subject_id=${subject}&`,
    `updated_since=${since}&subject_id=${subject}&`,
  ]) {
    expect((await call(workspace, `${path}?${query}cursor=${latest_cursor}`)).status).toBe(400);
  }
});

it("a filter without an index scans at most 1,000 events per page", async () => {
  const workspace = await unlimited();
  const subject = crypto.randomUUID();
  const names = ["invoice.sent", "deliverable.sent"];
  await insertMany(workspace, names, 2_500, subject);
  const wanted = await insertEvents(workspace, ["feedback.created", "signoff.recorded"], subject);
  const queries: Record<string, string>[] = [
    { types: "feedback.created,signoff.recorded", subject_id: subject },
    { types: "feedback.created,signoff.recorded" },
  ];
  for (const query of queries) {
    const found: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const asked = { ...query, ...(cursor && { cursor }) };
      const { answer, read } = await metered(() => page(workspace, asked));
      expect([pages, read <= 2_050 || read]).toEqual([pages, true]);
      found.push(...idsOf(answer));
      cursor = answer.next_cursor ?? undefined;
      pages += 1;
    } while (cursor && pages < 10);
    expect([found, pages]).toEqual([wanted, 3]);
  }
});

describe("after a restore of the database to an earlier time", () => {
  /** Removes the latest events and frees their numbers. */
  async function restore(ids: readonly string[]): Promise<void> {
    const list = JSON.stringify(ids);
    await env.DB.batch([
      env.DB.prepare("DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))").bind(list),
      env.DB.prepare(
        "UPDATE sqlite_sequence SET seq = (SELECT max(sequence) FROM events) WHERE name = 'events'",
      ),
    ]);
  }

  async function readOn(workspace: Workspace, cursor: string, limit: number) {
    const seen: string[] = [];
    for (let turn = 0, next = cursor; turn < 20; turn += 1) {
      const read = await page(workspace, { cursor: next, limit });
      seen.push(...idsOf(read));
      if (read.next_cursor === null) return { seen, cursor: read.latest_cursor };
      next = read.next_cursor;
    }
    throw new Error("the reader goes round in circles");
  }

  it.each([1, 2, 50])("a stored cursor returns every new event, in pages of %d [F3, B2]", async (limit) => {
    const workspace = await unlimited();
    const kept = await insertEvents(workspace, ["invoice.sent", "invoice.sent"]);
    // Waits, because events in the same millisecond as the last event may be returned again.
    await scheduler.wait(5);
    const lost = await insertEvents(workspace, Array(5).fill("invoice.sent"));
    const { latest_cursor } = await page(workspace);
    await restore(lost);
    const fewer = await insertEvents(workspace, ["invoice.paid", "invoice.paid"]);
    const first = await readOn(workspace, latest_cursor, limit);
    expect(first.seen).toEqual(fewer);
    const more = await insertEvents(workspace, Array(7).fill("invoice.paid"));
    const second = await readOn(workspace, latest_cursor, limit);
    expect(second.seen).toEqual([...fewer, ...more]);
    expect((await readOn(workspace, first.cursor, limit)).seen).toEqual(more);
    expect((await readOn(workspace, second.cursor, limit)).seen).toEqual([]);
    expect(idsOf(await page(workspace))).toEqual([...kept, ...fewer, ...more]);
  });

  it("a stored cursor returns an empty page if nothing has happened since [B2]", async () => {
    const workspace = await unlimited();
    const lost = await insertEvents(workspace, ["invoice.sent", "invoice.sent"]);
    const { latest_cursor } = await page(workspace);
    await restore(lost);
    const { seen, cursor } = await readOn(workspace, latest_cursor, 1);
    const next = await insertEvents(workspace, ["invoice.paid"]);
    expect([seen, (await readOn(workspace, cursor, 1)).seen]).toEqual([[], next]);
  });
});

it("a page of all events, or of one record's events, reads at most limit + 7 rows", async () => {
  const workspace = await unlimited();
  const names = ["invoice.sent", "deliverable.sent", "feedback.created", "change_order.sent"];
  await insertMany(workspace, names, 20_000);
  const filters: Record<string, string>[] = [{}, { subject_id: "00000007-0000-4000-8000-000000000000" }];
  for (const filter of filters) {
    let cursor: string | undefined;
    for (let turn = 0; turn < 4; turn += 1) {
      const query = { limit: 50, ...filter, ...(cursor && { cursor }) };
      const { answer, read } = await metered(() => page(workspace, query));
      expect([filter, read <= 57 || read]).toEqual([filter, true]);
      cursor = answer.latest_cursor;
    }
  }
});

it("a page of selected types reads only the rows that it needs", async () => {
  const workspace = await unlimited();
  const names = ["invoice.sent", "deliverable.sent", "feedback.created", "change_order.sent"];
  await insertMany(workspace, names, 10_000);
  for (const [types, share] of [
    ["money", 4],
    ["money,scope", 4],
    ["invoice.sent,deliverable.sent", 2],
    ["money,scope,change,delivery", 1],
  ] as const) {
    const { answer, read } = await metered(() => page(workspace, { limit: 50, types }));
    expect(answer.data).toHaveLength(50);
    expect([types, read <= 51 * share + 20 || read]).toEqual([types, true]);
  }
  const token = { token: await insertToken(workspace, ["deliverable:read"]) };
  expect((await page(token, { limit: 200 })).data).toHaveLength(200);
});
