/**
 * Drives the TypeScript client with the protocol in ../README.md: one JSON request per line in, one JSON response per
 * line out.
 */
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Following,
  PartnerApiError,
  type PartnerApiOptions,
  partnerApi,
  RefusedError,
  requestIdOf,
  signDelivery,
} from "../../../../client/src/index.ts";
import type { Listing } from "../../../../client/src/listing.ts";
import { sqliteStore } from "../../../../client/src/stores/sqlite.ts";
import { type DriverRequest, lineOf } from "../protocol.ts";

const { JITTER } = process.env;
if (JITTER) Math.random = () => Number(JITTER);

const say = (line: object) => process.stdout.write(`${lineOf(line)}\n`);
const followers = new Map<number, Following>();

function clientFor({ id, client }: DriverRequest) {
  const onRetry: PartnerApiOptions["onRetry"] = ({ retry, delayMs, error, method, path }) =>
    say({ id, retry, delayMs, error: error.name, method, path });
  return partnerApi({ ...(client as PartnerApiOptions), onRetry });
}

type Method = (...values: unknown[]) => unknown;
const methodOf = (request: DriverRequest): Method => {
  const [resource = "", name = ""] = (request.method ?? "").split(".");
  const resources: Record<string, Record<string, Method>> = { ...clientFor(request) } as never;
  return resources[resource]?.[name] as Method;
};

function connect({ file, name, table }: NonNullable<DriverRequest["store"]>) {
  const database = new DatabaseSync(file);
  const store = sqliteStore(database, name);
  return { database, store, table };
}

const operations: Record<string, (request: DriverRequest) => Promise<unknown>> = {
  async call(request) {
    const { values = [], body, options } = request;
    const isWrite = body !== undefined;
    const result = await methodOf(request)(...values, ...(isWrite ? [body ?? undefined] : []), options);
    if (result instanceof Response)
      return { base64: Buffer.from(await result.arrayBuffer()).toString("base64") };
    return { value: result, requestId: requestIdOf(result as object) };
  },
  async list(request) {
    const { values = [], query, options, walk = "items", max } = request;
    const listing = methodOf(request)(...values, query, options) as Listing<unknown>;
    if (walk === "page") return listing.page();
    if (walk === "all") return listing.all(max);
    if (walk === "pages") return (await Array.fromAsync(listing.pages())).map(({ data }) => data);
    const items: unknown[] = [];
    if (max === 0) return items;
    for await (const item of listing) if (items.push(item) === max) break;
    return items;
  },
  verify: async (request) => {
    const { webhooks } = clientFor(request);
    const check = request.scheme === "legacy" ? webhooks.verifyLegacy : webhooks.verify;
    return check(Buffer.from(request.raw ?? "", "base64"), request.headers ?? {});
  },
  sign: async ({ sign: [id, timestamp, body, secret] = ["", 0, "", ""] }) =>
    signDelivery(id, timestamp, body, secret),
  async catchUp(request) {
    const { database, store, table } = connect(request.store as never);
    await clientFor(request).events.catchUp({
      ...request.feed,
      store,
      handle: async (event, transaction) => {
        transaction.prepare(`INSERT INTO ${table} (event_id) VALUES (?)`).run(event.id);
        if (event.id === request.failAt) throw new Error("the disk is full");
      },
    });
    database.close();
  },
  async follow(request) {
    const { store, table } = connect(request.store as never);
    const following = clientFor(request).events.follow({
      ...request.feed,
      store,
      onOutage: ({ name }) => say({ id: request.id, outage: name }),
      handle: async (event, transaction) => {
        transaction.prepare(`INSERT INTO ${table} (event_id) VALUES (?)`).run(event.id);
        // Leaves time for a kill between the work and its commit.
        await sleep(1);
      },
    });
    followers.set(request.id, following);
    await following.finished;
  },
  receive: async ({ follower = 0, raw = "", headers = {} }) =>
    followers.get(follower)?.receive(Buffer.from(raw, "base64"), headers),
  stop: async ({ follower = 0 }) => followers.get(follower)?.stop(),
  async sync(request) {
    const { database, store, table } = connect(request.store as never);
    await clientFor(request).clients.sync({
      store,
      upsert: async (client, transaction) => {
        const { id, name, updated_at } = client;
        transaction.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`).run(id, name, updated_at);
        if (id === request.failAt) throw new Error("the disk is full");
        if (request.slow) await sleep(1);
      },
    });
    database.close();
  },
};

function told(error: unknown): object {
  const { name, message } = error as Error;
  if (!(error instanceof PartnerApiError)) return { isOurs: false, message };
  const common = { isOurs: true, name, message, retryable: error.retryable };
  if (!(error instanceof RefusedError)) return common;
  const { status, code, requestId, body, errors } = error;
  return { ...common, status, code: code ?? null, requestId, body, errors };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request: DriverRequest = JSON.parse(line);
  operations[request.do]?.(request).then(
    (result) => say({ id: request.id, result: result ?? null }),
    (error) => say({ id: request.id, error: told(error) }),
  );
}
// Stops the followers that are still running.
process.exit();
