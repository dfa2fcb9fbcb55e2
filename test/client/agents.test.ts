import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import openapi from "../../openapi.json";
import { hasPython } from "../support/python.ts";
import { root } from "./installed.ts";
import { partnerOfService } from "./partner.ts";

/**
 * Tests everything generated for machines from the OpenAPI document and the guides, with a service run by `npm start`.
 */
const partner = partnerOfService();

const run = (command: string, args: string[], environment: Record<string, string> = {}, cwd = root) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(command, args, { cwd, env: { ...process.env, ...environment } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });

interface Sampled {
  operationId: string;
  "x-codeSamples": { lang: string; label: string; source: string }[];
}

const interpreters: Record<string, string> = { sh: "bash", mjs: process.execPath, py: "python3" };
const commands: Record<string, string> = { curl: "bash", "Python client": "python3" };
const tasks = join(import.meta.dirname, "tasks");

describe("a task that needs only the documentation and the local service", () => {
  const names = readdirSync(tasks).filter((name) => /^\d/.test(name));
  const isPython = (name: string) =>
    name.endsWith(".py") || readFileSync(join(tasks, name), "utf8").includes("python3");

  it.for(names)("is completed by %s", async (name, { skip }) => {
    skip(!hasPython && isPython(name), "python3 is not installed");
    const interpreter = interpreters[name.split(".").at(-1) ?? ""] ?? "";
    const { base_url } = partner().server;
    const told = await run(interpreter, [join(tasks, name)], { BASE_URL: base_url });
    expect(told).toEqual({ code: 0, stdout: expect.stringMatching(/^done: /), stderr: "" });
  });
});

describe("code samples in the OpenAPI document", () => {
  const paths: Record<string, Record<string, Sampled>> = openapi.paths;
  const samples = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) =>
      operation["x-codeSamples"].map((sample) => ({ ...sample, operationId: operation.operationId })),
    ),
  );
  const labeled = (wanted: string) => samples.filter(({ label }) => label === wanted);

  it("are in four languages, or two for the legacy routes", () => {
    const counts = Map.groupBy(samples, ({ operationId }) => operationId);
    for (const [operationId, of] of counts)
      expect([operationId, of.length]).toEqual([operationId, operationId.startsWith("legacy") ? 2 : 4]);
  });

  it("parse in TypeScript and the shell, and call existing methods of the client", async () => {
    for (const { source } of [...labeled("TypeScript client"), ...labeled("fetch")])
      expect(() => transformSync(source, { loader: "ts", format: "esm" })).not.toThrow();
    for (const { source } of labeled("TypeScript client")) {
      const [, resource = "", method = ""] = /api\.(\w+)\.(\w+)\(/.exec(source) ?? [];
      const methods = Object.entries<object>(partner().api).find(([name]) => name === resource)?.[1] ?? {};
      expect([resource, method, typeof Reflect.get(methods, method)]).toEqual([resource, method, "function"]);
    }
    const shell = labeled("curl").map(({ source }) => source);
    expect(await run("bash", ["-n", "-c", shell.join("\n\n")])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.runIf(hasPython)("parse in Python and call existing methods of the Python client", async () => {
    const python = labeled("Python client").map(({ source }) => source);
    const check = [
      "import json, os, re",
      "from partner_api import PartnerApi",
      'api = PartnerApi(base_url="https://api.example.com", apikey="a", token="t")',
      'for source in json.loads(os.environ["SAMPLES"]):',
      '    compile(source, "sample", "exec")',
      '    resource, method = re.search(r"api\\.(\\w+)\\.(\\w+)\\(", source).groups()',
      "    assert callable(getattr(getattr(api, resource), method))",
    ].join("\n");
    const environment = { SAMPLES: JSON.stringify(python), PYTHONPATH: join(root, "client-python") };
    expect(await run("python3", ["-c", check], environment)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("create the same client in every language, with one idempotency key", async () => {
    const { base_url, apikey, token } = partner().server;
    const { directory } = partner();
    const key = `samples-${crypto.randomUUID()}`;
    const folder = mkdtempSync(join(tmpdir(), "samples-"));
    const told: string[] = [];
    const ofClients = samples.filter(({ operationId }) => operationId === "createClient");
    const runnable = ofClients.filter(({ label }) => hasPython || label !== "Python client");
    for (const { label, source } of runnable) {
      const filled = source
        .replaceAll("https://api.example.com", base_url)
        .replaceAll("YOUR_APIKEY", apikey)
        .replaceAll("YOUR_TOKEN", token)
        .replaceAll("create-client-1", key);
      const script = join(label === "TypeScript client" ? directory : folder, `${crypto.randomUUID()}.mjs`);
      writeFileSync(script, filled);
      const command = commands[label] ?? process.execPath;
      const environment = { PYTHONPATH: join(root, "client-python") };
      const { code, stdout } = await run(command, [script], environment);
      expect([label, code]).toEqual([label, 0]);
      told.push(/id['"]?: ?['"]([0-9a-f-]{36})/.exec(stdout)?.[1] ?? stdout);
    }
    rmSync(folder, { recursive: true });
    expect(told).toHaveLength(hasPython ? 4 : 3);
    expect(new Set(told).size).toBe(1);
  });
});
