import { readFileSync } from "node:fs";
import { join } from "node:path";
import newman from "newman";
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

/** What did not succeed in a run with url, apikey and token set, and nothing else. */
export function runCollection(
  { base_url, apikey, token }: LocalServer,
  what: object = collection(),
): Promise<{ held: number; failures: string[] }> {
  const envVar = Object.entries({ url: base_url, apikey, token }).map(([key, value]) => ({ key, value }));
  return new Promise((resolve, reject) =>
    newman.run({ collection: what, envVar }, (error, summary) => {
      if (error) return reject(error);
      const failures = summary.run.failures.map(
        ({ source, error: { message } }) => `${source?.name}: ${message}`,
      );
      resolve({ held: summary.run.stats.assertions.total - failures.length, failures });
    }),
  );
}
