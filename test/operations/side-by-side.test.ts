import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import openapi from "../../openapi.json";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { migrateDatabase } from "../faults/migrate.ts";
import { bundleInto, type RunningService, startKillableService } from "../faults/service.ts";
import { throughFrontOf } from "./previous-front.ts";
import {
  checkOut,
  isReleaseHere,
  migrationsIn,
  presentMigrations,
  release,
  withoutIcons,
  withoutRelease,
} from "./release.ts";

/**
 * Runs the previous release and this one side by side, as during a deploy: the old code with the old and then the new
 * migrations, and each version with the other's coordinators. Each version replays the other's requests from the
 * ledger.
 */

const root = join(import.meta.dirname, "..", "..");
let directory: string;
let bundles: Record<"old" | "new", string>;

beforeAll(async () => {
  if (!isReleaseHere) return;
  directory = mkdtempSync(join(tmpdir(), "side-by-side-"));
  const [before, after] = ["before", "after"].map((name) => join(directory, name)) as [string, string];
  for (const folder of [before, after]) mkdirSync(folder);
  checkOut(release, ["src", "migrations", "package.json", "tsconfig.json"], before);
  symlinkSync(join(root, "node_modules"), join(before, "node_modules"));
  bundles = { old: await bundleInto(before, before, [withoutIcons]), new: await bundleInto(after) };
});
afterAll(() => isReleaseHere && rmSync(directory, { recursive: true }));

/** Routes of records that other records refer to. */
const first = ["/api-v1/clients", "/api-v1/projects", "/api-v1/deliverables"];
const paths = Object.entries(openapi.paths).flatMap(([path, methods]) => ("post" in methods ? [path] : []));
const firstToLast = [...first, ...paths.filter((path) => !first.includes(path))];

interface Write {
  path: string;
  body: object;
  key: string;
  id: string;
}

interface Work {
  token: string;
  writes: Write[];
  /** Each list's second page, and the feed from the reader's position. */
  pages: string[];
}

/** Sends every API write with its example, and runs admin operations and the cron on the records. */
async function workThrough(service: RunningService, slug: string): Promise<Work> {
  const owner = { name: slug, slug, plan: "agency", owner_email: `${slug}@example.com` };
  const { id } = await service.admin<{ id: string }>("create-organization", owner);
  const here = { organization: id };
  await service.admin("set-feature", { ...here, feature: "connector_api_ingest", enabled: true });
  const scopes = [
    ...["client", "project", "time", "invoice", "deliverable"].flatMap((one) => [
      `${one}:read`,
      `${one}:write`,
    ]),
    ...["deliverable:send", "request:write"],
  ].join();
  const { token } = await service.admin<{ token: string }>("create-api-token", {
    ...here,
    name: slug,
    scopes,
  });
  const writes: Write[] = [];
  for (const template of firstToLast) {
    const [client, project, deliverable] = writes.map((write) => write.id);
    const example = Object(openapi.paths)[template].post.requestBody.content["application/json"].examples
      .request;
    const body = {
      ...example.value,
      ...("client_id" in example.value && { client_id: client }),
      ...("project_id" in example.value && { project_id: project }),
    };
    const write = { path: template.replace("{id}", deliverable ?? ""), body, key: crypto.randomUUID() };
    writes.push({ ...write, id: await idOf(service, token, write) });
  }
  const invoice = writes.find(({ path }) => path === "/api-v1/invoices")?.id;
  await service.admin("issue-invoice", { ...here, id: invoice });
  await service.admin("record-payment", { ...here, invoice, amount: 10, collected_via: "offline" });
  await service.minute();
  const pages = await Promise.all(listPaths.map((path) => nextPage(service, token, path)));
  return { token, writes, pages: pages.filter((page) => page !== null) };
}

const listPaths = Object.entries(openapi.paths).flatMap(([path, methods]) => {
  const parameters = Object(methods).get?.parameters ?? [];
  const isList = parameters.some(({ $ref, name }: Record<string, string>) =>
    (name ?? $ref ?? "").endsWith("cursor"),
  );
  return isList && !path.includes("{") ? [path] : [];
});

const read = (service: RunningService, token: string, path: string) =>
  fetch(new URL(path, service.baseUrl), {
    headers: { apikey: localGatewayKey(), authorization: `Bearer ${token}` },
  });

async function nextPage(service: RunningService, token: string, path: string): Promise<string | null> {
  const answer = await read(service, token, `${path}?limit=1`);
  const { latest_cursor, next_cursor } = (await answer.json()) as Record<string, string | null>;
  const cursor = latest_cursor ?? next_cursor ?? null;
  return cursor && `${path}?limit=1&cursor=${encodeURIComponent(cursor)}`;
}

async function idOf(service: RunningService, token: string, write: Omit<Write, "id">): Promise<string> {
  const answer = await service.call(write.path, { token, ...write });
  const body = (await answer.json()) as { id: string };
  expect([write.path, answer.status < 300 || body]).toEqual([write.path, true]);
  return body.id;
}

/**
 * Repeats every write with its key, and expects the same records, no new rows and working cursors. The legacy create
 * has no key.
 */
async function repeat(service: RunningService, { token, writes, pages }: Work): Promise<void> {
  for (const page of pages) expect([page, (await read(service, token, page)).status]).toEqual([page, 200]);
  const rows = () => service.sql("SELECT id, record_count, storage_bytes FROM organizations ORDER BY id");
  const before = await rows();
  for (const write of writes.filter(({ path }) => path !== "/api-create-deliverable"))
    expect([write.path, await idOf(service, token, write)]).toEqual([write.path, write.id]);
  expect(await rows()).toEqual(before);
}

/** Expects the new code to return 503 until its migrations are applied, and to log the first missing one. */
async function waitForMigrations(
  service: RunningService,
  { token, writes: [write], pages }: Work,
  printed: readonly string[],
  released: ReadonlyMap<string, string>,
): Promise<void> {
  const missing = [...presentMigrations.keys()].find((name) => !released.has(name));
  if (missing === undefined || write === undefined) return;
  const answers = [
    ...(await Promise.all(pages.map((page) => read(service, token, page)))),
    await service.call(write.path, { token, ...write, key: crypto.randomUUID() }),
  ];
  for (const { status, headers } of answers)
    expect([status, headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  await service.minute();
  await expect.poll(() => printed.join("")).toContain(`the database lacks the migration ${missing}`);
  // Only the figures of tables that the release lacks are unavailable.
  await expect
    .poll(() => printed.join(""))
    .toMatch(/"minute":\{"due":\d+.*"unread":\[("\w*mail_events\w*",?)*\]/);
}

/** Repeats the work through a front with the service as its only cell. */
const repeatThroughFront = (sources: string, cell: RunningService, work: Work): Promise<void> =>
  throughFrontOf(sources, cell, work.token, async (service) => {
    await repeat(service, work);
    expect((await read(service, `svc_${"0".repeat(36)}`, "/api-v1/clients")).status).toBe(401);
  });

it("old code works with new migrations, and each version works with the other's front [B4, Z9]", async (context) => {
  if (!isReleaseHere) context.skip(withoutRelease);
  const state = join(directory, "state");
  const printed: string[] = [];
  const on = async <T>(
    worker: string,
    coordinatorBundle: string,
    work: (service: RunningService) => Promise<T>,
  ) => {
    const service = await startKillableService(state, worker, localGatewayKey(), {
      coordinatorBundle,
      onPrinted: (text) => void printed.push(text),
    });
    try {
      return await work(service);
    } finally {
      await service.kill();
    }
  };
  const [before, after] = [bundles.old, bundles.new];
  const released = migrationsIn(join(directory, "before", "migrations"));
  const beforeMigrations = await on(before, before, async (service) => {
    await migrateDatabase(service, released);
    return workThrough(service, "old-on-old");
  });
  expect(beforeMigrations.pages.length).toBeGreaterThan(2);
  await on(after, before, (service) => waitForMigrations(service, beforeMigrations, printed, released));
  const first = await on(before, before, async (service) => {
    await migrateDatabase(service);
    await repeatThroughFront(root, service, beforeMigrations);
    return workThrough(service, "old-with-old");
  });
  const second = await on(after, before, async (service) => {
    await repeat(service, first);
    return workThrough(service, "new-with-old");
  });
  const third = await on(before, after, async (service) => {
    await repeat(service, second);
    return workThrough(service, "old-with-new");
  });
  await on(after, after, async (service) => {
    for (const work of [first, second, third]) await repeat(service, work);
    // Releases from before the first front have no front to test.
    const front = join(directory, "before");
    if (existsSync(join(front, "src", "front"))) await repeatThroughFront(front, service, third);
  });
});
