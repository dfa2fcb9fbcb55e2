import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Certification, certify, scenarios } from "../../client/cli/certify/certify.ts";
import { type DeliveryChanges, example, Receiver } from "../../client/cli/certify/receiver.ts";
import { expectAccepted, expectRefused } from "../../client/cli/certify/scenario.ts";
import {
  type ForwardedDelivery,
  headersOfDelivery,
  postDelivery,
  type ReceiverAnswer,
} from "../../client/cli/delivery.ts";
import { freePort } from "../../scripts/local/port.ts";
import { openPort } from "../support/open-port.ts";
import { withLabels } from "../support/transcript.ts";
import { type Mistake, mistakes } from "./broken-receivers.ts";

const root = join(import.meta.dirname, "..", "..");
const command = join(root, "client", "cli", "partner-api.ts");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "receivers-"));
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs a copy of the example receiver, optionally with a mistake, in a separate process. */
async function withReceiver<T>(
  mistake: Mistake | undefined,
  use: (url: string, child: ChildProcess, said: () => string) => Promise<T>,
  variables: Record<string, string> = {},
): Promise<T> {
  const folder = mkdtempSync(join(directory, "copy-"));
  cpSync(join(root, "examples", "receiver"), folder, { recursive: true });
  if (mistake) {
    const [text, instead] = mistake;
    const source = readFileSync(join(folder, "receiver.js"), "utf8");
    expect(source.split(text), "the text stands there once").toHaveLength(2);
    writeFileSync(
      join(folder, "receiver.js"),
      source.replace(text, () => instead),
    );
  }
  const port = await freePort();
  const environment = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port), ...variables };
  const child = spawn(process.execPath, [join(folder, "receiver.js")], { env: environment });
  let said = "";
  child.stdout?.on("data", (chunk) => {
    said += chunk;
  });
  try {
    await untilItListens(child);
    return await use(`http://127.0.0.1:${port}/hooks`, child, () => said);
  } finally {
    child.kill("SIGKILL");
  }
}

const untilItListens = (child: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    child.stdout?.once("data", () => resolve());
    child.once("exit", () => reject(new Error(said)));
  });

const run = (parameters: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ["--no-warnings", command, ...parameters], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

const failedOf = ({ checks }: Certification) => checks.filter(({ held }) => !held).map(({ name }) => name);

describe("partner-api certify", () => {
  it("has at least 14 scenarios, each with its own broken receiver", () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(14);
    expect(Object.keys(mistakes).sort()).toEqual(scenarios.map(({ name }) => name).sort());
  });

  it("passes the example receiver, and prints the result as text or JSON", async () => {
    await withReceiver(undefined, async (url) => {
      const told = await run(["certify", url, "--secret", secret]);
      expect(told).toMatchObject({ code: 0, stderr: "" });
      await expect(withLabels(told.stdout)).toMatchFileSnapshot("./certify/passed.txt");
      const json = await run(["certify", url, "--secret", secret, "--json"]);
      expect(json.code).toBe(0);
      expect(JSON.parse(json.stdout)).toMatchObject({ url, passed: scenarios.length, failed: 0 });
    });
  });

  it("reports what a broken receiver did and why it matters, and exits with 1", async () => {
    await withReceiver(mistakes.stale, async (url) => {
      const told = await run(["certify", url, "--secret", secret]);
      expect(told.code).toBe(1);
      expect(told.stdout).toMatch(/✗ stale .*\n {6}expected a 4xx, got 204\n {6}Why it matters: /);
      expect(told.stdout).toContain(`${scenarios.length - 1} of ${scenarios.length} held.`);
    });
  });

  it("exits with 2 if there is no response or the arguments are wrong", async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const nobody = await run(["certify", url, "--secret", secret]);
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain(`No response from ${url}`);
    for (const parameters of [
      ["certify", url],
      ["certify", "--secret", secret],
      ["certify", "--nonsense"],
      ["certify", url, "--secret", secret, "--header", "X-Key"],
      ["x"],
    ]) {
      expect((await run(parameters)).code).toBe(2);
    }
  });
});

it("the example receiver prints the approved output", async () => {
  const without = { WEBHOOK_SECRET: "" };
  await withReceiver(
    undefined,
    async (url, child, said) => {
      const receiver = new Receiver(url, secret);
      const statuses: (number | null)[] = [];
      const send = async (changes: DeliveryChanges = {}) =>
        statuses.push((await receiver.send(changes)).status);
      const paste = async (line: string, answer: string) => {
        child.stdin?.write(`${line}\n`);
        await expect.poll(said).toContain(answer);
      };
      await send();
      await paste("svc_1", "A secret starts with whsec_");
      await paste(secret, "Verifying from now on");
      await send({ headers: { "webhook-signature": null } });
      await send({ headers: { "X-Svc-Test": "true" } });
      const paid = (created_at: string, data: object) => {
        const { event, data: ours } = example("invoice.paid");
        return { body: JSON.stringify({ event, created_at, data: { ...ours, ...data } }) };
      };
      const of = (name: string) => ({ invoice_id: name, client_name: `Acme\u001b[2J\u202e ${name}` });
      const id = crypto.randomUUID();
      await send({ id, ...paid("2026-01-31T09:30:00.000Z", of("one")) });
      await send({ id, ...paid("2026-01-31T09:30:00.000Z", of("one")) });
      await send(paid("2026-01-31T09:30:00.000Z", of("one")));
      await send(paid("2026-01-31T09:29:59.999Z", of("one")));
      await send(paid("2026-01-31T09:29:00.000Z", of("another")));
      expect(statuses).toEqual([503, 400, 204, 204, 204, 204, 204, 204]);
      await expect.poll(said).toMatch(/another paid .*\n.* are due\n/);
      await expect(withLabels(said().replace(/localhost:\d+/, "localhost:[port]"))).toMatchFileSnapshot(
        "./certify/receiver.txt",
      );
    },
    without,
  );
});

class Recorder extends Receiver {
  readonly sent: ForwardedDelivery[] = [];
  override async send(changes: DeliveryChanges = {}): Promise<ReceiverAnswer> {
    this.sent.push(this.delivery(changes));
    return { status: 204, text: "", latencyMs: 1 };
  }
}

describe("a delivery from certify", () => {
  it("is signed with both secrets during a rotation, in both headers", async () => {
    const secrets = [secret, `whsec_${Buffer.alloc(32, 8).toString("base64")}`];
    const delivery = new Receiver("http://localhost/", secret).delivery({ secrets, attempt: 2 });
    const headers = await headersOfDelivery(delivery);
    const [fresh, old] = await Promise.all(
      secrets.map((alone) => headersOfDelivery({ ...delivery, secrets: [alone] })),
    );
    for (const [name, separator] of [
      ["webhook-signature", " "],
      ["X-Svc-Signature", ","],
    ] as const) {
      expect(headers[name]).toBe([fresh?.[name], old?.[name]].join(separator));
    }
    expect(headers["X-Svc-Attempt"]).toBe("2");
  });

  it("has the endpoint's custom headers in addition to the standard ones", async () => {
    const got: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      got.push(request.headers);
      response.end();
    });
    const url = await openPort(server);
    await new Receiver(url, secret, { "X-Key": "k3y" }).send();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(got).toMatchObject([{ "x-key": "k3y", "x-svc-event": "invoice.paid" }]);
  });

  it("is reported with the reason if it gets no response", { timeout: 10_000 }, async () => {
    const server = createServer(() => {});
    const url = await openPort(server);
    expect(await postDelivery(url, {}, "{}", 50)).toMatchObject({ status: null, text: "no answer" });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const { status, text } = await postDelivery(url, {}, "{}", 5_000);
    expect([status, text]).toEqual([null, expect.stringContaining("ECONNREFUSED")]);
  });
});

describe("a scenario of certify", () => {
  const sentBy = async (name: string) => {
    const recorder = new Recorder("http://localhost/", secret);
    await scenarios.find((scenario) => scenario.name === name)?.run(recorder);
    return recorder.sent[0];
  };

  it("sends deliveries of the size and age in its description", async () => {
    expect(Buffer.byteLength((await sentBy("huge_body"))?.body ?? "")).toBeGreaterThanOrEqual(256 * 1024);
    const [stale, future] = [await sentBy("stale"), await sentBy("future")];
    const minutes = [stale, future].map((sent) =>
      Math.round((Date.now() / 1000 - (sent?.timestampSeconds ?? 0)) / 60),
    );
    expect(minutes).toEqual([10, -10]);
  });

  it("sends a body with the whitespace, zeros and escapes in its description", async () => {
    const { body = "" } = (await sentBy("raw_bytes")) ?? {};
    for (const own of ["\n", ": 1250.50,", "\\u006f"]) expect(body).toContain(own);
    expect(JSON.parse(body).event).toBe("invoice.paid");
  });

  it("waits 5 seconds for a response", async () => {
    const receiver = new Receiver("http://localhost/", secret);
    const problems: unknown[] = [];
    for (const slowestMs of [5_000, 5_001]) {
      receiver.slowestMs = slowestMs;
      problems.push(await scenarios.at(-1)?.run(receiver));
    }
    expect(problems).toEqual([undefined, "the slowest response took 5001 ms"]);
  });

  it.each([
    [199, false, false],
    [200, true, false],
    [299, true, false],
    [300, false, false],
    [302, false, false],
    [399, false, false],
    [400, false, true],
    [499, false, true],
    [500, false, false],
    [null, false, false],
  ])("counts the status %s as accepted: %s, as rejected: %s", (status, isTaken, isRefused) => {
    const answer = { status, text: "", latencyMs: 1 };
    expect([expectAccepted(answer) === undefined, expectRefused(answer) === undefined]).toEqual([
      isTaken,
      isRefused,
    ]);
  });

  it("measures only the latency of accepted deliveries", async () => {
    let [status, afterMs] = [400, 60];
    const server = createServer((_, response) => {
      setTimeout(() => response.writeHead(status).end(), afterMs);
    });
    const receiver = new Receiver(await openPort(server), secret);
    await receiver.send();
    expect([receiver.hasAnswered, receiver.slowestMs]).toEqual([true, 0]);
    status = 204;
    const slow = await receiver.send();
    expect([receiver.slowestMs, slow.latencyMs >= 50]).toEqual([slow.latencyMs, true]);
    afterMs = 0;
    const fast = await receiver.send();
    const slowestMs = Math.max(slow.latencyMs, fast.latencyMs);
    expect(receiver.slowestMs).toBe(slowestMs);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect((await receiver.send()).status).toBeNull();
    expect([receiver.hasAnswered, receiver.slowestMs]).toEqual([true, slowestMs]);
  });

  it("escapes the control characters in a receiver's response", () => {
    const text = "\u001b[2J\u202e\u2028\u2029";
    const shown = "\\u001b[2J\\u202e\\u2028\\u2029";
    expect(expectAccepted({ status: 500, text, latencyMs: 1 })).toBe(`expected a 2xx, got 500 ${shown}`);
    expect(expectRefused({ status: null, text, latencyMs: 7 })).toBe(
      `expected a 4xx, got nothing after 7 ms (${shown})`,
    );
  });
});

describe.concurrent("a broken receiver fails only the scenario that it breaks", { timeout: 60_000 }, () => {
  it.each(Object.entries(mistakes))("%s", async (name, mistake) => {
    const certificate = await withReceiver(mistake, (url) => certify(url, secret, () => {}));
    expect(failedOf(certificate)).toEqual([name]);
  });
});
