/**
 * `npm run drill:restore` follows the restore runbook (docs/operations.md) with a local server. It restores the
 * database to a time before the newest migration; coordinators and buckets keep their state, as in production. Exits
 * with 0 only if nothing else was lost.
 */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AdminConnection } from "./admin/connection.ts";
import { runSteps } from "./admin/run-steps.ts";
import { type DemoContext, expectAnswer, type JsonFields } from "./demo/context.ts";
import { directory, runDrill, serving, state } from "./local/drill.ts";
import { stepBack } from "./migration/step-back.ts";

const database = join(state.directory, "v3", "d1");
const backup = join(directory, "backup");

await runDrill(async () => {
  const kept = await serving("open", prepare);
  cpSync(database, backup, { recursive: true });
  const since = await serving("open", (context) => live(context, kept));
  rmSync(database, { recursive: true });
  cpSync(backup, database, { recursive: true });
  console.log(`\nThat was before the migration ${stepBack(database)}, which the start applies`);
  await serving("closed", recover);
  await serving("open", (context) => check(context, kept, since));
  console.log("\nNothing else was lost.");
});

interface Kept {
  /** Valid before and after the restore. */
  token: string;
  /** Revoked after the restore point. */
  revoked: string;
  revokedId: string;
  clientId: string;
  /** A feed reader's cursor at the restore point. */
  cursor: string;
}

interface Since {
  /** The same reader's cursor just before the restore. */
  cursor: string;
  lastNumber: number;
}

async function prepare({ admin, call, server, step }: DemoContext): Promise<Kept> {
  const create = (name: string): Promise<JsonFields> =>
    admin("create-api-token", {
      name,
      scopes: "client:read,client:write,invoice:read,deliverable:read,project:read",
    });
  const [kept, revoked] = [await create("Kept"), await create("Revoked later")];
  const person = { client_name: "Nora Wind", email: "nora@northwind.example" };
  const client = await call("/api-v1/clients", { body: person, key: "drill" });
  const feed = await call("/api-v1/events", { token: kept.token });
  await step(
    "two tokens, a client and a reader of the feed are there: to this moment the database goes back",
    async () => {
      expectAnswer(client, 201);
      expectAnswer(feed, 200);
      return server.base_url;
    },
  );
  return {
    token: kept.token,
    revoked: revoked.token,
    revokedId: revoked.id,
    clientId: client.body.id,
    cursor: feed.body.latest_cursor,
  };
}

/** Issues an invoice in the demo workspace, which fires an event, and returns its number. */
async function issue({ call, admin }: DemoContext): Promise<number> {
  const drafts = await call("/api-v1/invoices?status=draft&limit=1");
  const { number } = await admin("issue-invoice", { id: drafts.body.data[0].id });
  return Number(/\d+$/.exec(number)?.[0]);
}

async function readFeed({ call }: DemoContext, token: string, cursor: string): Promise<JsonFields> {
  return (await call(`/api-v1/events?limit=200&cursor=${cursor}`, { token })).body;
}

async function live(context: DemoContext, { token, revokedId, clientId, cursor }: Kept): Promise<Since> {
  const { admin, server, step } = context;
  const lastNumber = await issue(context);
  await step("a token was revoked, an invoice issued, a client erased, and the reader read on", async () => {
    await admin("revoke-api-token", { id: revokedId });
    for (let next: string | null | undefined; next !== null; )
      ({ next } = await admin("erase-client", { id: clientId, ...(next && { position: next }) }));
    return `the last invoice has the number ${lastNumber}`;
  });
  await fetch(`${server.base_url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`, { method: "POST" });
  return { cursor: (await readFeed(context, token, cursor)).latest_cursor, lastNumber };
}

async function recover({ call, step }: DemoContext, connection: AdminConnection): Promise<void> {
  await step("the database is back, and nobody is let in", async () => {
    const refused = await call("/api-v1/clients");
    expectAnswer(refused, 503);
    return `Retry-After: ${refused.headers.get("retry-after")}`;
  });
  await step("after-restore", async () => {
    const outcome = await runSteps(connection, "after-restore", {}, undefined);
    assert.ok(outcome.ok, outcome.ok ? "" : outcome.message);
    return JSON.stringify(outcome.result);
  });
}

async function check(context: DemoContext, kept: Kept, since: Since): Promise<void> {
  const { call, step } = context;
  await step("the revoked token is refused, the other one works", async () => {
    expectAnswer(await call("/api-v1/clients", { token: kept.revoked }), 401);
    expectAnswer(await call("/api-v1/clients", { token: kept.token }), 200);
    return undefined;
  });
  await step("the client's person is erased", async () => {
    const { body } = await call(`/api-v1/clients/${kept.clientId}`);
    assert.deepEqual([body.email, body.status], [null, "archived"]);
    return body.name;
  });
  const number = await issue(context);
  await step("no invoice number is given twice", async () => {
    assert.equal(number, since.lastNumber + 1);
    return `the next one is ${number}`;
  });
  await step("the reader of the feed misses no event", async () => {
    const { data } = await readFeed(context, kept.token, since.cursor);
    const told = data.filter(({ event }: JsonFields) => event === "invoice.sent");
    assert.equal(told.length, 1, JSON.stringify(data));
    return `${data.length} new: ${told[0].event} ${told[0].data.number}`;
  });
}
