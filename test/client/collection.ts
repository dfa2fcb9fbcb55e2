import { setTimeout } from "node:timers/promises";
import newman, { type NewmanRun } from "newman";
import type { LocalServer } from "../../scripts/local/state.ts";

interface Collection {
  event: { listen: string; script: { exec: string[] } }[];
}

/** Before each call: forgets the ids that earlier calls found. */
const forgetsIds = `for (const name of Object.keys(pm.collectionVariables.toObject()))
  if (name.endsWith("_id")) pm.collectionVariables.unset(name);`;

/**
 * The failures of a run of the collection as the service serves it; `alone` runs each call as if it were the first.
 * Other tests call in the same workspace: at its rate limit, the collection is run again after the time in the
 * response.
 */
export async function runCollection(
  server: LocalServer,
  { alone = false } = {},
): Promise<{ held: number; failures: string[] }> {
  const { stats, failures, executions } = await runOnce(await served(server, alone));
  const refused = executions.find(({ response }) => response?.code === 429)?.response;
  if (refused) {
    await setTimeout(Number(refused.headers.get("retry-after")) * 1000);
    return runCollection(server, { alone });
  }
  return {
    held: stats.assertions.total - failures.length,
    failures: failures.map(({ source, error: { message } }) => `${source?.name}: ${message}`),
  };
}

async function served({ base_url }: LocalServer, alone: boolean): Promise<Collection> {
  const answer = await fetch(`${base_url}/docs/partner-api.postman_collection.json`);
  const collection = (await answer.json()) as Collection;
  const before = collection.event.find(({ listen }) => listen === "prerequest");
  if (alone) before?.script.exec.unshift(forgetsIds);
  return collection;
}

const runOnce = (collection: object): Promise<NewmanRun> =>
  new Promise((resolve, reject) =>
    newman.run({ collection }, (error, { run }) => (error ? reject(error) : resolve(run))),
  );
