import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import openapi from "../../openapi.json";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { migrateDatabase } from "../faults/migrate.ts";
import { bundleInto, type RunningService, startKillableService } from "../faults/service.ts";
import { checkOut, isReleaseHere, migrationsIn, release, withoutRelease } from "./release.ts";

/**
 * The release before this one and this one, side by side, as during a deploy: the old code on its own migrations, then
 * under the new ones, and each code with the other's coordinators. What one did, the other repeats from the ledger under
 * the same key.
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
  bundles = { old: await bundleInto(before, before), new: await bundleInto(after) };
});
afterAll(() => isReleaseHere && rmSync(directory, { recursive: true }));

/** The others name these. */
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
}

/** Every write that a partner has, with its example, and what an admin and the minute do with it. */
async function workThrough(service: RunningService, slug: string): Promise<Work> {
  const owner = { name: slug, slug, plan: "agency", owner_email: `${slug}@example.com` };
  const { id } = await service.admin<{ id: string }>("create-organization", owner);
  const here = { organization: id };
  await service.admin("set-feature", { ...here, feature: "connector_api_ingest", enabled: true });
  const scopes =
    "client:write,project:write,time:write,invoice:write,deliverable:write,deliverable:send,request:write";
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
  return { token, writes };
}

/** The id in the answer to a write, which succeeds. */
async function idOf(service: RunningService, token: string, write: Omit<Write, "id">): Promise<string> {
  const answer = await service.call(write.path, { token, ...write });
  const body = (await answer.json()) as { id: string };
  expect([write.path, answer.status < 300 || body]).toEqual([write.path, true]);
  return body.id;
}

/**
 * Sends every write again under its key: the same records are answered, and nothing is added. The path of before the
 * first version takes no key.
 */
async function repeat(service: RunningService, { token, writes }: Work): Promise<void> {
  const rows = () => service.sql("SELECT id, record_count, storage_bytes FROM organizations ORDER BY id");
  const before = await rows();
  for (const write of writes.filter(({ path }) => path !== "/api-create-deliverable"))
    expect([write.path, await idOf(service, token, write)]).toEqual([write.path, write.id]);
  expect(await rows()).toEqual(before);
}

it("the old code works under the new migrations, either with the other's coordinators [B4]", async (context) => {
  if (!isReleaseHere) context.skip(withoutRelease);
  const state = join(directory, "state");
  const on = async <T>(
    worker: string,
    coordinatorBundle: string,
    work: (service: RunningService) => Promise<T>,
  ) => {
    const service = await startKillableService(state, worker, localGatewayKey(), { coordinatorBundle });
    try {
      return await work(service);
    } finally {
      await service.kill();
    }
  };
  const [before, after] = [bundles.old, bundles.new];
  const first = await on(before, before, async (service) => {
    await migrateDatabase(service, migrationsIn(join(directory, "before", "migrations")));
    const beforeMigrations = await workThrough(service, "old-on-old");
    await migrateDatabase(service);
    await repeat(service, beforeMigrations);
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
  });
});
