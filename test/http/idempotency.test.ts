import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { coordinatorStub } from "../support/coordinator.ts";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, keyedRoutes, successOf, validRequest } from "../support/requests.ts";
import { rowCounts } from "../support/rows.ts";
import { insertToken, makeWorkspace, type Workspace } from "../support/workspace.ts";

type Fields = Record<string, unknown>;

const key = "the same work";

const outcome = async (answer: Response): Promise<Fields & { http: number }> => ({
  http: answer.status,
  ...(await answer.json<Fields>()),
});
const replayOf = (first: Fields) => ({ ...first, http: 200, idempotent_replay: true });

const code = async (answer: Response) => `${answer.status} ${(await answer.json<{ code?: string }>()).code}`;

describe.each(keyedRoutes)("$name", ({ route }) => {
  it("does the work once for 50 simultaneous requests with one key [I4, T9]", async () => {
    const once = await rowsMade(route, 1);
    const { rows, answers } = await rowsMade(route, 50);
    expect(rows).toEqual(once.rows);
    const outcomes = await Promise.all(answers.map(outcome));
    const firsts = outcomes.filter((fields) => !("idempotent_replay" in fields));
    expect(firsts.map(({ http }) => http)).toEqual([successOf(route)]);
    const replays = outcomes.filter((fields) => "idempotent_replay" in fields);
    expect(replays).toEqual(Array(49).fill(replayOf(firsts[0] as Fields)));
  });

  it("replays the complete first response, even if the record has changed [I10]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const first = await outcome(await ask(route, workspace, { key }, records));
    await changeEverything(workspace);
    expect(await outcome(await ask(route, workspace, { key }, records))).toEqual(replayOf(first));
    await evictDurableObject(coordinatorStub(workspace));
    expect(await outcome(await ask(route, workspace, { key }, records))).toEqual(replayOf(first));
  });

  it("ignores field order, whitespace and the token when it compares requests [I3]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { body } = validRequest(route, records);
    const first = await outcome(await ask(route, workspace, { key }, records));
    const reordered = Object.fromEntries(Object.entries(body ?? {}).reverse());
    const text = JSON.stringify(reordered, null, 4);
    const token = await insertToken(workspace);
    expect(await outcome(await ask(route, workspace, { key, body: text, token }, records))).toEqual(
      replayOf(first),
    );
  });

  it("returns 409 idempotency_key_reused for a used key with another body [I5]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    await ask(route, workspace, { key }, records);
    const before = await rowCounts(workspace);
    const other = { ...body, ...changeOf(route.path) };
    expect(await code(await call(workspace, path, { body: other, key }))).toBe("409 idempotency_key_reused");
    expect(await rowCounts(workspace)).toEqual(before);
  });

  it("returns 409 idempotency_key_reused for a used key on another route [I2]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    expect((await post(workspace, "/api-v1/clients", { client_name: "First" }, key)).status).toBe(201);
    if (route.path === "/api-v1/clients") return;
    expect(await code(await ask(route, workspace, { key }, records))).toBe("409 idempotency_key_reused");
  });

  it("keeps the keys of different organizations apart [I2]", async () => {
    for (const workspace of [await makeWorkspace(), await makeWorkspace()]) {
      const answer = await ask(route, workspace, { key });
      expect([answer.status, (await answer.json<Fields>()).idempotent_replay]).toEqual([
        successOf(route),
        undefined,
      ]);
    }
  });

  it("releases the key of a rejected request [I6]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const token = await insertToken(workspace, []);
    const { path } = validRequest(route, records);
    const refusals = [
      await ask(route, workspace, { key, token }, records),
      await call(workspace, path, { body: { nonsense: 1 }, key }),
      await call(workspace, path, { body: "{", key }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 400, 400]);
    expect((await ask(route, workspace, { key }, records)).status).toBe(successOf(route));
  });

  it("replays from the record once the response is dropped, and still rejects other fields", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const first = await outcome(await ask(route, workspace, { key }, records));
    const before = await rowCounts(workspace);
    await dropAnswers(workspace);
    expect(await outcome(await ask(route, workspace, { key }, records))).toMatchObject(
      essence(replayOf(first)),
    );
    const { path, body } = validRequest(route, records);
    const other = { ...body, ...changeOf(route.path) };
    expect(await code(await call(workspace, path, { body: other, key }))).toBe("409 idempotency_key_reused");
    expect(await rowCounts(workspace)).toEqual(before);
  });
});

const ofOrganization = (sql: string, { organizationId }: Workspace) =>
  env.DB.prepare(sql).bind(organizationId).run();

const dropAnswers = (workspace: Workspace) =>
  ofOrganization("UPDATE requests SET answer = NULL WHERE organization_id = ?", workspace);

/** Changes a field in every record that a response could include. */
async function changeEverything(workspace: Workspace): Promise<void> {
  await ofOrganization(
    "UPDATE clients SET client_name = 'Other', status = 'archived' WHERE organization_id = ?",
    workspace,
  );
  await ofOrganization(
    "UPDATE projects SET name = 'Other', status = 'archived' WHERE organization_id = ?",
    workspace,
  );
  await ofOrganization("UPDATE time_entries SET description = 'Other' WHERE organization_id = ?", workspace);
  await ofOrganization("UPDATE invoices SET notes = 'Other' WHERE organization_id = ?", workspace);
  await ofOrganization(
    "UPDATE deliverables SET title = 'Other' WHERE organization_id = ? AND current_state = 'open'",
    workspace,
  );
  await ofOrganization(
    "UPDATE scope_request_evidence SET content = 'Other' WHERE organization_id = ?",
    workspace,
  );
}

async function rowsMade(route: Route, times: number): Promise<{ rows: object; answers: Response[] }> {
  const workspace = await makeWorkspace();
  const records = await makeRecords(workspace);
  const before = await rowCounts(workspace);
  const answers = await Promise.all(
    Array.from({ length: times }, () => ask(route, workspace, { key }, records)),
  );
  const after = Object.entries(await rowCounts(workspace));
  return {
    rows: Object.fromEntries(after.map(([table, count]) => [table, count - (before[table] ?? 0)])),
    answers,
  };
}

function changeOf(path: string): Fields {
  if (path.endsWith("/send")) return { message: "Another message" };
  if (path.endsWith("/versions")) return { note: "Another note" };
  if (path.endsWith("/deliverables")) return { title: "Another title" };
  if (path.endsWith("/invoices")) return { notes: "Other notes" };
  if (path.endsWith("/projects")) return { name: "Another name" };
  if (path.endsWith("/clients")) return { client_name: "Another name" };
  if (path.endsWith("/api-ingest-request")) return { content: "Other words" };
  return { description: "Something else" };
}

/** The fields in a response that later changes to the record cannot affect. */
function essence({ updated_at: _, ...fields }: Fields): Fields {
  return fields;
}

const client = { client_name: "Ada" };

it("a large project's first response is replayed even after its milestones are renamed or deleted", async () => {
  const workspace = await makeWorkspace();
  const { client_id } = await makeRecords(workspace);
  const milestones = Array.from({ length: 90 }, (_, index) => ({
    name: `${index} ${"x".repeat(150)}`,
    amount: 10,
  }));
  const project = { client_id, name: "Large", milestones };
  const first = await outcome(await post(workspace, "/api-v1/projects", project, key));
  await ofOrganization("UPDATE milestones SET name = 'Renamed' WHERE organization_id = ?", workspace);
  expect(await outcome(await post(workspace, "/api-v1/projects", project, key))).toEqual(replayOf(first));
  await ofOrganization("DELETE FROM milestones WHERE organization_id = ?", workspace);
  await env.DB.prepare("DELETE FROM projects WHERE id = ?").bind(first.id).run();
  expect(await outcome(await post(workspace, "/api-v1/projects", project, key))).toEqual(replayOf(first));
});

it("a request is not repeated even if both its response and its record are gone", async () => {
  const workspace = await makeWorkspace();
  await post(workspace, "/api-v1/clients", client, key);
  await ofOrganization("DELETE FROM clients WHERE organization_id = ?", workspace);
  await dropAnswers(workspace);
  expect(await code(await post(workspace, "/api-v1/clients", client, key))).toBe(
    "409 idempotency_key_reused",
  );
  expect((await rowCounts(workspace)).clients).toBe(0);
});

it("concurrent requests do the work only once, even without the coordinator", async () => {
  const workspace = await makeWorkspace();
  const getByName = env.ORGANIZATION_COORDINATOR.getByName.bind(env.ORGANIZATION_COORDINATOR);
  vi.spyOn(env.ORGANIZATION_COORDINATOR, "getByName").mockImplementation((name) => {
    const coordinator = getByName(name);
    const acquire = async (ceiling: number, token: string) => {
      const counted = await coordinator.acquire(ceiling, token);
      // Gives all requests time to read before any of them writes.
      await scheduler.wait(50);
      return { ...counted, claim: { state: "fresh", waited: false } };
    };
    return { acquire, release: async () => {} } as never;
  });
  const answers = await Promise.all([1, 2, 3].map(() => post(workspace, "/api-v1/clients", client, key)));
  const outcomes = await Promise.all(answers.map(outcome));
  vi.mocked(env.ORGANIZATION_COORDINATOR.getByName).mockRestore();
  expect(outcomes.map(({ http }) => http).sort()).toEqual([200, 200, 201]);
  expect(new Set(outcomes.map(({ id }) => id)).size).toBe(1);
  expect((await rowCounts(workspace)).clients).toBe(1);
});

it("a request returns 409 with Retry-After: 1 if the same request is still running after ten seconds [I7]", async () => {
  const workspace = await makeWorkspace();
  const batch = env.DB.batch.bind(env.DB);
  const hanging = Promise.withResolvers<void>();
  const slow = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
    if (statements.length === 4) await hanging.promise;
    return batch(statements) as never;
  });
  const first = post(workspace, "/api-v1/clients", client, key);
  await scheduler.wait(100);
  const startedMs = Date.now();
  const answers = await Promise.all([
    post(workspace, "/api-v1/clients", client, key),
    post(workspace, "/api-v1/clients", { client_name: "Grace" }, key),
  ]);
  const waitedMs = Date.now() - startedMs;
  expect(await Promise.all(answers.map(code))).toEqual([
    "409 idempotency_key_in_progress",
    "409 idempotency_key_reused",
  ]);
  expect(answers[0]?.headers.get("retry-after")).toBe("1");
  expect(waitedMs).toBeGreaterThan(9_500);
  expect(waitedMs).toBeLessThan(10_000 + 5_000);
  hanging.resolve();
  expect((await first).status).toBe(201);
  slow.mockRestore();
});

it("a second request waits for the first, and does the work if the first fails [I7]", async () => {
  const workspace = await makeWorkspace();
  const { client_id } = await makeRecords(workspace);
  const project = { client_id, name: "Relaunch" };
  const batch = env.DB.batch.bind(env.DB);
  let failures = 1;
  const slow = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
    if (statements.length < 3) return batch(statements) as never;
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (failures-- > 0) throw new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");
    return batch(statements) as never;
  });
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const answers = await Promise.all([1, 2, 3].map(() => post(workspace, "/api-v1/projects", project, key)));
  slow.mockRestore();
  log.mockRestore();
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 201, 503]);
  expect((await rowCounts(workspace)).projects).toBe(2);
});

it("a rejected request succeeds with the same key once the cause is gone", async () => {
  const workspace = await makeWorkspace();
  const client_id = crypto.randomUUID();
  const project = { client_id, name: "Relaunch" };
  const refused = await post(workspace, "/api-v1/projects", project, key);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { error: "client_id not found in this workspace" },
  ]);
  await env.DB.prepare("INSERT INTO clients (id, organization_id, client_name) VALUES (?, ?, 'Ada')")
    .bind(client_id, workspace.organizationId)
    .run();
  expect((await post(workspace, "/api-v1/projects", project, key)).status).toBe(201);
});

it("the client_ref of a time entry written with plain SQL is treated as another request's key", async () => {
  const workspace = await makeWorkspace();
  const { project_id } = await makeRecords(workspace);
  const entry = { project_id, hours: 1, spent_date: "2026-01-31" };
  await post(workspace, "/api-v1/time-entries", entry, "by the API");
  await env.DB.prepare(
    `INSERT INTO time_entries (id, organization_id, project_id, client_id, user_id, spent_date, hours, billable,
       currency, client_ref)
     SELECT 'by hand', organization_id, project_id, client_id, user_id, spent_date, hours, billable, currency, ?
     FROM time_entries WHERE organization_id = ? LIMIT 1`,
  )
    .bind(key, workspace.organizationId)
    .run();
  const again = await post(workspace, "/api-v1/time-entries", entry, key);
  expect(await code(again)).toBe("409 idempotency_key_reused");
});

it("a key may contain any printable characters, and its case and inner spaces are significant", async () => {
  const workspace = await makeWorkspace();
  const keys = ["k", "K", "a b", "a  b", '"quoted"', "sn'ow", "--", "{}", "%00", "x".repeat(200)];
  for (const each of keys) {
    expect([each, (await post(workspace, "/api-v1/clients", client, each)).status]).toEqual([each, 201]);
  }
  expect((await rowCounts(workspace)).clients).toBe(keys.length);
});
