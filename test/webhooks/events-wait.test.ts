import { env, exports } from "cloudflare:workers";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { secondsToReset } from "../../src/contract/rate-window.ts";
import { waitLimits } from "../../src/contract/wait-limits.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { metered } from "../support/metered.ts";
import { baseUrl, call } from "../support/partner.ts";
import { insertToken, makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

interface Page {
  data: { id: string; event: string }[];
  next_cursor: string | null;
  latest_cursor: string;
}

const path = "/api-v1/events";

const ask = (workspace: { token: string }, query = "") => call(workspace, `${path}?${query}`);
const read = async (answer: Promise<Response>): Promise<Page> => (await answer).json<Page>();

const latest = async (workspace: { token: string }, query = "") =>
  encodeURIComponent((await read(ask(workspace, query))).latest_cursor);

async function insertEvent({ organizationId }: Workspace, event: string, category: string): Promise<string> {
  const row = await env.DB.prepare(
    `INSERT INTO events (organization_id, event, category, subject_id, payload)
     VALUES (?, ?, ?, ?, '{"data":{}}') RETURNING id`,
  )
    .bind(organizationId, event, category, crypto.randomUUID())
    .first<{ id: string }>();
  return String(row?.id);
}

/** Waits until the request is long-polling. */
const whileWaiting = () => scheduler.wait(300);

/** A response, and how long it took from now on. */
async function timed<T>(answer: Promise<T>): Promise<{ found: T; tookMs: number }> {
  const startedMs = Date.now();
  return { found: await answer, tookMs: Date.now() - startedMs };
}

it("long polling returns the first matching event within 2.5 s of its commit [F6]", async () => {
  const workspace = await makeWorkspace();
  const limited = { token: await insertToken(workspace, ["invoice:read"]) };
  await insertEvent(workspace, "invoice.sent", "money");
  const queries = ["", "types=money&", "limit=1&"];
  const cursors = await Promise.all([...queries, ""].map((query) => latest(workspace, query)));
  const [all, money, one] = queries.map((query, index) =>
    read(ask(workspace, `${query}wait=20&cursor=${cursors[index]}`)),
  );
  const ofLimited = read(ask(limited, `wait=20&cursor=${cursors[3]}`));
  await whileWaiting();
  await insertEvent(await makeWorkspace(), "invoice.paid", "money");
  const delivery = await insertEvent(workspace, "deliverable.sent", "delivery");
  const first = await timed(Promise.all([all, one]));
  // The other two requests keep waiting, because this event does not match their filters.
  const payment = await insertEvent(workspace, "invoice.paid", "money");
  const second = await timed(Promise.all([money, ofLimited]));
  for (const [{ found, tookMs }, id] of [[first, delivery] as const, [second, payment] as const]) {
    expect(found.map((page) => page?.data.map((event) => event.id))).toEqual([[id], [id]]);
    expect(tookMs).toBeLessThan(2_500);
  }
  // A cursor also works without waiting.
  const next = encodeURIComponent(first.found[1]?.latest_cursor ?? "");
  expect((await read(ask(workspace, `limit=1&cursor=${next}`))).data.map(({ id }) => id)).toEqual([payment]);
});

it("long polling returns an empty page after the wait, and any other page at once [F6, R13]", async () => {
  const workspace = await makeWorkspace({ plan: await makePlan(1_000) });
  const sees = await insertToken(workspace, ["time:read"]);
  const empty = await timed(Promise.all([ask(workspace, "wait=1"), ask({ token: sees }, "wait=1")]));
  const pages = await Promise.all(empty.found.map((answer) => answer.json<Page>()));
  expect(pages.map(({ data, next_cursor }) => [data, next_cursor])).toEqual(Array(2).fill([[], null]));
  const worked = /total;dur=(\d+)/.exec(empty.found[0]?.headers.get("server-timing") ?? "")?.[1];
  expect(Number(worked)).toBeLessThan(900);
  expect(empty.tookMs).toBeGreaterThanOrEqual(1_000);
  expect(empty.tookMs).toBeLessThan(2_500);
  const id = await insertEvent(workspace, "invoice.sent", "money");
  const cursor = await latest(workspace, "types=money&limit=1");
  await env.DB.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1100)
     INSERT INTO events (organization_id, event, category, subject_id, payload)
     SELECT ?, 'deliverable.sent', 'delivery', 'one', '{"data":{}}' FROM n`,
  )
    .bind(workspace.organizationId)
    .run();
  const early = `types=money&limit=1&wait=20&cursor=${cursor}`;
  const at = await timed(Promise.all([ask(workspace, "limit=1&wait=20"), ask(workspace, early)].map(read)));
  expect(at.found.map(({ data }) => data.map((event) => event.id))).toEqual([[id], []]);
  expect([at.found[1]?.next_cursor !== null, at.tookMs < 1_000 || at.tookMs]).toEqual([true, true]);
  for (const wait of ["26", "-1", "1.5", "x", ""]) {
    const answer = await ask(workspace, `wait=${wait}`);
    expect([wait, answer.status, await answer.json()]).toEqual([
      wait,
      400,
      { error: "wait must be an integer from 0 to 25" },
    ]);
  }
});

it("long polling authenticates the token again before each read of the database [F6]", async () => {
  const [revoked, fenced, downgraded] = await Promise.all([
    makeWorkspace(),
    makeWorkspace(),
    makeWorkspace(),
  ]);
  const waiting = [revoked, fenced, downgraded].map((workspace) => ask(workspace, "wait=20"));
  await whileWaiting();
  await env.DB.batch([
    env.DB.prepare("UPDATE api_tokens SET revoked_at = ? WHERE token_hash = ?").bind(
      new Date().toISOString(),
      sha256Hex(revoked.token),
    ),
    env.DB.prepare("UPDATE organizations SET plan = 'free' WHERE id = ?").bind(downgraded.organizationId),
    env.DB.prepare("INSERT INTO fences (id, hides) VALUES (?, 1)").bind(fenced.organizationId),
  ]);
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual([401, 503, 403]);
  expect(answers[0]?.headers.get("ratelimit-reset")).toBeNull();
});

it("long polling reads few rows each time and counts as one request [F6, R2]", async () => {
  const workspace = await makeWorkspace({ plan: await makePlan(4) });
  const token = { token: await insertToken(workspace, ["invoice:read"]) };
  await insertEvent(workspace, "invoice.sent", "money");
  const cursor = await latest(token);
  // All requests must be in the same window.
  const leftSeconds = secondsToReset(Date.now());
  if (leftSeconds < 10) await setTimeout(leftSeconds * 1000);
  const { answer, read: rows } = await metered(async () => {
    const waiting = ask(token, `wait=4&cursor=${cursor}`);
    await whileWaiting();
    for (let turn = 0; turn < 30; turn++) await insertEvent(workspace, "deliverable.sent", "delivery");
    return waiting;
  });
  expect([answer.status, rows < 160 || rows]).toEqual([200, true]);
  // The headers describe the window at the end of the wait.
  const staleSeconds = Number(answer.headers.get("ratelimit-reset")) - secondsToReset(Date.now());
  expect(staleSeconds === 0 || staleSeconds === 1 || staleSeconds).toBe(true);
  expect((await Promise.all([ask(token), ask(token)])).map(({ status }) => status)).toEqual([200, 200]);
  expect((await ask(token)).status).toBe(429);
});

it("long polling allows at most 5 waiting requests per token [F7]", async () => {
  const workspace = await makeWorkspace();
  const leaving = new AbortController();
  const abandoned = exports.default
    .fetch(`${baseUrl}${path}?wait=20`, {
      headers: { apikey: env.GATEWAY_PUBLIC_KEY, authorization: `Bearer ${workspace.token}` },
      signal: leaving.signal,
    })
    .catch((error: Error) => error.name);
  const others = Array.from({ length: waitLimits.requestsOfToken - 1 }, () => ask(workspace, "wait=20"));
  await whileWaiting();
  const refused = await ask(workspace, "wait=20");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await refused.json()).toMatchObject({ code: "rate_limit_exceeded", retry_after_seconds: 1 });
  const other = ask({ token: await insertToken(workspace) }, "wait=20");
  leaving.abort();
  expect(await abandoned).toBe("AbortError");
  await whileWaiting();
  others.push(ask(workspace, "wait=20"), other);
  await whileWaiting();
  expect((await ask(workspace, "wait=20")).status).toBe(429);
  await insertEvent(workspace, "invoice.sent", "money");
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  const cursor = await latest(workspace);
  const again = Array.from({ length: waitLimits.requestsOfToken }, () =>
    ask(workspace, `wait=1&cursor=${cursor}`),
  );
  expect((await Promise.all(again)).map(({ status }) => status)).toEqual(Array(5).fill(200));
});
