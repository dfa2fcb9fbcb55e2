import { limits } from "../contract/limits.ts";
import type { Refusal } from "../contract/refusal.ts";
import type { Services } from "../core/services.ts";
import { rateLimited } from "./responses.ts";
import { blockAddress, blockedUntil, isKnownSecret, isUnknownSecret, takeLookUp } from "./senders.ts";

/**
 * The gate of the API, the pages and RPC (contract N5). A sender that keeps bringing nothing that exists is blocked for
 * a minute. Whoever brings a token, session or key that this isolate knows goes on all the same; one that it does not
 * know takes a place among the few that it looks up in a second. Answers the 429, or the digests that took a place.
 */
export function passGate(address: string, secretHashes: readonly string[]): Refusal | readonly string[] {
  const nowMs = Date.now();
  const untilMs = blockedUntil(address, nowMs);
  if (untilMs === undefined || secretHashes.some(isKnownSecret)) return [];
  const untried = secretHashes.filter((hash) => !isUnknownSecret(hash));
  const places = untried.filter((hash) => takeLookUp(address, hash, nowMs));
  if (places.length > 0) return places;
  return rateLimited(untried.length > 0 ? 1 : Math.ceil((untilMs - nowMs) / 1000));
}

/** Counts a 401, or a page that found nothing, by its sender (`limits.unknownTokensPerMinute`, in wrangler.toml). */
export async function countUnknownSender(
  { unknownSenders }: Pick<Services, "unknownSenders">,
  address: string,
): Promise<void> {
  if (address === "") return;
  const { success } = await unknownSenders.limit({ key: address });
  if (!success) blockAddress(address, Date.now() + limits.rateWindowSeconds * 1000);
}
