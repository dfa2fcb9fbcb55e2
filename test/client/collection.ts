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

const text = readFileSync(join(root, "docs", "partner-api.postman_collection.json"), "utf8");
const collection = (): Entry & { item: Entry[] } => JSON.parse(text);

const callsOf = (entry: Entry): Entry[] => entry.item?.flatMap(callsOf) ?? [entry];

/** Every call, and the collection with this call alone. */
export const calls = callsOf(collection()).map((call) => ({
  name: call.name,
  alone: { ...collection(), item: [call] },
}));

/**
 * What did not succeed in a run with url, apikey and token set, and nothing else. Other tests call in the same
 * workspace: at its rate limit, the collection is run again after as long as the answer says.
 */
export async function runCollection(
  server: LocalServer,
  what: object = collection(),
): Promise<{ held: number; failures: string[] }> {
  const { stats, failures, executions } = await runOnce(server, what);
  const refused = executions.find(({ response }) => response?.code === 429)?.response;
  if (refused) {
    await setTimeout(Number(refused.headers.get("retry-after")) * 1000);
    return runCollection(server, what);
  }
  return {
    held: stats.assertions.total - failures.length,
    failures: failures.map(({ source, error: { message } }) => `${source?.name}: ${message}`),
  };
}

function runOnce({ base_url, apikey, token }: LocalServer, what: object): Promise<NewmanRun> {
  const envVar = Object.entries({ url: base_url, apikey, token }).map(([key, value]) => ({ key, value }));
  return new Promise((resolve, reject) =>
    newman.run({ collection: what, envVar }, (error, { run }) => (error ? reject(error) : resolve(run))),
  );
}
