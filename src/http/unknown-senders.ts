import { limits } from "../contract/limits.ts";
import type { Refusal } from "../contract/refusal.ts";
import type { Services } from "../workspace/services.ts";
import { rateLimited } from "./responses.ts";
import { blockAddress, blockedUntil } from "./senders.ts";

/**
 * A sender that keeps bringing unknown tokens, sessions or links gets a 429 until the next minute, without a look at
 * what it brings. Tokens, sessions and review links that this isolate knows are served from any address.
 */
export function refuseBlocked(address: string): Refusal | undefined {
  const nowMs = Date.now();
  const untilMs = blockedUntil(address, nowMs);
  return untilMs === undefined ? undefined : rateLimited(Math.ceil((untilMs - nowMs) / 1000));
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
