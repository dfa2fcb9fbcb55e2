import { limits } from "../contract/limits.ts";
import type { Refusal } from "../contract/refusal.ts";
import type { Services } from "../domain/services.ts";
import { rateLimited } from "./responses.ts";
import { blockAddress, blockedUntil } from "./senders.ts";

/**
 * An address that keeps sending unknown tokens or sessions gets a 429 until the next minute, without a look at what it
 * brings. Tokens that this isolate knows are served from any address.
 */
export function refuseBlocked(address: string): Refusal | undefined {
  const nowMs = Date.now();
  const untilMs = blockedUntil(address, nowMs);
  return untilMs === undefined ? undefined : rateLimited(Math.ceil((untilMs - nowMs) / 1000));
}

/** Counts a 401 against its sender's address (`limits.unknownTokensPerMinute`, set in wrangler.toml). */
export async function countUnknownSender(
  { unknownSenders }: Pick<Services, "unknownSenders">,
  address: string,
): Promise<void> {
  if (address === "") return;
  const { success } = await unknownSenders.limit({ key: address });
  if (!success) blockAddress(address, Date.now() + limits.rateWindowSeconds * 1000);
}
