import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { deliveryHeaders, signingKeys } from "../../src/webhooks/sending/sign.ts";
import { hasPython } from "../support/python.ts";

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "webhooks.md"), "utf8");
const [opening = "", verifying = ""] = page.split(/^(?=## Verify$)/m);
const codeIn = (language: string, section = verifying) =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(section)?.[1] ?? "";
const vector = Object.fromEntries(
  [...codeIn("text").matchAll(/^(\S+) +(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);
const given = (name: string): string => vector[name] ?? "";

const folder = join(root, ".wrangler", `webhooks-page-${crypto.randomUUID()}`);
beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

const nowSeconds = Math.floor(Date.now() / 1000);
const secret = given("secret");
const body = given("body");

const signed = async (timestampSeconds = nowSeconds): Promise<Record<string, string>> =>
  deliveryHeaders({
    id: given("webhook-id"),
    eventId: crypto.randomUUID(),
    event: "invoice.paid",
    isTest: true,
    attempt: 1,
    timestampSeconds,
    body,
    keys: [await signingKeys(secret)],
  });

/** The JavaScript for each library, with the changes that the page describes for svix. */
const javascript = {
  "the client": codeIn("js", opening).replace("partner-api-client", join(root, "client", "src", "index.ts")),
  standardwebhooks: codeIn("js"),
  svix: codeIn("js")
    .replace('"standardwebhooks"', '"svix"')
    .replace(/const event = (webhook\.verify\(.*\);)/, "$1\n    const event = JSON.parse(rawBody);"),
};

const attempts: [string, boolean, (headers: Record<string, string>) => Record<string, string>][] = [
  ["a delivery", true, (headers) => headers],
  [
    "one among several signatures",
    true,
    (headers) => with_(headers, `v1,AAAA ${headers["webhook-signature"]}`),
  ],
  ["another signature", false, (headers) => with_(headers, "v1,AAAA")],
  ["no webhook-id", false, ({ "webhook-id": _, ...headers }) => headers],
  ["no webhook-timestamp", false, ({ "webhook-timestamp": _, ...headers }) => headers],
  ["no webhook-signature", false, ({ "webhook-signature": _, ...headers }) => headers],
  ["an invalid timestamp", false, (headers) => ({ ...headers, "webhook-timestamp": "soon" })],
  ["no headers at all", false, () => ({})],
];
const with_ = (headers: Record<string, string>, signature: string) => ({
  ...headers,
  "webhook-signature": signature,
});

describe("docs/webhooks.md", () => {
  it("names every delivery header, and the feed for recovery [W8]", async () => {
    const named = Object.keys(await signed()).filter((name) => /^(webhook|x-svc)-/i.test(name));
    expect(named).toHaveLength(9);
    expect(named.filter((name) => !page.includes(name))).toEqual([]);
    expect(/^## Recover$.*?^## /ms.exec(page)?.[0]).toContain("/api-v1/events?updated_since=");
  });

  it("has a test vector with the service's signatures", async () => {
    const headers = await signed(Number(given("webhook-timestamp")));
    expect(headers["webhook-signature"]).toBe(given("webhook-signature"));
    expect(headers["X-Svc-Signature"]).toBe(given("X-Svc-Signature"));
  });

  describe.each(Object.entries(javascript))("the JavaScript with %s", (library, code) => {
    it("accepts the service's deliveries and rejects others", async () => {
      const file = join(folder, `${library}.mjs`);
      writeFileSync(file, code);
      process.env.WEBHOOK_SECRET = secret;
      const { POST } = await import(/* @vite-ignore */ file);
      const log = vi.spyOn(console, "log").mockImplementation(() => {});
      onTestFinished(() => log.mockRestore());
      for (const [title, isOurs, change] of attempts) {
        const headers = change(await signed());
        const answer = await POST(new Request("https://x.example", { method: "POST", headers, body }));
        expect([title, answer.status]).toEqual([title, isOurs ? 204 : 400]);
      }
      expect(log.mock.calls[0]).toEqual(["invoice.paid", JSON.parse(body).data]);
      const stale = { method: "POST", headers: await signed(nowSeconds - 600), body };
      expect((await POST(new Request("https://x.example", stale))).status).toBe(400);
    });
  });

  it.runIf(hasPython)("the Python code accepts the service's deliveries and rejects others", async () => {
    writeFileSync(join(folder, "ours.py"), codeIn("python"));
    writeFileSync(join(folder, "client.py"), codeIn("python", opening));
    const stale = await signed(nowSeconds - 600);
    const asked = await Promise.all(
      attempts.map(async ([title, isOurs, change]) => ({ title, isOurs, headers: change(await signed()) })),
    );
    asked.push({ title: "a stale one", isOurs: false, headers: stale });
    writeFileSync(join(folder, "asked.json"), JSON.stringify({ secret, body, asked }));
    const program = `
import json
from ours import is_ours
from client import status_of
given = json.load(open("asked.json"))
for each in given["asked"]:
    body = given["body"].encode()
    assert is_ours(given["secret"], each["headers"], body) is each["isOurs"], each["title"]
    assert status_of(body, each["headers"]) == (204 if each["isOurs"] else 400), each["title"]
`;
    writeFileSync(join(folder, "check.py"), program);
    const env = { ...process.env, WEBHOOK_SECRET: secret, PYTHONPATH: join(root, "client-python") };
    execFileSync("python3", ["check.py"], { cwd: folder, stdio: "pipe", env });
  });
});
