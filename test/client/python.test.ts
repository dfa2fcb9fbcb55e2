import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPort } from "../support/open-port.ts";
import { hasPython } from "../support/python.ts";
import { root } from "./installed.ts";
import { partnerOfService } from "./partner.ts";
import { environmentOf, runPython } from "./snippets.ts";

const partner = partnerOfService();
const source = join(root, "client-python");
const readme = readFileSync(join(source, "README.md"), "utf8");
const code = [...readme.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join("\n");

it.runIf(hasPython)("the code in client-python/README.md works, even when it runs again", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "python-"));
  for (const _ of ["once", "again"]) {
    const { stdout, ...done } = await runPython(cwd, code, environmentOf(partner().server));
    expect(done).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/Northwind Outdoor[\s\S]*True True\nIt does not exist\n$/);
  }
  rmSync(cwd, { recursive: true });
});

it.runIf(hasPython)(
  "the Python client reads the whole body if its Content-Length is not a number",
  async () => {
    const replies = [
      'Content-Length: 10, 10\r\n\r\n{"id":"x"}',
      'Content-Length: ten\r\n\r\n{"id":"x"}',
      'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{"id":"x"}\r\n0\r\n\r\n',
    ];
    let count = 0;
    const server = createServer((socket) => {
      const reply = `HTTP/1.1 200 OK\r\nConnection: close\r\n${replies[count++]}`;
      socket.once("data", () => socket.end(reply));
    });
    const url = await openPort(server);
    const reads = `from partner_api import PartnerApi
api = PartnerApi(base_url="${url}", apikey="pk", token="svc", max_retries=0)
print([api.invoices.get("1")["id"] for _ in range(${replies.length})])`;
    const done = await runPython(root, reads, process.env);
    server.close();
    expect(done).toEqual({ code: 0, stderr: "", stdout: "['x', 'x', 'x']\n" });
  },
);

it("the Python client imports only the standard library and has no line over 120 characters", () => {
  const files = globSync("partner_api/*.py", { cwd: source }).map((file) =>
    readFileSync(join(source, file), "utf8"),
  );
  const lines = files.flatMap((text) => text.split("\n"));
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
  const imported = lines.flatMap((line) => /^(?:from|import) ([a-z_]\w*)/.exec(line)?.[1] ?? []);
  const standard =
    "__future__ base64 builtins contextlib dataclasses datetime decimal email hashlib hmac http itertools";
  const more = "json queue random re sqlite3 threading time typing urllib uuid";
  expect(imported.filter((name) => !`${standard} ${more}`.split(" ").includes(name))).toEqual([]);
});
