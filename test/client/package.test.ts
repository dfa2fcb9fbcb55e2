import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installPackage, root } from "./installed.ts";

let installed: Awaited<ReturnType<typeof installPackage>>;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed?.remove());

const packagePath = (...path: string[]) =>
  join(installed.directory, "node_modules", "partner-api-client", ...path);
const textOf = (...path: string[]) => readFileSync(packagePath(...path), "utf8");

const run = (command: string, parameters: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(command, parameters, { cwd: installed.directory }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });

const largestLibraryBytes = 10 * 1024;

describe("the npm package", () => {
  it("contains the code, the types and the README, without dependencies", () => {
    expect(readdirSync(packagePath()).sort()).toEqual(["README.md", "SKILL.md", "dist", "package.json"]);
    expect(readdirSync(packagePath("dist")).sort()).toEqual([
      "d1.js",
      "index.js",
      "partner-api.js",
      "sqlite.js",
      "types",
    ]);
    expect(
      readdirSync(join(installed.directory, "node_modules")).filter((name) => !name.startsWith(".")),
    ).toEqual(["partner-api-client"]);
    expect(JSON.parse(textOf("package.json")).dependencies).toBeUndefined();
  });

  it("has a README with links to files in the package", () => {
    const links = [...textOf("README.md").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, file]) => file);
    expect(links).toEqual(["SKILL.md"]);
  });

  it("is at most 10 KB compressed", () => {
    const library = ["index.js", "sqlite.js", "d1.js"].map((file) => textOf("dist", file)).join("");
    expect(gzipSync(library).length).toBeLessThan(largestLibraryBytes);
  });

  it.each(["index.js", "sqlite.js", "d1.js"])("%s does not depend on Node", (file) => {
    expect(textOf("dist", file)).not.toMatch(/node:|\brequire\(|\bprocess\.|\bBuffer\b|__dirname/);
    expect(textOf("dist", file)).not.toMatch(/^import /m);
  });

  it("can be imported and has a command that runs", async () => {
    const script =
      'import { partnerApi } from "partner-api-client"; import { sqliteStore } from "partner-api-client/sqlite";' +
      'import { d1Store } from "partner-api-client/d1";' +
      "console.log(typeof partnerApi, typeof sqliteStore, typeof d1Store)";
    expect(await run(process.execPath, ["--input-type=module", "--eval", script])).toEqual({
      code: 0,
      output: "function function function\n",
    });
    const help = await run(join(installed.directory, "node_modules", ".bin", "partner-api"), ["--help"]);
    expect(help).toMatchObject({ code: 0 });
    expect(help.output).toContain("partner-api certify URL --secret");
  });

  it("runs with npx as documented in docs/agents.md", async () => {
    const agents = readFileSync(join(root, "docs", "agents.md"), "utf8");
    const { mcpServers } = JSON.parse(/```json\n([\s\S]*?)```/.exec(agents)?.[1] ?? "");
    const { command, args } = mcpServers["partner-api"];
    expect(args.at(-1)).toBe("mcp");
    const asking = ["--offline", ...args.slice(0, -1), "--help"];
    expect(await run(command, asking)).toMatchObject({
      output: expect.stringContaining("partner-api mcp ["),
    });
    expect(args.slice(0, 2)).toEqual(["--no", "--package=partner-api-client"]);
  });
});

const partnerCode = `
import { type ApiRequest, type Client, type Invoice, memoryStore, partnerApi, requestIdOf, type WebhookEvent } from "partner-api-client";
import { sqliteStore } from "partner-api-client/sqlite";

declare const environment: Record<string, string | undefined>;
const { API_URL: baseUrl, API_KEY: apikey, API_TOKEN: token, SECRET: webhookSecret } = environment;
const api = partnerApi({ baseUrl, apikey, token, webhookSecret });
for await (const client of api.clients.list({ updated_since: "2026-01-01T00:00:00Z", limit: 5 })) {
  const name: string = client.name;
  const email: string | null = client.email;
  console.log(name, email);
}
const made = await api.clients.create({ company_name: "Acme" }, { idempotencyKey: "row 7" });
const named: Client = made;
const invoices: Invoice[] = await api.invoices.list({ status: "open" }).all(10);
for await (const { data } of api.clients.list().pages()) console.log(data.length);
await api.clients.sync({ store: memoryStore(), upsert: ({ id }: Client) => console.log(id) });
const requestId: string | undefined = requestIdOf(named);
console.log(invoices, requestId, (await api.deliverables.getVersion(made.id, 2)).hash);
const isReplay: true | undefined = made.idempotent_replay;
const sent = await api.deliverables.send(made.id);
const warning: string | null = sent.status_warning;
const entry = await api.timeEntries.create({ project_id: made.id, hours: 1, spent_date: "2026-01-31" });
const hours: number = entry.hours;
const asked: ApiRequest[] = (await api.requests.list().page()).data;

function amountOf(event: WebhookEvent): number {
  switch (event.event) {
    case "invoice.paid":
      return event.data.amount_received;
    case "deposit.cleared":
      return event.data.amount;
    default:
      return 0;
  }
}
await api.events.catchUp({ store: memoryStore(), handle: (event) => amountOf(event) });
const latest: string = (await api.events.list({ types: "money" }).page()).latest_cursor;
for await (const event of api.events.list({ cursor: latest })) console.log(amountOf(event));
console.log(isReplay, warning, hours, asked, sqliteStore);
`;

/** Invalid lines, each with the comment that it replaces in the code. */
const wrong = [
  "await api.clients.create({ company: 'Acme' });",
  "await api.invoices.create({ client_id: made.id });",
  "await api.clients.list({ limit: 'many' }).page();",
  "await api.invoices.get();",
  "await api.deliverables.getVersion(made.id, 'two');",
  "await api.timeEntries.create({ hours: 'one', project_id: made.id });",
  "console.log(made.nonsense);",
];

describe("the package's types", () => {
  const compilers = {
    "TypeScript 7": join(root, "node_modules", "typescript", "bin", "tsc"),
    "TypeScript 5": join(root, "client", "node_modules", "typescript", "bin", "tsc"),
  };

  it.each(Object.entries(compilers))("compile a partner's code in %s and reject mistakes", async (_, tsc) => {
    writeFileSync(join(installed.directory, "right.mts"), partnerCode);
    writeFileSync(
      join(installed.directory, "wrong.mts"),
      partnerCode + wrong.map((line) => `// @ts-expect-error\n${line}\n`).join(""),
    );
    // Type-checks the package's declarations but not the compiler's.
    const options =
      "--noEmit --strict --exactOptionalPropertyTypes --skipDefaultLibCheck --module nodenext --target es2022";
    const checked = await run(process.execPath, [
      tsc,
      ...options.split(" "),
      ...["--lib", "es2023,dom,dom.iterable"],
      "right.mts",
      "wrong.mts",
    ]);
    expect(checked).toEqual({ code: 0, output: "" });
  });
});
