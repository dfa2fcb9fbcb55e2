import { execFile } from "node:child_process";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { expect, it, onTestFinished } from "vitest";
import { openPort } from "../support/open-port.ts";
import { Feed } from "./feed.ts";
import { cli, running } from "./running.ts";
import { scriptedService } from "./scripted-service.ts";

/** Would clear the terminal and rename its window if it were printed unescaped. */
const steering = "\u001b[2J\u001b]0;mine\u0007\u202e";

async function localReceiver(statuses: number[]) {
  const received: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ path: request.url, headers: request.headers, body });
    response
      .writeHead(statuses[received.length - 1] ?? 204, { location: "/elsewhere" })
      .end(steering.padEnd(100, "x"));
  });
  const url = `${await openPort(server)}/hooks`;
  onTestFinished(() => void server.close());
  return { received, url };
}

const listening = (parameters: string[], environment?: Record<string, string>) =>
  running(cli, ["listen", ...parameters], environment);

it("partner-api listen forwards events in order, signed with the secret that it prints", async () => {
  const feed = new Feed(() => 1);
  onTestFinished(() => feed.close());
  const baseUrl = await feed.listen();
  const before = 60;
  for (let count = 0; count < before; count++) feed.commit("before");
  const { received, url } = await localReceiver([204, 500, 204]);
  const started = Date.now();
  const process = listening(["--forward-to", url, "--types", "money"], {
    PARTNER_API_URL: baseUrl,
    PARTNER_API_KEY: "pk",
    PARTNER_API_TOKEN: "svc",
  });
  await expect.poll(process.printed, { timeout: 30_000 }).toContain("Forwarding to");
  for (const record of ["a", "b", "c"]) feed.commit(record);
  await expect.poll(() => process.printed().match(/invoice\.paid/g), { timeout: 30_000 }).toHaveLength(3);

  const secret = /whsec_[\w+/=]+/.exec(process.printed())?.[0] ?? "";
  expect(received.map(({ headers }) => headers["webhook-event-id"])).toEqual(feed.ids.slice(before));
  for (const { headers, body } of received) {
    const event = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(Object.keys(event as object)).toEqual(["event", "created_at", "data"]);
    expect(await verify(secret, body, String(headers["x-svc-signature"]))).toBe(true);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Svc-Webhooks/1.0",
      "x-svc-event": "invoice.paid",
      "x-svc-attempt": "1",
    });
    expect(headers["x-svc-delivery-id"]).toBe(headers["webhook-id"]);
    expect(headers["webhook-id"]).not.toBe(headers["webhook-event-id"]);
  }
  const filling = "x".repeat(80 - steering.length);
  expect(process.printed()).toMatch(/invoice\.paid +a {2}204 \(\d+ ms\)\n.* b {2}500 .*\n.* c {2}204 /);
  expect(process.printed()).toContain(`500 \\u001b[2J\\u001b]0;mine\\u0007\\u202e${filling} (`);
  expect(process.printed()).not.toContain(steering);
  const [query] = feed.queries;
  expect(query?.get("types")).toBe("money");
  // The local clock may be wrong, so listening starts from the end of the feed.
  expect(Date.parse(query?.get("updated_since") ?? "")).toBeLessThan(started - 3_600_000);
  process.end();
  expect(await process.ended).toBe(0);
});

it("partner-api listen begins at --since, signs with --secret and does not follow redirects", async () => {
  const feed = new Feed(() => 1);
  onTestFinished(() => feed.close());
  const baseUrl = await feed.listen();
  feed.commit("a");
  const { received, url } = await localReceiver([302]);
  const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
  const since = "2026-01-31T09:30:00Z";
  const credentials = ["--url", baseUrl, "--apikey", "pk", "--token", "svc"];
  const asked = ["--forward-to", url, "--since", since, "--secret", secret, ...credentials];
  const process = listening(asked);
  await expect.poll(process.printed, { timeout: 30_000 }).toMatch(/ a {2}302 \\u001b\[2J/);
  expect(received.map(({ path }) => path)).toEqual(["/hooks"]);
  const [delivery] = received;
  new Webhook(secret).verify(delivery?.body ?? "", delivery?.headers as Record<string, string>);
  expect(feed.queries[0]?.get("updated_since")).toBe(since);
  feed.close();
  await expect.poll(process.printed, { timeout: 60_000 }).toContain("The service is unreachable. Retrying");
  process.end("SIGTERM");
  expect(await process.ended).toBe(0);
});

it("partner-api listen skips events from before it started, even if an outage delayed the first request", async () => {
  const event = { event: "invoice.paid", created_at: "2026-01-31T09:30:00.000Z", subject_id: "a", data: {} };
  const page = (id: string, next_cursor: string | null, latest_cursor: string) => ({
    status: 200,
    body: { data: [{ ...event, id }], next_cursor, latest_cursor },
  });
  const outage = Array<"cut">(4).fill("cut");
  const { asked, baseUrl } = await scriptedService([
    page("1", "a", "a"),
    ...outage,
    page("2", null, "b"),
    page("3", null, "c"),
  ]);
  const { received, url } = await localReceiver([]);
  const process = listening(["--forward-to", url, "--url", baseUrl, "--apikey", "pk", "--token", "svc"]);
  await expect.poll(() => received.length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(received[0]?.headers["webhook-event-id"]).toBe("3");
  expect(process.printed()).toMatch(/^The service is unreachable[^\n]*\nForwarding to .*\n/);
  const [looked, again] = [asked.length, asked.length + 1];
  await expect.poll(() => asked.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(again);
  const pauseMs = (asked[looked]?.atMs ?? 0) - (asked[looked - 1]?.atMs ?? 0);
  expect([pauseMs > 2_900, pauseMs < 10_000]).toEqual([true, true]);
});

it("partner-api listen exits with 2 on a 401, and escapes control characters in the message", async () => {
  const { baseUrl } = await scriptedService([{ status: 401, body: { error: steering } }]);
  const process = listening([
    ...["--forward-to", "http://localhost:3000/", "--url", baseUrl],
    ...["--apikey", "pk", "--token", "svc"],
  ]);
  const patience = new Promise((resolve) => setTimeout(resolve, 60_000, "goes on"));
  expect(await Promise.race([process.ended, patience])).toBe(2);
  expect(process.printed()).toContain("401 \\u001b[2J\\u001b]0;mine\\u0007\\u202e\n");
  expect(process.printed()).not.toContain(steering);
});

it("partner-api listen exits when its output is closed", async () => {
  const feed = new Feed(() => 1);
  onTestFinished(() => feed.close());
  const credentials = `--url ${await feed.listen()} --apikey pk --token svc`;
  const exitCodeOf = (parameters: string, reader: string) => {
    const piped = `"${process.execPath}" --no-warnings "${cli}" ${parameters} | ${reader}`;
    const command = `${piped}; echo exit \${PIPESTATUS[0]}`;
    return new Promise((resolve) =>
      execFile("bash", ["-c", command], (_, stdout, stderr) => resolve([stdout, stderr])),
    );
  };
  const listened = exitCodeOf(
    `listen --forward-to http://127.0.0.1:9/ ${credentials}`,
    "grep -m 1 -o Forwarding",
  );
  const certified = exitCodeOf("certify http://127.0.0.1:9/ --secret whsec_AAAA", "true");
  await expect.poll(() => feed.queries.length, { timeout: 30_000 }).toBeGreaterThan(1);
  const events = setInterval(() => feed.commit("record"), 200);
  onTestFinished(() => clearInterval(events));
  expect(await certified).toEqual(["exit 2\n", expect.stringMatching(/^No response from.*\n$/)]);
  expect(await listened).toEqual(["Forwarding\nexit 0\n", ""]);
});

it("partner-api listen waits 5 seconds for a response and reports a missing one", async () => {
  const feed = new Feed(() => 1);
  const silent = createServer(() => {});
  const url = await openPort(silent);
  onTestFinished(() => {
    feed.close();
    silent.closeAllConnections();
    silent.close();
  });
  const credentials = ["--url", await feed.listen(), "--apikey", "pk", "--token", "svc"];
  feed.commit("a");
  const process = listening(["--forward-to", url, "--since", "2026-01-31T09:30:00Z", ...credentials]);
  await expect.poll(process.printed, { timeout: 30_000 }).toMatch(/ a {2}failed: no answer \(5\d{3} ms\)/);
});

it("partner-api listen exits at once on a signal, even during a request", { timeout: 20_000 }, async () => {
  const { asked, baseUrl } = await scriptedService(["silence"]);
  const credentials = ["--url", baseUrl, "--apikey", "pk", "--token", "svc"];
  const process = listening(["--forward-to", "http://127.0.0.1:9/", ...credentials]);
  await expect.poll(() => asked.length, { timeout: 15_000 }).toBe(1);
  process.end();
  expect(await process.ended).toBe(0);
});

it("partner-api listen reports which arguments are required", { timeout: 60_000 }, async () => {
  const needed = ["--forward-to", "--url", "--apikey", "--token"];
  const nothing = { PARTNER_API_URL: "", PARTNER_API_KEY: "", PARTNER_API_TOKEN: "" };
  for (const missing of needed) {
    const others = needed.filter((name) => name !== missing);
    const process = listening(
      others.flatMap((name) => [name, "http://127.0.0.1:9/"]),
      nothing,
    );
    expect(await process.ended, missing).toBe(2);
    expect(process.printed()).toContain("PARTNER_API_TOKEN");
  }
  const unknown = running(cli, ["lisen"]);
  expect(await unknown.ended).toBe(2);
  expect(unknown.printed()).toMatch(/^Unknown command: lisen\. Did you mean listen\?\n\npartner-api login/);
  expect(unknown.printed()).toContain("\npartner-api certify URL");
  const asked = running(cli, ["certify", "--help"]);
  expect(await asked.ended).toBe(0);
  expect(asked.printed()).toContain("partner-api certify URL");
});

it("partner-api listen rejects an invalid secret before it sends a request", async () => {
  const credentials = ["--url", "http://127.0.0.1:9", "--apikey", "pk", "--token", "svc"];
  const process = listening([
    "--forward-to",
    "http://localhost:3000/",
    "--secret",
    "whsec_!",
    ...credentials,
  ]);
  expect(await process.ended).toBe(2);
  expect(process.printed()).toBe("A webhook secret must be whsec_ followed by base64\n");
});
