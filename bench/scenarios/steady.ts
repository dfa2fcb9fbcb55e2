import { Agent, createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { encrypt } from "../../src/platform/encryption.ts";
import { newSigningSecret } from "../../src/webhooks/sending/sign.ts";
import type { Bench, Scenario } from "../bench.ts";
import { fire, type Shot, spread } from "../load.ts";
import type { Line } from "../report.ts";
import { bindings } from "../seed.ts";
import { atSteadyRate } from "../steady-rate.ts";
import { type BenchRequest, getRequest, listRequest } from "./requests.ts";

/**
 * The 90th percentile and the maximum at a fixed arrival rate: reads at 60 % of the peak, and first webhook attempts,
 * from the commit to the receiver's socket, while one of 20 receivers hangs.
 */

const seconds = 20;
const warmUpSeconds = 3;
const shareOfPeak = 0.6;
const eventsPerSecond = 50;
const receivers = 20;
const hanging = 7;

export const steady: Scenario = async (bench) => ({
  lines: [
    await read(bench, "list", listRequest),
    await read(bench, "get", getRequest),
    await firstAttempts(bench),
  ],
  promises: [],
});

async function read({ server, progress }: Bench, name: string, request: BenchRequest): Promise<Line> {
  progress(`steady: peak of ${name}`);
  const shot = { ...request.shot, url: server.addressOf("app") + request.path };
  await fire(shot, 32, warmUpSeconds);
  const peak = (await fire(shot, 32, 5)).requestsPerSecond;
  const perSecond = Math.floor(peak * shareOfPeak);
  progress(`steady: ${name} at ${perSecond} a second`);
  const latenciesMs: number[] = [];
  await atSteadyRate({ perSecond, seconds }, async (_, dueMs) => {
    await answered(shot);
    latenciesMs.push(performance.now() - dueMs);
  });
  return {
    scenario: `${name}, 60 % of the peak`,
    contender: "app",
    perSecond,
    ...spread(latenciesMs.slice(warmUpSeconds * perSecond)),
  };
}

/** This is cheaper than fetch, because the load generator shares the machine with the server. */
const agent = new Agent({ keepAlive: true });

const answered = ({ url, headers }: Shot): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (answer) => {
      answer.resume().once("end", resolve);
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
    });
    request.once("error", reject);
  });

async function firstAttempts(bench: Bench): Promise<Line> {
  const arrivedMs = new Map<number, number>();
  const servers: Server[] = [];
  try {
    const organizations: string[] = [];
    for (let number = 0; number < receivers; number += 1) {
      const server = createServer((request, response) => {
        const atMs = Date.now();
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          if (number === hanging) return;
          arrivedMs.set(JSON.parse(Buffer.concat(chunks).toString()).number, atMs);
          response.end("ok");
        });
      });
      servers.push(server);
      organizations.push(await addOrganization(bench, number, await listen(server)));
    }
    bench.progress(`steady: ${eventsPerSecond} events a second`);
    const committedMs = new Map<number, number>();
    await atSteadyRate({ perSecond: eventsPerSecond, seconds }, async (number) => {
      const path = `/event/${organizations[number % receivers]}/${number}`;
      const answer = await fetch(bench.server.addressOf("queued") + path);
      committedMs.set(number, ((await answer.json()) as { committedMs: number }).committedMs);
    });
    await wait(2_000);
    const healthy = [...committedMs].filter(([number]) => number % receivers !== hanging);
    const latenciesMs = healthy.map(
      ([number, ms]) => (arrivedMs.get(number) ?? Number.POSITIVE_INFINITY) - ms,
    );
    return {
      scenario: "first attempts, one of 20 receivers hangs",
      contender: "app",
      perSecond: eventsPerSecond,
      ...spread(latenciesMs),
    };
  } finally {
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Adds a workspace with its own endpoint. */
async function addOrganization({ database }: Bench, number: number, url: string): Promise<string> {
  const id = (kind: number) => `00000000-0000-4000-8000-00000${kind}${String(number).padStart(6, "0")}`;
  const [organizationId, ownerId, endpointId] = [id(1), id(2), id(3)] as const;
  await database.run(
    "INSERT INTO organizations (id, slug, name, plan) VALUES (?, ?, 'Steady', 'agency')",
    organizationId,
    `steady-${number}`,
  );
  await database.run(
    "INSERT INTO members (id, organization_id, email, role) VALUES (?, ?, 'owner@example.com', 'owner')",
    ownerId,
    organizationId,
  );
  const secret = await encrypt(bindings.webhookSecretKey, endpointId, newSigningSecret());
  await database.run(
    "INSERT INTO webhook_endpoints (id, organization_id, url, secret_encrypted, created_by) VALUES (?, ?, ?, ?, ?)",
    endpointId,
    organizationId,
    url,
    secret,
    ownerId,
  );
  return organizationId;
}
