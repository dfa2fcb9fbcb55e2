import { replayLimits } from "../../src/contract/webhook-limits.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";

type Run = (operation: string, fields: Record<string, unknown>) => Promise<AdminOutcome>;

export const replayOperation = "replay-webhook-deliveries";

/**
 * Replays deliveries in calls of a few seconds each, reports the progress after each call, and returns one result for
 * all. With a limit or a key, there is only one call.
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
