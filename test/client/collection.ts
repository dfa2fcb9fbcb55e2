import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import newman, { type NewmanRun } from "newman";
import type { LocalServer } from "../../scripts/local/state.ts";
import { root } from "./installed.ts";

interface Entry {
  name: string;
  item?: Entry[];
}

type Collection = Entry & { item: Entry[] };

const callsOf = (entry: Entry): Entry[] => entry.item?.flatMap(callsOf) ?? [entry];

const text = readFileSync(join(root, "docs", "partner-api.postman_collection.json"), "utf8");
const inRepository: Collection = JSON.parse(text);

/** Its calls, each by its place: two have the same name. */
export const calls = callsOf(inRepository).map(({ name }, place) => ({ name, place }));

/**
 * What did not succeed in a run of the collection as the service gives it out, or of one call of it. Other tests call
 * in the same workspace: at its rate limit, the collection is run again after as long as the answer says.
 */
export async function runCollection(
  server: LocalServer,
  alone?: number,
): Promise<{ held: number; failures: string[] }> {
  const { stats, failures, executions } = await runOnce(await served(server, alone));
  const refused = executions.find(({ response }) => response?.code === 429)?.response;
  if (refused) {
    await setTimeout(Number(refused.headers.get("retry-after")) * 1000);
    return runCollection(server, alone);
  }
  return {
    held: stats.assertions.total - failures.length,
    failures: failures.map(({ source, error: { message } }) => `${source?.name}: ${message}`),
  };
}

async function served({ base_url }: LocalServer, alone?: number): Promise<Collection> {
  const answer = await fetch(`${base_url}/docs/partner-api.postman_collection.json`);
  const collection = (await answer.json()) as Collection;
  if (alone === undefined) return collection;
  return { ...collection, item: callsOf(collection).slice(alone, alone + 1) };
}

const runOnce = (collection: object): Promise<NewmanRun> =>
  new Promise((resolve, reject) =>
    newman.run({ collection }, (error, { run }) => (error ? reject(error) : resolve(run))),
  );
