import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { expect, it, onTestFinished } from "vitest";
import { certify } from "../../client/cli/certify/certify.ts";
import { d1StoreTables } from "../../client/src/stores/d1.ts";
import { freePort } from "../../scripts/local/port.ts";
import { openPort } from "../support/open-port.ts";
import { all, partnerOfService } from "./partner.ts";
import { environmentOf, runCode, snippets, startCode } from "./snippets.ts";

/** Tests the feed the way partners use it, with a service run by `npm start` and a workspace without other events. */
const partner = partnerOfService(async ({ server, admin }) => {
  const slug = "followed";
  const owner_email = "owner@followed.example";
  await admin("create-organization", {
    name: "Followed",
    slug,
    plan: "agency",
    owner_email,
    currency: "EUR",
  });
  const scopes = "client:read,client:write,invoice:read,invoice:write";
  const { token = "" } = await admin("create-api-token", { organization: slug, name: "events", scopes });
  await admin("create-client", { organization: slug, company_name: "Who pays" });
  return { ...server, organization: slug, token };
});

function rowsOf(file: string, sql: string, value: number): unknown[] {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare(sql).all(value);
    database.close();
    return rows;
  } catch {
    return [];
  }
}

const environment = () => environmentOf(partner().server);
const first = snippets.find((code) => code.includes("memoryStore")) ?? "";
const follower = snippets.find((code) => code.includes("createServer")) ?? "";
const worker = snippets.find((code) => code.includes("scheduled")) ?? "";
const route = snippets.find((code) => code.includes("POST")) ?? "";

async function payAnInvoice(amount: number): Promise<string> {
  const [client] = (await partner().api.clients.list({ limit: 1 }).page()).data;
  const line_items = [{ description: "Paid by a test", quantity: 1, unit_price: amount }];
  const { id } = await partner().api.invoices.create({ client_id: client?.id ?? "", line_items });
  await partner().admin("issue-invoice", { id });
  await partner().admin("record-payment", { invoice: id, amount: String(amount), collected_via: "stripe" });
  return id;
}

it("the README's first program prints events", async () => {
  await payAnInvoice(11);
  const { code, stdout, stderr } = await runCode(partner().directory, first, environment());
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+Z invoice\.paid \{$/m);
});

function startFollower(url: string, secret: string): void {
  const code = follower.replace("listen(3000)", `listen(${new URL(url).port})`);
  const child = startCode(partner().directory, code, { ...environment(), WEBHOOK_SECRET: secret });
  onTestFinished(() => void child.kill("SIGKILL"));
}

it("the README's follower handles each event once, right after its delivery", async () => {
  await payAnInvoice(12);
  const url = `http://127.0.0.1:${await freePort()}/`;
  const { secret = "", id = "" } = await partner().admin("create-webhook-endpoint", { url });
  startFollower(url, secret);
  const file = join(partner().directory, "partner.sqlite");
  const paid = (amount: number) =>
    rowsOf(file, "SELECT invoice_id, currency FROM payments WHERE amount = ?", amount);
  // The follower has already read the earlier events, so only a delivery can be this fast.
  await expect.poll(() => paid(12).length, { timeout: 60_000 }).toBe(1);
  const invoice = await payAnInvoice(13);
  await expect.poll(() => paid(13), { timeout: 25_000 }).toEqual([{ invoice_id: invoice, currency: "EUR" }]);
  await partner().admin("delete-webhook-endpoint", { id });
});

it("the README's follower passes certify", async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const secret = `whsec_${Buffer.alloc(32, 6).toString("base64")}`;
  startFollower(url, secret);
  const isUp = () =>
    fetch(url, { method: "POST" }).then(
      ({ status }) => status === 400,
      () => false,
    );
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
  const { checks } = await certify(url, secret, () => {});
  expect(checks.filter(({ held }) => !held)).toEqual([]);
});

it("the README's Worker stores each event once in D1", async () => {
  const source = join(partner().directory, "worker.mjs");
  writeFileSync(source, worker);
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    format: "esm",
    write: false,
    absWorkingDir: partner().directory,
  });
  const { base_url, apikey, token } = partner().server;
  const options = convertV4MiniflareOptions({
    modules: true,
    script: outputFiles[0]?.text ?? "",
    compatibilityDate: "2026-10-23",
    d1Databases: ["DB"],
    bindings: { API_URL: base_url, API_KEY: apikey, API_TOKEN: token },
  });
  const miniflare = new Miniflare(options);
  onTestFinished(() => miniflare.dispose());
  const database = await miniflare.getD1Database("DB");
  for (const table of `${d1StoreTables}CREATE TABLE seen (id TEXT, event TEXT) STRICT`.split(";\n")) {
    await database.prepare(table).run();
  }
  const scheduled = (await miniflare.getWorker()).scheduled;
  for (const _ of ["once", "again"]) await scheduled({ cron: "* * * * *" });
  const { results } = await database.prepare("SELECT id FROM seen").all<{ id: string }>();
  const feed = (await all(partner().api.events.list())).map(({ id }) => id);
  expect(results.map(({ id }) => id)).toEqual(feed);
});

it("the README's route verifies deliveries and rejects forged requests", async () => {
  const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
  const harness = `
    import { signDelivery } from "partner-api-client";
    const body = JSON.stringify({ event: "invoice.paid", data: { amount_received: 5, currency: "EUR" } });
    const time = Math.floor(Date.now() / 1000);
    const signature = await signDelivery("delivery", time, body, process.env.WEBHOOK_SECRET);
    const headers = { "webhook-id": "delivery", "webhook-timestamp": String(time), "webhook-signature": signature };
    for (const sent of [body, body + " "]) {
      const { status } = await POST(new Request("https://partner.example/", { method: "POST", headers, body: sent }));
      console.log(status);
    }`;
  const ran = await runCode(partner().directory, route + harness, {
    ...process.env,
    WEBHOOK_SECRET: secret,
  });
  expect(ran).toEqual({ code: 0, stdout: "5 EUR\n204\n400\n", stderr: "" });
});

it("partner-api listen forwards events to a local URL", async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.headers["x-svc-event"]}`);
    response.writeHead(204).end();
  });
  const url = await openPort(server);
  const command = join(partner().directory, "node_modules", ".bin", "partner-api");
  const child = spawn(command, ["listen", "--forward-to", url, "--types", "money"], { env: environment() });
  onTestFinished(() => {
    child.kill("SIGKILL");
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  await payAnInvoice(14);
  await expect.poll(() => received, { timeout: 60_000 }).toEqual(["invoice.sent", "invoice.paid"]);
});
