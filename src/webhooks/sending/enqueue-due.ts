import { and, asc, eq, type Placeholder, type SQLWrapper, sql } from "drizzle-orm";
import type { QueueName } from "../../contract/messages.ts";
import { sendingLimits } from "../../contract/webhook-limits.ts";
import { webhookDeliveries as deliveries } from "../../core/events/tables.ts";
import type { Services } from "../../core/services.ts";
import { build, type Placeholders, prepared, rows } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { inBatches } from "../../db/in-batches.ts";
import { isIn } from "../../db/is-in.ts";
import { mapped, type Query, run } from "../../db/query.ts";
import { roundRobin } from "../../db/round-robin.ts";
import { report } from "../../platform/log.ts";
import { enqueue, type QueuedDelivery } from "./delivery-queues.ts";

const limit = sendingLimits.leaseDeliveries;
const stepLimits = { maxRows: limit, maxBatches: sendingLimits.leaseRounds };

/**
 * Leases and enqueues the due deliveries of one organization. Leases without checking first, because something is
 * usually due right after a change. Returns the number of leased deliveries.
 */
export function enqueueDue(
  services: Pick<Services, "db" | "queues">,
  organizationId: string,
): Promise<number> {
  const enqueueLeased = enqueuing(services);
  return inBatches(stepLimits, () => enqueueLeased(leaseDue({ organizationId, limit })));
}

/** Like `enqueueDue`, but never rejects, because the next cron run finds any deliveries that were missed. */
export async function enqueueDueSafely(
  services: Pick<Services, "db" | "queues">,
  organizationId: string,
): Promise<void> {
  try {
    await enqueueDue(services, organizationId);
  } catch (error) {
    report({ failed: "enqueue", organization_id: organizationId }, error);
  }
}

/**
 * Leases and enqueues the due deliveries of all organizations, in every cron run. Checks before leasing, so that a run
 * with nothing due writes nothing. Organizations take turns, so that no organization waits for another's backlog.
 */
export function sweepDue(services: Pick<Services, "db" | "queues">): Promise<number> {
  const enqueueLeased = enqueuing(services);
  return inBatches(stepLimits, async () => {
    const due = await run(services.db, findDue({ limit }));
    if (due.length > 0) await enqueueLeased(leaseByIds({ ids: JSON.stringify(due) }));
    return due.length;
  });
}

type Leased = QueuedDelivery & { endpoint_id: string };

/**
 * Returns a function that leases and enqueues one batch. Over all batches, the first few deliveries of each endpoint
 * and each organization go to the fast queue and the rest to the slow one, so that a burst does not delay the first
 * deliveries of others.
 */
function enqueuing({
  db,
  queues,
}: Pick<Services, "db" | "queues">): (lease: Query<Leased[]>) => Promise<number> {
  const counts = new Map<string, number>();
  const hasRoom = (id: string, limit: number) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count <= limit;
  };
  const queueOf = ({ endpoint_id, organization_id }: Leased): QueueName =>
    hasRoom(endpoint_id, sendingLimits.fastOfEndpoint) &&
    hasRoom(organization_id, sendingLimits.fastOfOrganization)
      ? "fast"
      : "slow";
  return async (lease) => {
    const leased = await run(db, lease);
    for (const [queue, deliveries] of Map.groupBy(leased, queueOf)) await enqueue(queues, queue, deliveries);
    return leased.length;
  };
}

/** Uses literals, so that SQLite can match its partial indexes' conditions. Held deliveries have no next_attempt_at. */
const isWaiting = sql`${deliveries.status} = 'pending' AND ${deliveries.next_attempt_at} IS NOT NULL`;
export const isDue = sql`${isWaiting} AND ${deliveries.next_attempt_at} <= ${now}`;

const found = { id: deliveries.id };
const ids = (built: SQLWrapper) => mapped(rows(found, built), (due) => due.map(({ id }) => id));

/**
 * Moves next_attempt_at to the end of the lease, so that the delivery is not leased again before then. If the message
 * is lost, the sweep finds the delivery once the lease has ended.
 */
function lease(ids: Placeholder | SQLWrapper): Query<Leased[]> {
  const { id, endpoint_id, organization_id } = deliveries;
  const leased = {
    id,
    endpoint_id,
    organization_id,
    lease: sql<string>`${deliveries.next_attempt_at}`.as("lease"),
    url: sql<string>`(SELECT url FROM webhook_endpoints WHERE id = endpoint_id)`.as("url"),
  };
  const leaseEnd = nowWith(`+${sendingLimits.leaseSeconds} seconds`);
  return rows(
    leased,
    build
      .update(deliveries)
      .set({ next_attempt_at: leaseEnd })
      .where(and(isIn(id, ids), isDue))
      .returning(leased),
  );
}

export const leaseDue = prepared((bind: Placeholders<{ organizationId: string; limit: number }>) =>
  lease(
    build
      .select(found)
      .from(deliveries)
      .where(and(eq(deliveries.organization_id, bind.organizationId), isDue))
      .orderBy(asc(deliveries.next_attempt_at))
      .limit(bind.limit),
  ),
);

/** Leases the listed deliveries that are still due. */
export const leaseByIds = prepared((bind: Placeholders<{ ids: string }>) => lease(bind.ids));

/** Finds organizations with waiting deliveries through the index webhook_deliveries_due. */
export const waitingDeliveries = { table: deliveries, organization: deliveries.organization_id, isWaiting };

/** Finds the ids of due deliveries, with organizations taking turns. */
export const findDue = prepared(({ limit }: Placeholders<{ limit: number }>) =>
  ids(
    roundRobin(sql`${deliveries.id}`, {
      ...waitingDeliveries,
      key: deliveries.id,
      dueAt: deliveries.next_attempt_at,
      isDue,
      limit,
    }),
  ),
);
