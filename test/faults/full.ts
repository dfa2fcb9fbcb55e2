/**
 * Part of `npm run test:faults`: a full database. SQLite cannot allocate pages while clients are created, and gets room
 * again later. Exits with 0 only if no acknowledged write is lost and reads keep working.
 */
import { Database } from "../../bench/database.ts";
import { bindings, migrateAndSeed, workspace } from "../../bench/seed.ts";
import { serveWorker } from "../../bench/server.ts";

const server = await serveWorker();
const database = new Database(server.addressOf("d1"));
const headers = {
  apikey: bindings.gatewayPublicKey,
  authorization: `Bearer ${workspace.token}`,
  "content-type": "application/json",
};
const entries = `${server.addressOf("app")}/api-v1/time-entries`;
const most = 2_000;

const create = (index: number): Promise<Response> =>
  fetch(entries, {
    method: "POST",
    headers: { ...headers, "idempotency-key": `full-${index}` },
    body: JSON.stringify({
      project_id: workspace.projectId,
      hours: 1,
      spent_date: "2026-01-31",
      description: "A page fills up ".repeat(60),
    }),
  });

const broken: string[] = [];
const must = (holds: boolean, text: string) => holds || broken.push(text);

try {
  await migrateAndSeed(database);
  await database.leaveRoom(50);
  const answered: string[] = [];
  let refused: Response | undefined;
  while (!refused && answered.length < most) {
    const answer = await create(answered.length);
    if (answer.status === 201) answered.push(((await answer.json()) as { id: string }).id);
    else refused = answer;
  }
  const body = await refused?.json();
  console.log(`${answered.length} created, then ${refused?.status} ${JSON.stringify(body)}`);
  must(refused?.status === 503, "a write into a full database is no 503");
  must(refused?.headers.get("retry-after") === "60", "it has no Retry-After");
  must((body as { code?: string } | undefined)?.code === "storage_full", "its code is not storage_full");
  must((await fetch(`${entries}?limit=1`, { headers })).status === 200, "reads do not go on");
  const last = answered.length;
  const again = await create(last - 1);
  must(again.status === 200, `the replay of a kept answer is ${again.status}`);

  await database.leaveRoom(1_000_000);
  must((await create(last)).status === 201, "the same key does not work once there is room");
  const { results } = await database.run(
    "SELECT count(*) AS kept FROM time_entries WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(answered),
  );
  must(
    results[0]?.kept === answered.length,
    `${answered.length} were answered, ${results[0]?.kept} are kept`,
  );
} finally {
  await server.stop();
}
for (const text of broken) console.error(`broken: ${text}`);
process.exit(broken.length > 0 ? 1 : 0);
