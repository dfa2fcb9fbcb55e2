import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import openapi from "../../openapi.json" with { type: "json" };
import { adminCommand } from "../../scripts/admin/command.ts";
import { type AdminConnection, openAdmin } from "../../scripts/admin/connection.ts";
import { picturesFolder } from "../../scripts/demo-workspace/deliverable-rows.ts";
import { demoWorkspace } from "../../scripts/demo-workspace.ts";
import { title as reviewTitle, withReview } from "../../scripts/local/open-review.ts";
import { portProblem } from "../../scripts/local/port.ts";
import { stateAt } from "../../scripts/local/state.ts";
import { limits } from "../../src/contract/limits.ts";
import { withLabels } from "../support/transcript.ts";
import { openService } from "./open-service.ts";
import {
  type Finished,
  runCommand,
  type Service,
  startAndEnd,
  startService,
  stateDirectory,
} from "./service.ts";

const state = stateDirectory();
const nowhere = stateDirectory();
let service: Service;
let connection: AdminConnection;

beforeAll(async () => {
  const ended = await startAndEnd(state.directory, "Preparing the demo workspace", "SIGHUP");
  expect(ended).toBe(1);
  service = await startService(state.directory);
  connection = await openAdmin(stateAt(state.directory));
});

afterAll(async () => {
  await connection?.close();
  await service?.end("SIGKILL");
  state.remove();
  nowhere.remove();
});

const call = (path: string, { base_url, apikey, token } = service.server) =>
  fetch(base_url + path, { headers: { apikey, authorization: `Bearer ${token}` } });

const standing = async () => ({ run: connection.run, close: async () => {} });

/** Runs the command in this process over an open connection. */
async function admin(parameters: string, { directory } = state): Promise<Finished> {
  vi.stubEnv("STATE_DIR", directory);
  const [stdout, stderr] = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockImplementation(() => true),
  );
  const printed = (stream: typeof stdout) => stream?.mock.calls.map(([text]) => text).join("") ?? "";
  try {
    const code = await adminCommand(parameters.split(" ").filter(Boolean), standing);
    return { code, stdout: printed(stdout), stderr: printed(stderr) };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

const lists = ["clients", "projects", "deliverables"] as const;

const namesOf = async (list: (typeof lists)[number]) => {
  const answer = await call(`/api-v1/${list}`);
  const { data } = (await answer.json()) as { data: { name?: string; title?: string }[] };
  return data.map(({ name, title }) => name ?? title).sort();
};

describe("npm start", () => {
  it("creates the complete demo workspace, even if an earlier start was interrupted", async () => {
    const { clients } = demoWorkspace(new Date(), "");
    const expected = {
      clients: clients.map(({ company_name, client_name }) => company_name ?? client_name),
      projects: clients.flatMap(({ projects = [] }) => projects.map(({ name }) => name)),
      deliverables: clients.flatMap(({ deliverables = [] }) => deliverables.map(({ title }) => title)),
    };
    for (const list of lists) expect(await namesOf(list)).toEqual(expected[list].sort());
  });

  it("writes the address and the credentials to local.json once it is listening [O8]", async () => {
    const file = join(state.directory, "local.json");
    const announced = JSON.parse(readFileSync(file, "utf8"));
    expect(announced).toEqual({
      base_url: `http://127.0.0.1:${service.port}`,
      apikey: expect.any(String),
      token: expect.stringMatching(/^svc_[a-f0-9]{36}$/),
      organization: "demo",
      stripe_webhook_secret: expect.stringMatching(/^whsec_/),
      sign_in_url: expect.stringMatching(/\/sign-in\/[\w-]{43}$/),
      review_url: expect.stringMatching(/\/review\/[\w-]{32}\/[\w-]{43}$/),
    });
    expect((await call("/api-v1/clients")).status).toBe(200);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("prints the approved progress and welcome [O7]", async () => {
    const printed = service.output();
    const progress = printed.split("\n").filter((line) => line.endsWith(" …"));
    const [welcome] = /\nServing at .*? Ctrl-C stops the server\.\n/s.exec(printed) ?? [];
    const text = withLabels(`${progress.join("\n")}\n${welcome}`, { [state.directory]: "[state]" });
    await expect(text).toMatchFileSnapshot("./start.txt");
  });

  it("prints the server's request lines", async () => {
    await call("/api-v1/clients?limit=1");
    await expect.poll(service.output, { timeout: 10_000 }).toContain("GET /api-v1/clients 200");
  });

  it("records the creation of its token in the audit log under the owner's name", async () => {
    const { stdout } = await admin("audit-log --json");
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        action: "token.created",
        actor: "owner@lumen.example",
        details: expect.objectContaining({ name: "npm start", prefix: service.server.token.slice(0, 14) }),
      }),
    );
  });

  it("serves without a review link if the review cannot be sent", async () => {
    const created = await admin("create-api-token --name reader --scopes deliverable:read --json");
    const server = { ...service.server, token: JSON.parse(created.stdout).token, review_url: undefined };
    const told: string[] = [];
    expect(await withReview(server, (reason) => told.push(reason))).toEqual(server);
    expect(told).toEqual([expect.stringContaining("insufficient_scope")]);
  });

  it.skipIf(spawnSync("curl", ["--version"]).status !== 0)("prints three curl lines that work", async () => {
    const lines = service
      .output()
      .split("\n")
      .filter((line) => line.startsWith("curl "));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { stdout } = await promisify(execFile)("sh", ["-c", `${line} -w '\\n%{http_code}'`]);
      expect(stdout.trim().split("\n").at(-1)).toMatch(/^20[01]$/);
    }
  });

  it("has the approved data for every route", async () => {
    const all = async (list: string) => {
      const answer = await call(`/api-v1/${list}?limit=200`);
      return ((await answer.json()) as { data: Record<string, unknown>[] }).data;
    };
    const made = [];
    for (const [list, ...fields] of [
      ["clients", "name", "email", "status", "is_sample"],
      ["projects", "name", "status", "included_revision_rounds", "revision_rounds_used"],
      ["invoices", "number", "status", "total", "amount_due"],
      ["deliverables", "title", "review_state", "version_number", "embed_url"],
    ] as const) {
      const records = (await all(list)).filter(({ name }) => name !== "First Client");
      const lines = records.map((record) => fields.map((field) => record[field] ?? "-").join(" · "));
      made.push(`${list}\n${lines.sort().join("\n")}`);
    }
    await expect(`${made.join("\n\n")}\n`).toMatchFileSnapshot("./demo-workspace.txt");
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const spent = (await all("time-entries")).map(({ spent_date }) => String(spent_date));
    expect(spent).toHaveLength(150);
    expect(spent.every((date) => date >= day(-90) && date <= day(0))).toBe(true);
    for (const { status, issue_date, due_date } of await all("invoices")) {
      expect(issue_date === null).toBe(status === "draft");
      if (status === "overdue") expect(String(due_date) < day(0)).toBe(true);
      if (status === "open" && due_date !== null) expect(String(due_date) >= day(0)).toBe(true);
    }
  });

  it("counts the demo workspace's images toward its storage", async () => {
    const bytes = readdirSync(picturesFolder).map((name) => statSync(join(picturesFolder, name)).size);
    const { room } = JSON.parse((await admin("usage --json")).stdout);
    const megabytes = bytes.reduce((sum, size) => sum + size, 0) / limits.bytesPerMegabyte;
    expect(room.image_megabytes.used).toBeGreaterThanOrEqual(megabytes);
  });

  it("counts the demo workspace's deliveries and e-mails in its usage", async () => {
    const days: { deliveries: number; mails: number }[] = JSON.parse(
      (await admin("usage --days 60 --json")).stdout,
    ).days;
    const listed = JSON.parse(
      (await admin("list-webhook-deliveries --status delivered --limit 200 --json")).stdout,
    );
    const sum = (name: "deliveries" | "mails") => days.reduce((total, day) => total + day[name], 0);
    expect(sum("deliveries")).toBe(listed.length);
    expect(sum("mails")).toBeGreaterThan(15);
  });

  it("has a day of deliveries to a working endpoint and to a failing one", async () => {
    const { stdout } = await admin("list-webhook-endpoints --json");
    const endpoints = JSON.parse(stdout) as { id: string; description: string }[];
    const figures = [];
    for (const { id, description } of endpoints) {
      const { delivered_24h, failed_24h } = JSON.parse(
        (await admin(`webhook-health --id ${id} --json`)).stdout,
      );
      figures.push({ description, arrives: delivered_24h > 5, fails: failed_24h > 5 });
    }
    expect(figures).toEqual([
      { description: "CRM: everything that happens", arrives: true, fails: false },
      { description: "The board in the office: reviews and money", arrives: true, fails: true },
    ]);
  });

  it("exits with an error if its port or state directory is in use or not writable [O9]", async () => {
    const { code, stderr } = await runCommand(
      "start.ts",
      ["--port", String(service.port)],
      nowhere.directory,
    );
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${service.port} is taken`);
    const sameState = ["--port", String(service.port), "--persist-to", state.directory];
    const onIt = await runCommand("start.ts", sameState, nowhere.directory);
    expect(onIt.stderr).toContain(`A server is already using the state in ${state.directory}`);
    const file = join(state.directory, "local.json");
    const onFile = await runCommand("start.ts", ["--port", "8788", "--persist-to", file], nowhere.directory);
    expect(onFile).toMatchObject({ code: 1, stderr: `\n${file} is not writable: a file has this name\n` });
    const refused = await runCommand("start.ts", ["--port", "http"], nowhere.directory);
    expect(refused.stderr).toBe("\nPORT must be 1 to 65535\n");
  });

  it("does not store traces [O9]", () => {
    expect(existsSync(join(state.directory, "v3", "d1"))).toBe(true);
    expect(existsSync(join(state.directory, "v3", "observability"))).toBe(false);
  });

  it("has its own tokens and database when another server runs [O9]", async () => {
    const other = await openService();
    const strange = { ...service.server, token: other.server.token };
    expect((await call("/api-v1/clients", strange)).status).toBe(401);
    const here = await admin("list-api-tokens --json");
    expect(here.stdout).toContain(service.server.token.slice(0, 14));
    expect(here.stdout).not.toContain(other.server.token.slice(0, 14));
  });
});

describe("npm run admin", () => {
  it("--json prints only the result [O2]", async () => {
    const { code, stdout, stderr } = await runCommand(
      "admin.ts",
      ["create-client", "--company-name", "Fern & Co", "--sample", "--json"],
      state.directory,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({ name: "Fern & Co", is_sample: true });
  });

  it("prints an object as fields and a list as a table without --json", async () => {
    expect((await admin("list-members")).stdout).toMatch(/^id +email +name +role/);
    expect((await admin("create-client --company-name=Oak")).stdout).toMatch(/^name +Oak$/m);
  });

  it("exits with 1 if the operation fails [O2]", async () => {
    const parameters = ["create-api-token", "--name", "x", "--scopes", "invoice:issue", "--json"];
    const json = await runCommand("admin.ts", parameters, state.directory);
    expect({ code: json.code, refusal: JSON.parse(json.stdout), stderr: json.stderr }).toEqual({
      code: 1,
      refusal: { message: "Scope not available yet", hint: null },
      stderr: "",
    });
    const words = await admin("create-organization --name X --slug x --plan solo --owner-email x");
    expect(words).toMatchObject({ code: 1, stdout: "" });
    expect(words.stderr).toContain("--owner-email must be an e-mail address");
    expect((await admin("create-client")).stderr).toBe("--company-name or --client-name is required\n");
  });

  it("acts in the given workspace as the given admin", async () => {
    await admin("create-organization --name Fern --slug fern --plan free --owner-email f@fern.example");
    const refused = await admin("create-api-token --name x --organization fern --json");
    expect(JSON.parse(refused.stdout)).toEqual({
      message: "API access is a paid feature",
      hint: "upgrade_required:api_access",
    });
    const stranger = await admin("create-api-token --name x --actor f@fern.example --json");
    expect(JSON.parse(stranger.stdout).message).toBe("Only organization admins can create API tokens");
  });

  it("creates and revokes a token, with immediate effect", async () => {
    const created = await admin("create-api-token --name t --scopes client:read,time:read --json");
    const { id, token } = JSON.parse(created.stdout);
    const server = { ...service.server, token };
    expect((await call("/api-v1/clients", server)).status).toBe(200);
    await admin(`revoke-api-token --id ${id}`);
    expect((await call("/api-v1/clients", server)).status).toBe(401);
  });

  it("writes an export only into an empty folder", async () => {
    const out = join(state.directory, "exported");
    const { stdout, stderr } = await admin(`export-organization --out ${out} --json`);
    expect(JSON.parse(stdout)).toMatchObject({ organization: "demo", out, images: 7 });
    expect(stderr).toMatch(/^\d+ rows?(?:, \d+ images?)? so far \(clients\.jsonl\)$/m);
    expect(readFileSync(join(out, "clients.jsonl"), "utf8")).toContain("Northwind Outdoor");
    expect((await admin(`export-organization --out ${out}`)).stderr).toContain("is not empty");
    const onFile = await admin(`export-organization --out ${join(out, "clients.jsonl")} --json`);
    expect(JSON.parse(onFile.stdout)).toEqual({
      message: expect.stringContaining("out cannot be written: ENOTDIR"),
      hint: "name another folder",
    });
    expect((await admin(`list-members --out ${out}`)).stderr).toContain("writes no files");
    const refused = join(state.directory, "refused");
    const nobodys = await admin(`export-organization --out ${refused} --organization nobody`);
    expect(nobodys).toMatchObject({ code: 1, stderr: expect.stringContaining("no organization nobody") });
    expect(existsSync(refused)).toBe(false);
  });

  it("lists the operations and their fields even without a server", async () => {
    const { code, stdout } = await admin("", nowhere);
    expect(code).toBe(0);
    expect(stdout).toContain("create-api-token --name TEXT [--scopes A,B,…]");
    expect((await admin("issue-invoice --help", nowhere)).stdout).toMatch(
      /issue-invoice --id ID \[--key TEXT]\n.*\n$/,
    );
    const unknown = await admin("nosuch --help", nowhere);
    expect(unknown).toMatchObject({ code: 1, stdout: "" });
    expect(unknown.stderr).toMatch(/^Unknown operation: nosuch\none of .*issue-invoice/);
  });

  it("prints only JSON with --json, even without an operation", async () => {
    const { code, stdout } = await admin("--json", nowhere);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      { message: "No operation given", hint: "npm run admin -- --help" },
    ]);
  });

  it("explains what to do when no server is running", async () => {
    const { code, stderr } = await admin("list-members", nowhere);
    expect(code).toBe(1);
    expect(stderr).toContain("No local server is running");
    expect(stderr).toContain("npm start");
  });
});

describe("the cron that runs every minute", () => {
  it("can be run with a request, as npm start does each minute", async () => {
    const answer = await fetch(`${service.server.base_url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`, {
      method: "POST",
    });
    expect(answer.status).toBe(200);
  });
});

const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));

describe.skipIf(spawnSync("curl", ["--version"]).status !== 0)(
  "every curl example in the documentation",
  () => {
    it.each(operations.map(({ operationId }) => operationId))("%s succeeds as served", async (name) => {
      const text = await (await fetch(`${service.server.base_url}/docs/${name}.md`)).text();
      const [, command] = /^```sh\n(curl [\s\S]*?)\n```$/m.exec(text) ?? [];
      const printed = ["-c", `${command} -sS -w '\n%{http_code}'`];
      const { stdout } = await promisify(execFile)("sh", printed, { cwd: state.directory });
      expect(stdout).toMatch(/\n20[01]$/);
    });
  },
);

describe("npm start, when repeated and stopped", () => {
  it("replaces a signed-off review with a new one", async () => {
    const { data } = (await (await call("/api-v1/deliverables?limit=200")).json()) as {
      data: { id: string; title: string }[];
    };
    const signedOff = data.find(({ title }) => title === reviewTitle)?.id;
    await admin(`sign-off-deliverable --deliverable ${signedOff} --signer-name Ada`);
    const told: string[] = [];
    const next = await withReview(service.server, (reason) => told.push(reason));
    expect(told).toEqual([]);
    const shared = (address = "") => address.split("/").at(-2);
    expect(shared(next.review_url)).not.toBe(shared(service.server.review_url));
  });

  it("keeps its state across a restart", async () => {
    const names = await Promise.all(lists.map(namesOf));
    const { token, sign_in_url } = service.server;
    expect(await service.end("SIGINT")).toBe(0);
    expect(await portProblem(service.port)).toBeUndefined();
    expect(existsSync(join(state.directory, "local.json"))).toBe(false);

    service = await startService(state.directory, service.port);
    expect(service.server.token).not.toBe(token);
    const statusOf = async (link = "") => (await fetch(link)).status;
    expect([await statusOf(sign_in_url), await statusOf(service.server.sign_in_url)]).toEqual([404, 200]);
    expect(await Promise.all(lists.map(namesOf))).toEqual(names);
  });

  it("stops its server even when it is killed", async () => {
    await service.end("SIGKILL");
    await expect.poll(() => portProblem(service.port), { timeout: 5_000 }).toBeUndefined();
    const late = await admin("list-members --json");
    expect(late.code).toBe(1);
    expect(JSON.parse(late.stdout)).toMatchObject({
      message: expect.stringContaining("No local server"),
    });
  });
});
