import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { RecordedAnswer } from "../../test/support/recorded-answers.ts";

/**
 * Replays every call that the tests recorded through Prism, a validating proxy, to a server that returns the recorded
 * responses. Prism must not find a violation in any response, or in any request that succeeded.
 */
const root = join(import.meta.dirname, "..", "..");
const recorded = join(root, ".wrangler", "recorded-answers.json");
/** The full suite records at least this many calls. */
const callsAtLeast = 1_000;
const indexHeader = "x-recorded-call";
const atATime = 16;
const answerWithinMs = 30_000;

interface Violation {
  location: string[];
  severity: string;
  message: string;
}

export async function checkByPrism(command: string): Promise<string[]> {
  const all: RecordedAnswer[] = JSON.parse(readFileSync(recorded, "utf8"));
  const calls = all.filter(isReadable);
  if (calls.length < callsAtLeast) return [`prism: only ${calls.length} calls are recorded; run npm test`];
  const upstream = createServer((request, response) => {
    const call = calls[Number(request.headers[indexHeader])];
    request.resume().on("end", () => {
      const { "content-length": _, ...headers } = call?.headers ?? {};
      response.writeHead(call?.status ?? 500, headers);
      response.end(JSON.stringify(call?.body));
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const prism = await startPrism(command, (upstream.address() as AddressInfo).port);
  const problems = new Map<string, number>();
  try {
    const rest = calls.entries();
    await Promise.all(
      Array.from({ length: atATime }, async () => {
        for (const [index, call] of rest) {
          for (const violation of await violationsOf(prism.url, call, index)) {
            const problem = `prism: ${call.method} ${call.path} ${call.status}: ${violation}`;
            problems.set(problem, (problems.get(problem) ?? 0) + 1);
          }
        }
      }),
    );
  } finally {
    prism.end();
    upstream.close();
  }
  console.log(`${problems.size > 0 ? "✗" : "✓"} prism: ${calls.length} calls`);
  return [...problems].map(([problem, times]) => `${problem} (${times} times)`);
}

/**
 * Filters out calls that Prism cannot handle: it hangs on non-JSON bodies, exits on an invalid path or content type,
 * and counts a header's bytes instead of its characters.
 */
function isReadable({ request: { path, body, headers } }: RecordedAnswer): boolean {
  const type = headers["content-type"] ?? (body === null ? "application/json" : "");
  const isAscii = Object.values(headers).every((value) => /^[ -~]*$/.test(value));
  if (!isAscii || !/^[\w-]+\/[\w.+-]+/.test(type)) return false;
  try {
    JSON.parse(body ?? "null");
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Normalizes a body like the service does: drops nulls and trims strings (contract R10, T4). */
const asRead = (body: string | null) =>
  body &&
  JSON.stringify(
    JSON.parse(body, (_, value) => (typeof value === "string" ? value.trim() : (value ?? undefined))),
  );

async function violationsOf(url: string, call: RecordedAnswer, index: number): Promise<string[]> {
  const { path, headers, body } = call.request;
  const answer = await fetch(url + path, {
    method: call.method.toUpperCase(),
    headers: { ...headers, [indexHeader]: String(index) },
    body: asRead(body),
    signal: AbortSignal.timeout(answerWithinMs),
  });
  await answer.arrayBuffer();
  const found: Violation[] = JSON.parse(answer.headers.get("sl-violations") ?? "[]");
  const mustHold = call.status < 300 ? ["request", "response"] : ["response"];
  return [
    ...(answer.status === call.status ? [] : [`answered ${answer.status}`]),
    ...found
      .filter(({ location }) => mustHold.includes(location[0] ?? ""))
      .map(({ location, message }) => `${location.join(".")} ${message}`),
  ];
}

async function startPrism(command: string, upstreamPort: number): Promise<{ url: string; end(): void }> {
  const port = upstreamPort > 60_000 ? upstreamPort - 1_000 : upstreamPort + 1_000;
  const document = join(root, "openapi.json");
  const options = ["proxy", document, `http://127.0.0.1:${upstreamPort}`, "-p", String(port), "-v", "warn"];
  const child = spawn(command, [...options, "--multiprocess=false"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  const end = () => void child.kill();
  process.once("exit", end);
  for (let tries = 0; tries < 200; tries += 1) {
    const isUp = await fetch(url).then(
      (answer) => answer.arrayBuffer().then(() => true),
      () => false,
    );
    if (isUp) return { url, end };
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  end();
  throw new Error("prism did not start");
}
