import { distance } from "fastest-levenshtein";
import { limits } from "./limits.ts";

/** Ignores case and separators, so that `clientName` matches `client_name`. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Returns the known name that the caller probably meant. At most one letter in three may differ. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const given = plain(name.slice(0, limits.echoedPathCharacters));
  const [best] = known
    .map((each) => ({ each, away: distance(given, plain(each)) }))
    .sort((a, b) => a.away - b.away);
  return best && best.away <= Math.floor(given.length / 3) ? best.each : undefined;
}
