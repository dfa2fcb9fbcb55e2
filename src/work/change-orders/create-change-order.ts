import { Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { build, statement } from "../../db/build.ts";
import { required, runLast } from "../../db/query.ts";
import { amountOfProject } from "../projects/amount-of-project.ts";
import { findChangeOrder } from "./find-change-order.ts";
import type { ChangeOrder } from "./record.ts";
import { changeOrders } from "./tables.ts";

/** Drafts a change order in the project's currency. */
export async function createChangeOrder(
  context: Context<Staff, "db">,
  { project, title, amount }: { project: string; title: string; amount: number },
): Promise<ChangeOrder | Refusal> {
  const organization_id = context.organization.id;
  const price = await amountOfProject(context, project, amount);
  if (price instanceof Refusal) return price;
  const id = crypto.randomUUID();
  const values = { id, organization_id, project_id: project, title, ...price, created_by: context.actor.id };
  return runLast(context.services.db, [
    statement(build.insert(changeOrders).values(values)),
    ...changeEntries(context, "change_order.created", id, { project_id: project, title }),
    required(findChangeOrder(organization_id, id)),
  ]);
}
