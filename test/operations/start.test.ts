import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { localGatewayKey, localStripeSecret } from "../../scripts/local/gateway-key.ts";
import { lockState } from "../../scripts/local/lock-state.ts";
import { title, withReview } from "../../scripts/local/open-review.ts";
import { portOf, portProblem } from "../../scripts/local/port.ts";
import { devParameters } from "../../scripts/local/serve.ts";
import { renewRegistry, stateAt } from "../../scripts/local/state.ts";
import { scriptedService } from "../client/scripted-service.ts";
import { stateDirectory } from "./service.ts";

/** The parameters and environment variables of `npm start`, tested without starting a process. */

afterEach(() => {
  vi.unstubAllEnvs();
});

it("npm start reads the server's keys from --var, or uses the local ones", () => {
  const parameters = ["--var", "GATEWAY_PUBLIC_KEY:pk_new,pk_old", "--var=STRIPE_WEBHOOK_SECRET:whsec_cli"];
  expect([localGatewayKey(parameters), localStripeSecret(parameters)]).toEqual(["pk_new", "whsec_cli"]);
  const twice = ["--var", "GATEWAY_PUBLIC_KEY:pk_first", "--var", "GATEWAY_PUBLIC_KEY:pk_last"];
  expect(localGatewayKey(twice)).toBe("pk_last");
  expect([localGatewayKey(["--port", "8788"]), localStripeSecret()]).toEqual([
    expect.stringMatching(/^pk_local_/),
    expect.stringMatching(/^whsec_local_/),
  ]);
});

describe("npm start", () => {
  it.each([
    [undefined, undefined, 8787],
    [undefined, "8788", 8788],
    ["8789", "8788", 8789],
    ["1", undefined, 1],
    ["65535", undefined, 65_535],
  ])("uses the port from --port %s and PORT %s", (parameter, variable, port) => {
    expect(portOf(parameter, variable)).toBe(port);
  });

  it.each(["http", "", "0", "65536", "80.5"])("exits with an error for the port %j", (none) => {
    expect(() => portOf(none, "8788")).toThrow("PORT must be 1 to 65535");
    expect(() => portOf(undefined, none)).toThrow("PORT must be 1 to 65535");
  });

  it("uses STATE_DIR if it is not empty", () => {
    vi.stubEnv("STATE_DIR", "/of-mine");
    expect(stateAt()).toEqual({
      directory: "/of-mine",
      registry: "/of-mine/registry",
      serverFile: "/of-mine/local.json",
    });
    vi.stubEnv("STATE_DIR", "");
    expect(stateAt().directory).toBe(resolve(".wrangler/state"));
    expect(stateAt("named").directory).toBe(resolve("named"));
  });
});

describe("wrangler dev, as npm start runs it,", () => {
  const state = stateAt("/state");
  const own = ["--var", "ALLOW_LOCAL_WEBHOOK_TARGETS:true", "--var", "APPLICATION_URL:http://127.0.0.1:8787"];

  it("listens on loopback only and uses the state directory", () => {
    expect(devParameters(state, 8787, [])).toEqual([
      ...["dev", "scripts/local/development/worker.ts"],
      ...["--port", "8787"],
      ...["--ip", "127.0.0.1"],
      ...["--inspector-port", "0"],
      ...["--persist-to", "/state"],
      ...["--show-interactive-dev-session", "false"],
      ...own,
    ]);
  });

  it.each([
    [["--ip", "0.0.0.0"]],
    [["--ip=0.0.0.0"]],
    [["--inspector-port=9229"]],
    [["--log-level", "error", "--persist-to=/state"]],
  ])("gets each of the caller's arguments once: %j", (given) => {
    const parameters = devParameters(state, 8787, given);
    const [name = ""] = given.at(given.length === 3 ? 2 : 0)?.split("=") ?? [];
    expect(parameters.filter((word) => word === name || word.startsWith(`${name}=`))).toHaveLength(1);
    expect(parameters.slice(-own.length - given.length)).toEqual([...own, ...given]);
  });
});

it("only the user who started the server can call the admin operations, and only on the current server", () => {
  const { directory, remove } = stateDirectory();
  onTestFinished(remove);
  const state = stateAt(directory);
  mkdirSync(state.registry, { recursive: true, mode: 0o755 });
  writeFileSync(join(state.registry, "partner-api"), "of a server that crashed");
  renewRegistry(state);
  expect(readdirSync(state.registry)).toEqual([]);
  expect(statSync(state.registry).mode & 0o777).toBe(0o700);
});

describe("a state directory", () => {
  const lockScript = `
    const { lockState } = await import(${JSON.stringify(resolve("scripts/local/lock-state.ts"))});
    const { stateAt } = await import(${JSON.stringify(resolve("scripts/local/state.ts"))});
    globalThis.lock = lockState(stateAt(process.argv[1]));
    console.log("locked");
    setInterval(() => {}, 1000);`;

  it("is used by one server at a time, and is free again once that server is killed [O9]", async () => {
    const { directory, remove } = stateDirectory();
    onTestFinished(remove);
    const state = stateAt(directory);
    const parameters = ["--no-warnings", "--input-type=module", "-e", lockScript, directory];
    const first = spawn(process.execPath, parameters);
    onTestFinished(() => void first.kill("SIGKILL"));
    await once(first.stdout, "data");
    expect(() => lockState(state)).toThrow(`A server is already using the state in ${directory}`);
    first.kill("SIGKILL");
    await once(first, "exit");
    const lock = lockState(state);
    expect(() => lockState(state)).toThrow("A server is already using the state");
    lock.close();
    lockState(state).close();
  });

  it("is reported with the reason if it is not writable [O9]", () => {
    const { directory, remove } = stateDirectory();
    onTestFinished(remove);
    const file = join(directory, "file");
    writeFileSync(file, "");
    const lockAt = (path: string) => () => lockState(stateAt(path));
    expect(lockAt(file)).toThrow(`${file} is not writable: a file has this name`);
    const below = join(file, "state");
    expect(lockAt(below)).toThrow(`${below} is not writable: a part of the path is a file`);
  });
});

it("a port in use is distinguished from an unavailable address", async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  expect(await portProblem(port)).toContain(`Port ${port} is taken`);
  // An address reserved for documentation (RFC 5737).
  expect(await portProblem(8788, "203.0.113.1")).toBe(
    "Port 8788 cannot be opened at 203.0.113.1: this machine has no such address",
  );
});

describe("the demo review", () => {
  const serverAt = (baseUrl: string) => ({
    base_url: baseUrl.replace(/\/$/, ""),
    apikey: "pk",
    token: "svc",
    organization: "demo",
    stripe_webhook_secret: "whsec",
  });
  const client = (id: string, email: string | null, is_sample = false) => ({ id, email, is_sample });
  const toReview = [
    { status: 200, body: { data: [{ id: "old", title, review_state: "approved" }] } },
    { status: 200, body: { data: [client("a", null), client("b", "b@b.co", true), client("c", "c@c.co")] } },
    { status: 201, body: { id: "new" } },
    { status: 200, body: {} },
  ];

  it("is sent to a client with an e-mail address", async () => {
    const { asked, baseUrl } = await scriptedService([
      ...toReview,
      { status: 200, body: { result: [{ messageId: "m", subject: `asks for your review: ${title}` }] } },
      { status: 200, body: { result: { text: "Look:\nhttps://h.example/review/share/key\n" } } },
    ]);
    const told: string[] = [];
    const server = serverAt(baseUrl);
    expect(await withReview(server, (reason) => told.push(reason))).toEqual({
      ...server,
      review_url: "https://h.example/review/share/key",
    });
    expect(told).toEqual([]);
    expect(asked.slice(2, 4).map(({ url, body }) => [url.pathname, body])).toEqual([
      ["/api-v1/deliverables", { title, client_id: "c", image_base64: expect.stringMatching(/^UklGR/) }],
      ["/api-v1/deliverables/new/send", {}],
    ]);
  });

  it("has a reason instead of a link if the e-mail was not sent", async () => {
    const { baseUrl } = await scriptedService([...toReview, { status: 200, body: { result: [] } }]);
    const told: string[] = [];
    const server = serverAt(baseUrl);
    expect(await withReview(server, (reason) => told.push(reason))).toEqual(server);
    expect(told).toEqual(["The review mail was not sent"]);
  });
});
