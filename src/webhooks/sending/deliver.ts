import type { DeliveryMessage, QueueName } from "../../contract/messages.ts";
import { sendingLimits } from "../../contract/webhook-limits.ts";
import type { Services } from "../../core/services.ts";
import { batch, run } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import { addressChecks, attemptDelivery, type DeliveryAttempt } from "./attempt-delivery.ts";
import { enqueue, isHanging, rememberHanging } from "./delivery-queues.ts";
import { type LeasedDelivery, loadLeased } from "./load-leased.ts";
import { recordAttempts } from "./record-attempts.ts";
import { reserveAhead, reservePosts } from "./reserve-posts.ts";
import { type FairRun, runFairly } from "./run-fairly.ts";

type Execution = Pick<ExecutionContext, "waitUntil">;

/**
 * Attempts the leased deliveries from one queue batch, with one read and one write. Attempts that outlast the run are
 * recorded when they end, and deliveries that did not start go back to a queue. Returns the ids of deliveries that we
 * failed to handle. Rejects if none could be started.
 */
export async function deliver(
  services: Pick<
    Services,
    | "db"
    | "queues"
    | "grantPosts"
    | "fetch"
    | "random"
    | "webhookTargets"
    | "webhookSecretKey"
    | "countDeliveries"
  >,
  queue: QueueName,
  leased: readonly DeliveryMessage[],
  execution: Execution,
): Promise<ReadonlySet<string>> {
  // Reserves ahead only for the fast queue, because few of its deliveries move to another queue.
  const reserving = reserveAhead(services, queue === "fast" ? leased : []);
  const [loaded, reserved] = await Promise.all([run(services.db, loadLeased(leased)), reserving]);
  const nowMs = Date.now();
  const [moving, staying] = partition(
    loaded,
    (delivery) => queue !== "failing" && isFailing(delivery, nowMs),
  );
  const { starting, waiting } = await reservePosts(services, staying, reserved);
  const notMoved = await move(services, "failing", moving);
  const notWaiting = await wait(services, queue, waiting);

  const checkAddress = addressChecks(services);
  const attempted = await runFairly(
    starting,
    ({ endpoint_id }) => endpoint_id,
    (delivery) => attemptDelivery(services, checkAddress, delivery),
    sendingLimits,
  );
  finishLater(services, attempted, execution);
  for (const { task, error } of attempted.failed) reportFailure("attempt", [task], error);
  const notRecorded = await record(services, attempted.finished, execution);

  const returning = Map.groupBy(attempted.unstarted, ({ endpoint_id }) => {
    if (queue === "failing" || isHanging(endpoint_id, Date.now())) return "failing";
    return attempted.slowGroups.has(endpoint_id) ? "slow" : queue;
  });
  const moves = [...returning].map(([to, deliveries]) => move(services, to, deliveries));
  const notReturned = (await Promise.all(moves)).flat();
  const failed = attempted.failed.map(({ task }) => task);
  return new Set([...notMoved, ...notWaiting, ...failed, ...notRecorded, ...notReturned].map(({ id }) => id));
}

/** Whether a delivery must wait for the failing queue, because its endpoint keeps failing or hangs. */
const isFailing = ({ endpoint_id, consecutive_failures }: LeasedDelivery, nowMs: number): boolean =>
  consecutive_failures >= sendingLimits.failuresToFailingQueue || isHanging(endpoint_id, nowMs);

/**
 * Records attempts that outlast the run when they end. An endpoint counts as hanging if such an attempt has taken
 * `hangingAttemptMs` so far and no other attempt at the endpoint ended within the run.
 */
function finishLater(
  services: Pick<Services, "db" | "countDeliveries">,
  { straggling, finished }: FairRun<LeasedDelivery, DeliveryAttempt>,
  execution: Execution,
): void {
  const ended = new Set(finished.map(({ delivery }) => delivery.endpoint_id));
  for (const { task, result, elapsedMs } of straggling) {
    const hangs = elapsedMs >= sendingLimits.hangingAttemptMs && !ended.has(task.endpoint_id);
    if (hangs) rememberHanging(task.endpoint_id, Date.now());
    const recording = async () => keep(services, [await result], execution);
    execution.waitUntil(attemptFor("finish", [task], recording));
  }
}

const record = (
  services: Pick<Services, "db" | "countDeliveries">,
  attempts: readonly DeliveryAttempt[],
  execution: Execution,
) =>
  attemptFor(
    "record",
    attempts.map(({ delivery }) => delivery),
    () => keep(services, attempts, execution),
  );

async function keep(
  services: Pick<Services, "db" | "countDeliveries">,
  attempts: readonly DeliveryAttempt[],
  execution: Execution,
): Promise<void> {
  await batch(services.db, recordAttempts(attempts));
  execution.waitUntil(countArrived(services, attempts));
}

/** Counts delivered webhooks for each organization's usage. */
async function countArrived(
  { countDeliveries }: Pick<Services, "countDeliveries">,
  attempts: readonly DeliveryAttempt[],
): Promise<void> {
  const arrived = attempts.filter(({ verdict }) => verdict.status === "delivered");
  const byOrganization = Map.groupBy(arrived, ({ delivery }) => delivery.organization_id);
  for (const [organizationId, deliveries] of byOrganization)
    await countDeliveries(organizationId, deliveries.length).catch((error) =>
      reportFailure(
        "count",
        deliveries.map(({ delivery }) => delivery),
        error,
      ),
    );
}

const move = (services: Pick<Services, "queues">, to: QueueName, deliveries: readonly LeasedDelivery[]) =>
  attemptFor("move", deliveries, () => enqueue(services.queues, to, deliveries));

/** Moves deliveries that must wait for their host to the slow queue, where they do not delay others. */
async function wait(
  services: Pick<Services, "queues">,
  queue: QueueName,
  waiting: Awaited<ReturnType<typeof reservePosts>>["waiting"],
): Promise<readonly LeasedDelivery[]> {
  const to = queue === "failing" ? queue : "slow";
  const rounds = [...Map.groupBy(waiting, ({ waitSeconds }) => waitSeconds)];
  const undone = rounds.map(([seconds, round]) => {
    const deliveries = round.map(({ delivery }) => delivery);
    return attemptFor("wait", deliveries, () => enqueue(services.queues, to, deliveries, seconds));
  });
  return (await Promise.all(undone)).flat();
}

/**
 * Does work for deliveries. If it fails, returns all of them: the queue redelivers their messages, or the sweep finds
 * them when the lease has ended.
 */
async function attemptFor(
  work: string,
  deliveries: readonly LeasedDelivery[],
  doing: () => Promise<unknown>,
): Promise<readonly LeasedDelivery[]> {
  try {
    if (deliveries.length > 0) await doing();
    return [];
  } catch (error) {
    reportFailure(work, deliveries, error);
    return deliveries;
  }
}

function reportFailure(work: string, deliveries: readonly LeasedDelivery[], error: unknown): void {
  report({ failed: work, delivery_ids: deliveries.map(({ id }) => id) }, error);
}

function partition<T>(all: readonly T[], condition: (one: T) => boolean): [T[], T[]] {
  return [all.filter(condition), all.filter((one) => !condition(one))];
}
