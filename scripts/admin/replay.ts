/** A replay of many deliveries, call after call, to show its progress. */

import { replayLimits } from "../../src/contract/webhook-limits.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";

type Run = (operation: string, fields: Record<string, unknown>) => Promise<AdminOutcome>;

export const replayOperation = "replay-webhook-deliveries";

/**
 * Runs it in calls of some seconds, and reports the progress after each; returns what a single call would. A
 * limit and a key apply to all calls together.
 */
export async function replayInSteps(
  run: Run,
  fields: Record<string, unknown>,
  tell: (line: string) => void,
): Promise<AdminOutcome> {
  if ("limit" in fields || "key" in fields) return run(replayOperation, fields);
  const { ReplayedDeliveries } = await import("../../src/webhooks/deliveries/record.ts");
  let replayed = 0;
  let matched: number | undefined;
  for (;;) {
    const limit = Math.min(replayLimits.shownDeliveries, (matched ?? Number.POSITIVE_INFINITY) - replayed);
    const outcome = await run(replayOperation, { ...fields, limit });
    if (!outcome.ok) return outcome;
    const step = ReplayedDeliveries.parse(outcome.result);
    matched ??= step.matched;
    replayed += step.replayed;
    if (step.replayed > 0) tell(`${replayed} of ${matched} are being sent again`);
    if (step.replayed === 0 || replayed >= matched) return { ok: true, result: { matched, replayed } };
  }
}
