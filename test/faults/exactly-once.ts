/**
 * Part of `npm run test:faults`: partners write with Idempotency-Keys while the service is killed with SIGKILL at
 * random times and restarted on the same state. Each partner retries a request with its key until it succeeds, as the
 * contract requires. In the end, each key must have created exactly one row, and every response must contain that row's
 * id.
 */

import { setTimeout as pause } from "node:timers/promises";
import { migrateDatabase } from "./migrate.ts";
import { between, startTemporaryService } from "./service.ts";

const kills = Number(process.env.KILLS ?? 20);
const partners = 12;
/** Deliverables to which all partners append versions. Each can have at most 500. */
const chains = 5;
/** How long the service runs under load before each kill. */
const lifeMs = { least: 100, most: 1_200 };
/** The lease (30 s) of a key that was in use during a kill must expire first. This allows more than twice that time. */
const settleWithinMs = 75_000;

const smallestGif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

interface Written {
  path: string;
  key: string;
  body: object;
  /** The ids from the responses, which must all be the same. */
  ids: Set<string>;
  requests: number;
  /** Requests that got no response or a 5xx. */
  interrupted: number;
}

await using service = await startTemporaryService();
let isUp = true;
const written: Written[] = [];

process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  await migrateDatabase(service);
  const workspace = await prepare();

  const stop = new AbortController();
  const writing = Array.from({ length: partners }, (_, index) => writeUntil(stop.signal, index, workspace));
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(between(lifeMs));
    isUp = false;
    await service.kill();
    await service.restart();
    isUp = true;
    console.log(`kill ${kill} of ${kills}: ${written.length} keys so far`);
  }
  stop.abort();
  const startedMs = Date.now();
  await Promise.race([Promise.all(writing), pause(settleWithinMs)]);
  return report(Date.now() - startedMs);
}

async function prepare() {
  await service.sql(
    "INSERT INTO plans (name, api_access, requests_per_minute) VALUES ('unlimited', 1, 1000000)",
  );
  const { id: organization } = await service.admin<{ id: string }>("create-organization", {
    name: "Exactly once",
    slug: "exactly-once",
    plan: "unlimited",
    owner_email: "owner@example.com",
  });
  const { token } = await service.admin<{ token: string }>("create-api-token", {
    organization,
    name: "faults",
    scopes: "client:write,project:write,time:write,invoice:write,deliverable:write",
  });
  const made = async (path: string, body: object) => {
    const response = await service.call(path, { token, body, key: crypto.randomUUID() });
    return ((await response.json()) as { id: string }).id;
  };
  const client_id = await made("/api-v1/clients", { client_name: "Ada" });
  const project_id = await made("/api-v1/projects", { client_id, name: "Relaunch" });
  const logo = { client_id, project_id, title: "Logo", embed_url: "https://example.com/logo" };
  const deliverables = await Promise.all(
    Array.from({ length: chains }, () => made("/api-v1/deliverables", logo)),
  );
  return { token, client_id, project_id, deliverables };
}

type Workspace = Awaited<ReturnType<typeof prepare>>;

/**
 * Alternates between a single row, rows with children, an image with its rows, and a version chain that all partners
 * append to.
 */
function request(turn: number, { client_id, project_id, deliverables }: Workspace): [string, object] {
  switch (turn % 4) {
    case 0:
      return ["/api-v1/time-entries", { project_id, hours: 1, spent_date: "2026-01-31" }];
    case 1:
      return [
        "/api-v1/invoices",
        { client_id, line_items: [{ description: "Design", quantity: 1, unit_price: 95 }] },
      ];
    case 2:
      return ["/api-v1/deliverables", { client_id, title: "Poster", image_base64: smallestGif }];
    default:
      return [
        `/api-v1/deliverables/${deliverables[(turn >> 2) % chains]}/versions`,
        { note: "Another round" },
      ];
  }
}

/** Writes with one key after another. Interrupted requests are retried while the next ones are sent. */
async function writeUntil(signal: AbortSignal, partner: number, workspace: Workspace): Promise<void> {
  const aside: Promise<void>[] = [];
  for (let turn = partner; !signal.aborted; turn += 1) {
    const [path, body] = request(turn, workspace);
    const one: Written = {
      path,
      body,
      key: crypto.randomUUID(),
      ids: new Set(),
      requests: 0,
      interrupted: 0,
    };
    written.push(one);
    await attempt(one, workspace.token);
    if (one.ids.size === 0) aside.push(repeatUntilItSucceeds(one, workspace.token));
  }
  await Promise.all(aside);
}

async function repeatUntilItSucceeds(one: Written, token: string): Promise<void> {
  while (one.ids.size === 0) {
    await pause(500 + Math.random() * 1_000);
    await attempt(one, token);
  }
}

async function attempt(one: Written, token: string): Promise<void> {
  while (!isUp) await pause(20);
  one.requests += 1;
  let answer: { id: string; code?: string; error?: string };
  let status: number;
  try {
    const response = await service.call(one.path, { token, body: one.body, key: one.key });
    status = response.status;
    answer = (await response.json()) as typeof answer;
  } catch {
    one.interrupted += 1;
    return;
  }
  if (status < 300) one.ids.add(answer.id);
  else if (status >= 500) one.interrupted += 1;
  else if (answer.code !== "idempotency_key_in_progress") throw new Error(`${one.path}: ${answer.error}`);
}

async function report(settledAfterMs: number): Promise<boolean> {
  // Sends interrupted requests once more. The response must have the same id as the first success.
  const answeredTwice = written.filter(({ ids }) => ids.size === 1);
  const { token } = { token: await freshToken() };
  for (const one of answeredTwice.filter(({ interrupted }) => interrupted > 0)) {
    const response = await service.call(one.path, { token, body: one.body, key: one.key });
    one.ids.add(((await response.json()) as { id: string }).id);
  }
  const [rows] = await service.sql<Record<string, number>>(`SELECT
    (SELECT count(*) FROM time_entries) AS time_entries, (SELECT count(*) FROM invoices) AS invoices,
    (SELECT count(*) FROM invoice_line_items) AS lines, (SELECT count(*) FROM deliverables) - ${chains} AS deliverables,
    (SELECT count(*) FROM deliverable_versions WHERE version_number > 1) AS versions,
    (SELECT count(*) FROM deliverable_versions v LEFT JOIN deliverable_versions p ON p.deliverable_id = v.deliverable_id
      AND p.version_number = v.version_number - 1 WHERE v.previous_hash IS NOT p.hash) AS broken_links`);
  const keys = (part: string) => written.filter(({ path }) => path.endsWith(part)).length;
  const promises: Record<string, [number | undefined, number]> = {
    "time entries": [rows?.time_entries, keys("time-entries")],
    invoices: [rows?.invoices, keys("invoices")],
    "invoice lines": [rows?.lines, keys("invoices")],
    deliverables: [rows?.deliverables, keys("deliverables")],
    versions: [rows?.versions, keys("versions")],
    "broken links in the hash chain": [rows?.broken_links, 0],
    "keys without a success": [written.filter(({ ids }) => ids.size === 0).length, 0],
    "keys whose answers named several rows": [written.filter(({ ids }) => ids.size > 1).length, 0],
  };
  console.table(
    Object.fromEntries(
      Object.entries(promises).map(([name, [found, expected]]) => [name, { found, expected }]),
    ),
  );
  console.table({
    "SIGKILLs under load": kills,
    "keys written under": written.length,
    "of them interrupted and repeated": written.filter(({ interrupted }) => interrupted > 0).length,
    "requests in all": written.reduce((sum, { requests }) => sum + requests, 0),
    "seconds from the last kill to all settled": Math.round(settledAfterMs / 1000),
  });
  const held = Object.values(promises).every(([found, expected]) => found === expected);
  console.log(held ? "Every key made exactly one row." : "A key made no row, or more than one.");
  return held;
}

async function freshToken(): Promise<string> {
  const { token } = await service.admin<{ token: string }>("create-api-token", {
    organization: "exactly-once",
    name: "check",
    scopes: "client:write,project:write,time:write,invoice:write,deliverable:write",
  });
  return token;
}
