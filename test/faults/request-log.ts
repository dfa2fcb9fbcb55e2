/**
 * Part of `npm run test:faults`: the request log. Kills the service with SIGKILL at random times while it handles
 * requests, and checks that each request that got its response at least two seconds before a kill is logged exactly
 * once. Exits with 0 only if every such request is.
 */

import { setTimeout as pause } from "node:timers/promises";
import { migrateDatabase } from "./migrate.ts";
import { between, startTemporaryService } from "./service.ts";
import { prepareWorkspace } from "./workspace.ts";

const kills = Number(process.env.KILLS ?? 20);
const lifeMs = { least: 1_000, most: 6_000 };
/** Requests that got their response this long before a kill must be in the log. */
const keptAfterMs = 2_000;
const callers = 4;
/** Slow enough that all runs together stay within the log's capacity. */
const askEveryMs = 50;
const pageSize = 1_000;

interface Answered {
  id: string;
  /** How long the service ran after this response. */
  aliveMs: number;
}

await using service = await startTemporaryService();
process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  await migrateDatabase(service);
  // Requests over the limit share one log entry, but this test looks for each request.
  await service.sql("UPDATE plans SET requests_per_minute = 1000000 WHERE name = 'agency'");
  const { organizationId, token } = await prepareWorkspace(service, { drafts: 1, deliverables: 1 });
  const answered: Answered[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const ofLife = await askUntilKilled(token);
    answered.push(...ofLife);
    console.log(`kill ${kill} of ${kills}: ${ofLife.length} requests were answered before it`);
    await service.restart();
  }
  const logged = await allRequests(organizationId);
  const times = Map.groupBy(logged, (id) => id);
  const isLost = ({ id }: Answered) => !times.has(id);
  const due = answered.filter(({ aliveMs }) => aliveMs >= keptAfterMs);
  const lost = due.filter(isLost);
  const twice = [...times.values()].filter(({ length }) => length > 1);
  console.table({
    SIGKILLs: kills,
    "requests answered": answered.length,
    "of them two seconds before a kill": due.length,
    "of these lost": lost.length,
    "of the younger ones lost": answered.filter(({ aliveMs }) => aliveMs < keptAfterMs).filter(isLost).length,
    "kept twice": twice.length,
  });
  return due.length > 0 && lost.length === 0 && twice.length === 0;
}

/** Sends requests continuously from several callers, and kills the service at a random time. */
async function askUntilKilled(token: string): Promise<Answered[]> {
  const answers: { id: string; atMs: number }[] = [];
  let isAlive = true;
  const asking = Array.from({ length: callers }, async () => {
    while (isAlive) {
      const asked = { token, body: {}, key: crypto.randomUUID() };
      const answer = await service.call("/api-v1/deliverables", asked).catch(() => null);
      const id = answer?.headers.get("x-request-id");
      if (id) answers.push({ id, atMs: Date.now() });
      await answer?.text().catch(() => "");
      await pause(askEveryMs);
    }
  });
  await pause(between(lifeMs));
  const killedMs = Date.now();
  await service.kill();
  isAlive = false;
  await Promise.all(asking);
  return answers.map(({ id, atMs }) => ({ id, aliveMs: killedMs - atMs }));
}

async function allRequests(organization: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; cursor = ids.at(-1)) {
    const fields = { organization, limit: String(pageSize), ...(cursor && { cursor }) };
    const page = await service.admin<{ request_id: string }[]>("list-requests", fields);
    ids.push(...page.map(({ request_id }) => request_id));
    if (page.length < pageSize) return ids;
  }
}
