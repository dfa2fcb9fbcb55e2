import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scenarios } from "../../client/cli/certify/certify.ts";
import { everyEvent, example, Receiver } from "../../client/cli/certify/receiver.ts";
import { headersOfDelivery } from "../../client/cli/delivery.ts";
import { openPort } from "../support/open-port.ts";
import { withLabels } from "../support/transcript.ts";

const secretOf = (bytes: Buffer) => `whsec_${bytes.toString("base64")}`;
const secrets = {
  ours: secretOf(Buffer.alloc(32, 7)),
  documented: secretOf(Buffer.from(Array.from({ length: 32 }, (_, index) => index))),
};

let status = 204;
let received: string[] = [];
/** The ids in order of arrival, used to number them in the output. */
let ids: string[] = [];

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  const isWhole = await (async () => {
    for await (const chunk of request) chunks.push(chunk);
    return true;
  })().catch(() => false);
  const body = Buffer.concat(chunks).toString();
  received.push(
    isWhole ? await shown(request.headers, body) : "a part of a body, and the connection broken off",
  );
  response.writeHead(status).end();
});
let url: string;
beforeAll(async () => {
  url = await openPort(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const minutesSince = (ms: number) => Math.round((Date.now() - ms) / 60_000);

async function shown(headers: IncomingHttpHeaders, body: string): Promise<string> {
  const text = (name: string) => String(headers[name] ?? "none");
  const id = text("webhook-id");
  if (!ids.includes(id)) ids.push(id);
  const timestampSeconds = Number(text("webhook-timestamp"));
  const signedWith = async (secret: string) =>
    headersOfDelivery({ id, timestampSeconds, body, secrets: [secret], eventId: "", event: "", attempt: 1 });
  const names = new Map<string, string>([["none", "none"]]);
  for (const [name, secret] of Object.entries(secrets)) {
    const { "webhook-signature": ours = "", "X-Svc-Signature": legacy = "" } = await signedWith(secret);
    names.set(ours, name).set(legacy, name);
  }
  const signer = (signature: string) =>
    names.get(signature) ?? signature.replace(/^(v1,|sha256=).*/, "$1other");
  const ageMinutes = minutesSince(timestampSeconds * 1_000);
  const of = (name: string, separator: string) => text(name).split(separator).map(signer).join(" and ");
  const bytes = `… ${Buffer.byteLength(body)} bytes`;
  const told = body.length > 1_000 ? `${withLabels(body).slice(0, 60)}${bytes}` : withLabels(body);
  const event = text("x-svc-event");
  const isExample = everyEvent.includes(event) && told === withLabels(JSON.stringify(example(event)));
  const happenedMs = Date.parse(/"created_at": ?"(.*?)"/.exec(body)?.[1] ?? "");
  return [
    `delivery ${ids.indexOf(id) + 1}, attempt ${text("x-svc-attempt")}, ${ageMinutes} minutes old`,
    `signed by ${of("webhook-signature", " ")}, legacy by ${of("x-svc-signature", ",")}`,
    `${event} of ${minutesSince(happenedMs)} minutes ago: ${isExample ? "as in the catalog" : told}`,
  ].join("\n    ");
}

function counted(lines: readonly string[]): string[] {
  const runs: { line: string; times: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.line === line) last.times += 1;
    else runs.push({ line, times: 1 });
  }
  return runs.map(({ line, times }) => (times === 1 ? line : `${line}\n    ${times} times`));
}

it("every scenario sends the approved requests and reaches the approved verdicts", async () => {
  const texts: string[] = [];
  for (const { name, run } of scenarios) {
    const verdicts: string[] = [];
    // This scenario runs with only one status, because an interrupted delivery takes a while.
    for (status of name === "retry_after_failure" ? [204] : [500, 400, 204]) {
      [received, ids] = [[], []];
      const problem = await run(new Receiver(url, secrets.ours));
      verdicts.push(`  ${status}: ${problem ?? "held"}`);
    }
    // Concurrent deliveries arrive in any order and differ only in their ids.
    const sent = received.map((line) =>
      name === "burst" ? line.replace(/^delivery \d+/, "a delivery") : line,
    );
    texts.push([name, ...counted(sent).map((line) => `  ${line}`), ...verdicts.reverse()].join("\n"));
  }
  await expect(`${texts.join("\n\n")}\n`).toMatchFileSnapshot("./certify/scenarios.txt");
});
