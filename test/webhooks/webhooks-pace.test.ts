import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, onTestFinished } from "vitest";
import type { DeliveryMessage } from "../../src/contract/messages.ts";
import type { Services } from "../../src/core/services.ts";
import { run } from "../../src/db/query.ts";
import { servicesOf } from "../../src/services.ts";
import { deliver } from "../../src/webhooks/sending/deliver.ts";
import { messageOf } from "../../src/webhooks/sending/delivery-queues.ts";
import { leaseDue } from "../../src/webhooks/sending/enqueue-due.ts";
import { admin, refusal } from "../support/admin.ts";
import { startClock, stopClock } from "../support/clock.ts";
import { insertEndpoint } from "../support/settings.ts";
import { deliveriesOf, recordEvents, register } from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

async function sending(host: string, events: number) {
  const workspace = await makeWorkspace();
  const endpoint = await register(workspace);
  await sql("UPDATE webhook_endpoints SET url = ? WHERE id = ?", `https://${host}/hook`, endpoint.id);
  await recordEvents(workspace, events);
  return { workspace, endpoint };
}

/** Services with receivers that respond at once. Records which deliveries are posted and which must wait. */
function recordingServices(replaced: Partial<Pick<Services, "db" | "grantPosts">> = {}) {
  const posted: string[] = [];
  const waiting: { queue: string; delaySeconds: number | undefined; body: DeliveryMessage }[] = [];
  const queue = (name: string) => ({
    sendBatch: async (messages: Iterable<{ body: DeliveryMessage }>, options?: { delaySeconds?: number }) => {
      const { delaySeconds } = options ?? {};
      waiting.push(...[...messages].map(({ body }) => ({ queue: name, delaySeconds, body })));
    },
  });
  const services = {
    ...servicesOf(env),
    queues: { fast: queue("fast"), slow: queue("slow"), failing: queue("failing") } as never,
    webhookTargets: { allowLocal: true, resolve: async () => ["93.184.215.14"] },
    fetch: (async (_: unknown, init?: RequestInit) => {
      posted.push(String(new Headers(init?.headers).get("webhook-id")));
      return new Response("ok");
    }) as typeof fetch,
    ...replaced,
  };
  const send = (messages: readonly DeliveryMessage[]) =>
    deliver(services, "fast", messages, createExecutionContext());
  return { posted, waiting, send };
}

const lease = async ({ organizationId }: Workspace) =>
  (await run(env.DB, leaseDue({ organizationId, limit: 100 }))).map(messageOf);

it("a host gets at most 50 POSTs per second from all workspaces together [N15]", async () => {
  stopClock();
  onTestFinished(startClock);
  const host = `${crypto.randomUUID()}.example.com`;
  const [one, two] = [await sending(host, 60), await sending(`${host}.`, 60)];
  const elsewhere = await sending(`${crypto.randomUUID()}.example.com`, 5);
  const { posted, waiting, send } = recordingServices();
  for (const { workspace } of [one, two, elsewhere])
    expect([...(await send(await lease(workspace)))]).toEqual([]);
  const statuses = async ({ endpoint }: typeof one) =>
    (await deliveriesOf(endpoint)).filter(({ status }) => status === "delivered").length;
  expect([await statuses(one), await statuses(two), await statuses(elsewhere)]).toEqual([40, 10, 5]);
  expect(posted).toHaveLength(55);
  expect(waiting).toHaveLength(70);
  expect(new Set(waiting.map(({ queue }) => queue))).toEqual(new Set(["slow"]));
  expect(Math.min(...waiting.map(({ delaySeconds }) => delaySeconds ?? 0))).toBe(1);
});

it("a host's POSTs are reserved before the batch is loaded", async () => {
  const [host, newHost] = [`${crypto.randomUUID()}.example.com`, `${crypto.randomUUID()}.example.com`];
  const { workspace, endpoint } = await sending(host, 2);
  const steps: string[] = [];
  const db = {
    prepare: (text: string) => env.DB.prepare(text),
    batch: async (statements: D1PreparedStatement[]) => {
      const answers = await env.DB.batch(statements);
      steps.push("D1");
      return answers;
    },
  } as D1Database;
  const grantPosts = async (asked: string, granted: Record<string, number>) => {
    steps.push(asked);
    return { granted, waitSeconds: {} };
  };
  const { posted, send } = recordingServices({ db, grantPosts });
  const [first, second] = (await lease(workspace)).map((message) => [message]);
  await send(first ?? []);
  await sql("UPDATE webhook_endpoints SET url = ? WHERE id = ?", `https://${newHost}/hook`, endpoint.id);
  await send(second ?? []);
  expect(steps).toEqual([host, "D1", "D1", host, "D1", newHost, "D1"]);
  expect(posted).toHaveLength(2);
});

it("each port on loopback counts as a separate host [N15]", async () => {
  stopClock();
  onTestFinished(startClock);
  const [one, two] = [await sending("127.0.0.1:4001", 60), await sending("127.0.0.1:4002", 60)];
  const { posted, waiting, send } = recordingServices();
  for (const { workspace } of [one, two]) await send(await lease(workspace));
  expect([posted.length, waiting.length]).toEqual([80, 40]);
});

it("each waiting delivery is sent only once", async () => {
  const { workspace, endpoint } = await sending(`${crypto.randomUUID()}.example.com`, 45);
  const { posted, waiting, send } = recordingServices();
  await send(await lease(workspace));
  for (let turn = 0; waiting.length > 0 && turn < 10; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await send(waiting.splice(0).map(({ body }) => body));
  }
  expect([posted.length, new Set(posted).size]).toEqual([45, 45]);
  expect((await deliveriesOf(endpoint)).every(({ attempts }) => attempts === 1)).toBe(true);
});

it("a workspace may have at most 10 endpoints on one host, however it is spelled [N15]", async () => {
  const workspace = await makeWorkspace();
  const spellings = [
    "http://localhost",
    "HTTP://LocalHost:8443",
    "http://ｌｏｃａｌｈｏｓｔ.",
    "https://LOCALHOST:443",
  ];
  for (let index = 0; index < 10; index += 1)
    await insertEndpoint(workspace, { url: `${spellings[index % spellings.length]}/é${index}` });
  const elsewhere = await insertEndpoint(workspace, { url: "http://localhost.example.org/" });
  const full = {
    message: "A workspace can have at most 10 webhook endpoints on the same host",
    hint: "delete an endpoint first",
  };
  const url = "http://LOCALHOST:8080/hook";
  for (const spelling of [url, "http://localhost.:8912/", "https://localhost/"]) {
    expect(await refusal(workspace, "create-webhook-endpoint", { url: spelling }), spelling).toEqual(full);
    const moved = { id: elsewhere, url: spelling };
    expect(await refusal(workspace, "update-webhook-endpoint", moved), spelling).toEqual(full);
  }
  await sql(
    "UPDATE webhook_endpoints SET deleted_at = created_at WHERE organization_id = ? AND url = 'http://localhost/é0'",
    workspace.organizationId,
  );
  const atOnce = [url, "http://LocalHost:8081/", "http://localhost./"].map((spelling) =>
    admin(workspace, "create-webhook-endpoint", { url: spelling }),
  );
  const made = (await Promise.allSettled(atOnce)).filter(({ status }) => status === "fulfilled");
  expect(made).toHaveLength(1);
});

it("a delivery keeps its newest 20 attempts [N15]", async () => {
  const { workspace, endpoint } = await sending(`${crypto.randomUUID()}.example.com`, 1);
  const [{ id } = { id: "" }] = await deliveriesOf(endpoint);
  await sql(
    `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, latency_ms)
     SELECT ?, ?, value, strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || value || ' minutes'), 1
     FROM json_each(?)`,
    workspace.organizationId,
    id,
    JSON.stringify(Array.from({ length: 25 }, (_, index) => index)),
  );
  await sql("UPDATE webhook_deliveries SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = ?", id);
  await recordingServices().send(await lease(workspace));
  const { results } = await env.DB.prepare(
    "SELECT attempt_number FROM webhook_attempts WHERE delivery_id = ? ORDER BY attempted_at",
  )
    .bind(id)
    .all<{ attempt_number: number }>();
  const numbers = results.map(({ attempt_number }) => attempt_number);
  expect(numbers).toEqual([...Array.from({ length: 19 }, (_, index) => index + 6), 1]);
});
