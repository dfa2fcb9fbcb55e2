import { and, eq, inArray, isNull } from "drizzle-orm";
import { type AdminRefusal, deny, noSuch } from "../../contract/admin-refusals.ts";
import type { WebhookDelivery } from "../../contract/workspace/webhooks.ts";
import { build } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { now } from "../../db/schema/columns.ts";
import { webhookDeliveries as table, webhookEndpoints } from "../../db/schema/webhooks.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findDelivery } from "./read-deliveries.ts";

/** Gives a dead delivery all its attempts again, under the same id; the first is due now, unless a trigger holds it. */
export async function replayDelivery(
  context: AdminContext,
  id: string,
): Promise<WebhookDelivery | AdminRefusal> {
  const organizationId = context.organization.id;
  const undeleted = build
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.organization_id, organizationId), isNull(webhookEndpoints.deleted_at)));
  const { changed, record } = await changeWithAudit(context, {
    action: "webhook_delivery.replayed",
    subjectId: id,
    change: build
      .update(table)
      .set({ status: "pending", attempts: 0, settled_at: null, next_attempt_at: now })
      .where(
        and(
          owned(table, organizationId, id),
          eq(table.status, "dead"),
          inArray(table.endpoint_id, undeleted),
        ),
      )
      .returning({ id: table.id }),
    read: findDelivery(organizationId, id),
  });
  if (!record) return noSuch("webhook delivery", id);
  if (changed) return record;
  return record.status === "dead"
    ? deny("The endpoint of this delivery was deleted")
    : deny(`This delivery is ${record.status}: only a dead one can be replayed`);
}
