import { and, eq, gt, isNull, ne, or } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import { sendingLimits } from "../../contract/webhook-limits.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { webhookDeliveries as table } from "../../core/events/tables.ts";
import { build } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { isIn } from "../../db/is-in.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";
import { findDelivery } from "./read-deliveries.ts";
import type { WebhookDelivery } from "./record.ts";

/**
 * The retry is due later than a lease could end, so no attempt is in progress. Any other pending delivery is held, or
 * will be attempted within a minute anyway.
 */
const waitsForRetry = and(
  eq(table.status, "pending"),
  gt(table.next_attempt_at, nowWith(`+${sendingLimits.leaseSeconds} seconds`)),
);

/**
 * Restarts the schedule of a delivery that is settled or waits for a retry, under the same id. The first attempt is due
 * at once, unless a trigger holds the delivery.
 */
export async function replayDelivery(
  context: Context<Staff, "db">,
  id: string,
): Promise<WebhookDelivery | Refusal> {
  const ofWorkspace = eq(endpoints.organization_id, context.organization.id);
  const undeleted = build
    .select({ id: endpoints.id })
    .from(endpoints)
    .where(and(ofWorkspace, isNull(endpoints.deleted_at)));
  const { changed, record } = await changeRecord(context, table, id, {
    action: "webhook_delivery.replayed",
    set: { status: "pending", attempts: 0, settled_at: null, next_attempt_at: now, replayed_at: now },
    guard: and(or(ne(table.status, "pending"), waitsForRetry), isIn(table.endpoint_id, undeleted)),
    find: findDelivery,
  });
  if (!record) return noSuch("webhook delivery", id);
  if (changed) return record;
  return record.status === "pending" ? refuse("delivery_under_way") : refuse("endpoint_of_delivery_deleted");
}
