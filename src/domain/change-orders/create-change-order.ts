import { AdminRefusal } from "../../contract/admin-refusals.ts";
import type { ChangeOrder } from "../../contract/workspace/records.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { amountOfProject } from "../projects/amount-of-project.ts";
import { findChangeOrder } from "./find-change-order.ts";

const insertSql = `
INSERT INTO change_orders (id, organization_id, project_id, title, amount_minor, currency, created_by)
VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`;

/** Drafts a change order, in the project's currency. */
export async function createChangeOrder(
  context: AdminContext,
  { project, title, amount }: { project: string; title: string; amount: number },
): Promise<ChangeOrder | AdminRefusal> {
  const organizationId = context.organization.id;
  const price = await amountOfProject(context, project, amount);
  if (price instanceof AdminRefusal) return price;
  const id = crypto.randomUUID();
  const { record } = await changeWithAudit(context, {
    action: "change_order.created",
    subjectId: id,
    details: { project_id: project, title },
    change: {
      sql: insertSql,
      params: [id, organizationId, project, title, price.minor, price.currency, context.actor.id],
    },
    read: findChangeOrder(organizationId, id),
  });
  if (!record) throw new Error("a change order that was just written was not found");
  return record;
}
