import { sendingLimits } from "../../contract/webhook-limits.ts";
import { batch, run } from "../../db/query.ts";
import { report } from "../../platform/report.ts";
import { addressChecks, attemptDelivery } from "./attempt-delivery.ts";
import { isHanging, rememberHanging, send } from "./delivery-queues.ts";
import { type LeasedDelivery, loadLeased } from "./load-leased.ts";
import { recordAttempts } from "./record-attempts.ts";
import { runFairly } from "./run-fairly.ts";
import type { LeasedId, QueueName, SendingServices } from "./webhook-services.ts";

type Execution = Pick<ExecutionContext, "waitUntil">;

/**
 * Attempts the claimed deliveries of one queue batch: one read, the POSTs of one turn, one write. Attempts that outlast the
 * turn finish behind it with a write of their own; what it could not start goes back to a queue. Answers with the
 * deliveries that our own failure left undone; rejects if nothing was done at all.
 */
export async function deliver(
  services: SendingServices,
  queue: QueueName,
  claims: readonly LeasedId[],
  execution: Execution,
): Promise<ReadonlySet<string>> {
  const undone = new Set<string>();
  const guarded = async (
    work: string,
    deliveries: readonly LeasedDelivery[],
    doing: () => Promise<unknown>,
  ) => {
    if (deliveries.length > 0 && !(await succeeds(work, deliveries, doing))) {
      for (const { id } of deliveries) undone.add(id);
    }
  };
  const moveTo = (to: QueueName, deliveries: readonly LeasedDelivery[]) =>
    guarded("move", deliveries, () => send(services.queues, to, deliveries));

  const loaded = await run(services.db, loadLeased(claims));
  const { staying, moving } = queue === "fast" ? byQueue(loaded) : { staying: loaded, moving: [] };
  await moveTo("slow", moving);

  const checkAddress = addressChecks(services);
  const turn = await runFairly(
    staying,
    ({ endpointId }) => endpointId,
    (delivery) => attemptDelivery(services, checkAddress, delivery),
    sendingLimits,
  );
  for (const { job, result } of turn.straggling) {
    if (turn.slowLines.has(job.endpointId)) rememberHanging(job.endpointId, Date.now());
    execution.waitUntil(
      succeeds("finish", [job], async () => batch(services.db, recordAttempts([await result]))),
    );
  }
  for (const { job, error } of turn.failed) await guarded("attempt", [job], () => Promise.reject(error));
  await guarded(
    "record",
    turn.finished.map(({ delivery }) => delivery),
    () => batch(services.db, recordAttempts(turn.finished)),
  );
  const isSlow = ({ endpointId }: LeasedDelivery) => turn.slowLines.has(endpointId);
  await moveTo("slow", turn.unstarted.filter(isSlow));
  await moveTo(
    queue,
    turn.unstarted.filter((delivery) => !isSlow(delivery)),
  );
  return undone;
}

/** What must not be started on the fast queue: deliveries to endpoints that keep failing or hang. */
function byQueue(loaded: readonly LeasedDelivery[]) {
  const nowMs = Date.now();
  const isSlow = ({ endpointId, consecutiveFailures }: LeasedDelivery) =>
    consecutiveFailures >= sendingLimits.failuresToSlowQueue || isHanging(endpointId, nowMs);
  return {
    staying: loaded.filter((delivery) => !isSlow(delivery)),
    moving: loaded.filter(isSlow),
  };
}

/** Our own failures are logged. The queue brings the message again, or the lease ends and the sweep finds the row. */
async function succeeds(
  work: string,
  deliveries: readonly LeasedDelivery[],
  doing: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await doing();
    return true;
  } catch (error) {
    const delivery_ids = deliveries.map(({ id }) => id);
    report({ webhook_failure: work, delivery_ids }, error);
    return false;
  }
}
