import { limits } from "../contract/limits.ts";
import type { Refusal } from "../contract/refusal.ts";
import type { Services } from "../core/services.ts";
import { rateLimited } from "./responses.ts";
import { blockAddress, blockedUntil, isKnownSecret, isUnknownSecret, reserveLookup } from "./senders.ts";

/**
 * Admits a sender to the API, the pages and RPC (contract N5). A sender of too many unknown credentials is blocked for
 * a minute. Credentials that this isolate knows still pass, and unknown ones use up the few lookups per second. Returns
 * a 429, or the digests that used a lookup.
 */
export function admitSender(address: string, secretHashes: readonly string[]): Refusal | readonly string[] {
  const nowMs = Date.now();
  const untilMs = blockedUntil(address, nowMs);
  if (untilMs === undefined || secretHashes.some(isKnownSecret)) return [];
  const untried = secretHashes.filter((hash) => !isUnknownSecret(hash));
  const admitted = untried.filter((hash) => reserveLookup(address, hash, nowMs));
  if (admitted.length > 0) return admitted;
  return rateLimited(untried.length > 0 ? 1 : Math.ceil((untilMs - nowMs) / 1000));
}

/** Counts a 401, or a 404 from a page, against the sender (`limits.unknownTokensPerMinute`, in wrangler.toml). */
export async function countUnknownSender(
  { unknownSenders }: Pick<Services, "unknownSenders">,
  address: string,
): Promise<void> {
  if (address === "") return;
  const { success } = await unknownSenders.limit({ key: address });
  if (!success) blockAddress(address, Date.now() + limits.rateWindowSeconds * 1000);
}
