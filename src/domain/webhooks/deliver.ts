import { sendingLimits } from "../../catalogue/webhook-limits.ts";
import { batch, run } from "../../db/query.ts";
import { type Attempt, addressChecks, attemptDelivery } from "./attempt-delivery.ts";
import { isHanging, rememberHanging, send } from "./lanes.ts";
import { type LeasedDelivery, loadLeased } from "./load-leased.ts";
import { recordAttempts } from "./record-attempts.ts";
import { takeTurn } from "./take-turn.ts";
import type { LaneName, LeasedId, SendingServices } from "./webhook-services.ts";

type Execution = Pick<ExecutionContext, "waitUntil">;

/**
 * Attempts the claimed deliveries of one queue batch: one read, the POSTs of one turn, one write. Attempts that outlast the
 * turn finish behind it with a write of their own; what it could not start goes back to a lane. Answers with the
 * deliveries that our own failure left undone; rejects if nothing was done at all.
 */
export async function deliver(
  services: SendingServices,
  lane: LaneName,
  claims: readonly LeasedId[],
  execution: Execution,
): Promise<ReadonlySet<string>> {
  const loaded = await run(services.db, loadLeased(claims));
  const nowMs = Date.now();
  const mustMove = (delivery: LeasedDelivery) => lane === "fast" && isHanging(delivery.endpointId, nowMs);
  const moving = loaded.filter(mustMove);
  const checkAddress = addressChecks(services);
  const turn = await takeTurn(
    moving.length === 0 ? loaded : loaded.filter((delivery) => !mustMove(delivery)),
    ({ endpointId }) => endpointId,
    (delivery) => attemptDelivery(services, checkAddress, delivery),
    sendingLimits,
  );
  for (const { job, result } of turn.straggling) {
    if (turn.slowLines.has(job.endpointId)) rememberHanging(job.endpointId, Date.now());
    execution.waitUntil(finishLate(services, job, result));
  }
  for (const { job, error } of turn.failed) logFailure("attempt", error, [job.id]);
  const undone = new Set(turn.failed.map(({ job }) => job.id));
  const guarded = async (work: string, ids: readonly string[], doing: Promise<unknown>) => {
    try {
      await doing;
    } catch (error) {
      logFailure(work, error, ids);
      for (const id of ids) undone.add(id);
    }
  };
  const idsOf = (deliveries: readonly LeasedDelivery[]) => deliveries.map(({ id }) => id);
  if (turn.finished.length > 0) {
    const ids = turn.finished.map(({ delivery }) => delivery.id);
    await guarded("record", ids, batch(services.db, recordAttempts(turn.finished)));
  }
  const isSlow = ({ endpointId }: LeasedDelivery) => turn.slowLines.has(endpointId);
  const toSlowLane = [...moving, ...turn.unstarted.filter(isSlow)];
  const again = turn.unstarted.filter((delivery) => !isSlow(delivery));
  await guarded("send", idsOf(toSlowLane), send(services.lanes, "slow", toSlowLane));
  await guarded("send", idsOf(again), send(services.lanes, lane, again));
  return undone;
}

/** If its write fails, the lease runs out and the sweep finds the delivery again. */
async function finishLate(services: SendingServices, job: LeasedDelivery, result: Promise<Attempt>) {
  try {
    await batch(services.db, recordAttempts([await result]));
  } catch (error) {
    logFailure("record", error, [job.id]);
  }
}

const logFailure = (work: string, error: unknown, deliveryIds: readonly string[]) =>
  console.error(JSON.stringify({ webhook_failure: work, delivery_ids: deliveryIds, error: String(error) }));
