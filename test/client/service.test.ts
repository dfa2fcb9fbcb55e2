import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  AuthenticationError,
  ClientEmailMissingError,
  DeliverableSignedOffError,
  IdempotencyKeyReusedError,
  InsufficientScopeError,
  NotFoundError,
  SampleDataNeverEmailedError,
  ValidationError,
} from "../../client/src/index.ts";
import openapi from "../../openapi.json" with { type: "json" };
import { openBrowser } from "../browser/browser.ts";
import { openPort } from "../support/open-port.ts";
import { hasPython } from "../support/python.ts";
import { runCollection } from "./collection.ts";
import { guides, runShell, servedGuide } from "./guides.ts";
import { root } from "./installed.ts";
import { all, partnerOfService } from "./partner.ts";
import { environmentOf, client as firstLines, runCode, runPython, snippets } from "./snippets.ts";

const partner = partnerOfService();

const thrownBy = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe("the client", () => {
  it("reads every list to the end and gets each record by its id", async () => {
    const { clients, projects, timeEntries, invoices, deliverables } = partner().api;
    for (const resource of [clients, projects, timeEntries, invoices, deliverables]) {
      const walked = await all<unknown>(resource.list({ limit: 2 }));
      const { data, next_cursor } = await resource.list({ limit: 200 }).page();
      expect(walked).toEqual(data);
      expect(walked.length).toBeGreaterThan(2);
      expect(next_cursor).toBeNull();
    }
    const [invoice] = (await partner().api.invoices.list({ limit: 1 }).page()).data;
    expect(await partner().api.invoices.get(invoice?.id ?? "")).toEqual(invoice);
    expect(
      await all(partner().api.clients.list({ updated_since: new Date(Date.now() + 60_000).toISOString() })),
    ).toEqual([]);
  });

  it("writes once per key, even with concurrent requests", async () => {
    const body = { company_name: "Client of a test" };
    const key = { idempotencyKey: "the client's test" };
    const made = await Promise.all(Array.from({ length: 5 }, () => partner().api.clients.create(body, key)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made.filter(({ idempotent_replay }) => !idempotent_replay)).toHaveLength(1);
    const reused = await thrownBy(partner().api.clients.create({ company_name: "Another" }, key));
    expect(reused).toBeInstanceOf(IdempotencyKeyReusedError);
  });

  it("creates, versions and sends a deliverable", async () => {
    const client = await partner().api.clients.create({
      company_name: "Poster Ltd",
      email: "poster@client.example",
    });
    const project = await partner().api.projects.create({ client_id: client.id, name: "Posters" });
    const spent_date = "2026-01-31";
    const entry = await partner().api.timeEntries.create({ project_id: project.id, hours: 1.5, spent_date });
    const line = { description: "Poster", quantity: 1.5, unit_price: 95, time_entry_id: entry.id };
    const invoice = await partner().api.invoices.create({ client_id: client.id, line_items: [line] });
    expect([invoice.status, invoice.total]).toEqual(["draft", 142.5]);
    const made = await partner().api.deliverables.create({
      title: "Poster",
      client_id: client.id,
      embed_url: "https://www.example.com/1",
    });
    const version = await partner().api.deliverables.createVersion(made.id, { note: "Larger" });
    expect(version.version_number).toBe(2);
    const sent = await partner().api.deliverables.send(made.id);
    expect([sent.ok, sent.version_number]).toEqual([true, 2]);
    expect((await partner().api.deliverables.get(made.id)).review_state).toBe("in_review");
    const evidence = await partner().api.scopeRequests.ingest({
      client_id: client.id,
      content: "And in French?",
    });
    expect(evidence.author_kind).toBe("client");
  });

  it("reads an image, the list of versions and the token", async () => {
    const { data } = await partner().api.clients.list({ status: "active", limit: 1 }).page();
    const bytes = readFileSync(join(root, "scripts", "demo", "poster.png"));
    const made = await partner().api.deliverables.create({
      title: "Image",
      client_id: data[0]?.id ?? "",
      image_base64: bytes.toString("base64"),
    });
    const image = await partner().api.deliverables.getImage(made.id, 1);
    expect(image.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await image.arrayBuffer()).equals(bytes)).toBe(true);
    const versions = await all(partner().api.deliverables.listVersions(made.id));
    expect(versions).toEqual([await partner().api.deliverables.getVersion(made.id, 1)]);
    expect((await partner().api.token.get()).organization.slug).toBe("demo");
  });

  it("throws the error class of the response's code, with the request id", async () => {
    const deliverables = await all(partner().api.deliverables.list());
    const idOf = (title: string) => deliverables.find((made) => made.title.startsWith(title))?.id ?? "";
    const { token = "" } = await partner().admin("create-api-token", {
      name: "no scopes",
      scopes: "client:read",
    });
    const nowhere = "00000000-0000-4000-8000-000000000000";
    const refusals: [() => Promise<unknown>, unknown][] = [
      [() => partner().api.invoices.get(nowhere), NotFoundError],
      [() => partner().api.clients.create({} as never), ValidationError],
      [() => partner().api.deliverables.send(idOf("Brand guide")), DeliverableSignedOffError],
      [() => partner().api.deliverables.send(idOf("Contact sheet")), ClientEmailMissingError],
      [() => partner().api.deliverables.send(idOf("Sample poster")), SampleDataNeverEmailedError],
      [() => partner().clientWith({ token }).invoices.get(nowhere), InsufficientScopeError],
      [() => partner().clientWith({ token: "svc_nonsense" }).invoices.get(nowhere), AuthenticationError],
    ];
    for (const [call, Class] of refusals) {
      const error = await thrownBy(call());
      expect(error).toBeInstanceOf(Class);
      expect((error as NotFoundError).requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect((error as NotFoundError).retryable).toBe(false);
    }
  });

  it("works in a browser on a page from another origin", async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<title>A partner's page</title>");
    });
    const url = await openPort(server);
    const browser = await openBrowser();
    onTestFinished(async () => {
      await browser.close();
      server.close();
    });
    const page = await browser.newPage();
    await page.goto(url);
    const dist = join(partner().directory, "node_modules", "partner-api-client", "dist", "index.js");
    const library = `data:text/javascript;base64,${readFileSync(dist).toString("base64")}`;
    const { base_url: baseUrl, apikey, token } = partner().server;
    const seen = await page.evaluate(`(async () => {
      const { partnerApi } = await import(${JSON.stringify(library)});
      const api = partnerApi(${JSON.stringify({ baseUrl, apikey, token })});
      const made = await api.clients.create({ company_name: "From a browser" });
      const names = [];
      for await (const { name } of api.clients.list({ limit: 2 })) names.push(name);
      const error = await api.invoices.get(made.id).catch((thrown) => thrown);
      return { names, error: error.name, hasRequestId: error.requestId !== null };
    })()`);
    expect(seen).toMatchObject({ error: "NotFoundError", hasRequestId: true });
    expect((seen as { names: string[] }).names).toContain("From a browser");
  });
});

describe("client/README.md", () => {
  const run = (code: string) => runCode(partner().directory, code, environmentOf(partner().server));

  it("reads and writes as documented", async () => {
    const { code, stdout, stderr } = await run(firstLines + snippets[1]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Northwind Outdoor");
    expect(stdout).toMatch(/true true\n201 1.5\n$/);
  });

  it("distinguishes errors as documented", async () => {
    expect(await run(firstLines + snippets[2])).toEqual({
      code: 0,
      stdout: "It does not exist\n",
      stderr: "",
    });
  });
});

describe.each(guides)("the guide %s, with values from a running service", (name) => {
  it("works in a shell", async () => {
    const { shell } = await servedGuide(partner().server, name);
    const environment = { ...process.env, STATE_DIR: partner().stateDirectory };
    expect(await runShell(shell, { ...environment, npm_lifecycle_event: undefined })).toBe("");
  });

  it("works with the client", async () => {
    const { javascript, environment } = await servedGuide(partner().server, name);
    expect(javascript).toContain("partner-api-client");
    const done = await runCode(partner().directory, javascript, environment);
    expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: "" });
  });

  it.runIf(hasPython)("works in Python", async () => {
    const { python, environment } = await servedGuide(partner().server, name);
    expect(python).toContain("partner_api");
    const done = await runPython(partner().directory, python, environment);
    expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("the Postman collection", () => {
  const operations = Object.values(openapi.paths).flatMap((methods) => Object.keys(methods));
  const everyCall = { held: operations.length, failures: [] };

  it("succeeds as served, even when it runs again", async () => {
    expect(await runCollection(partner().server)).toEqual(everyCall);
    expect(await runCollection(partner().server)).toEqual(everyCall);
  });

  it("has calls that succeed independently of each other", async () => {
    expect(await runCollection(partner().server, { alone: true })).toEqual(everyCall);
  });
});
