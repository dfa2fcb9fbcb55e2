import { AdminRefusal } from "../../contract/admin-refusals.ts";
import type { Deposit } from "../../contract/workspace/records.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { amountOfProject } from "../projects/amount-of-project.ts";
import { findDeposit } from "./find-deposit.ts";

const insertSql = `
INSERT INTO deposits (id, organization_id, project_id, amount_minor, currency, created_by)
VALUES (?, ?, ?, ?, ?, ?) RETURNING id`;

/** Asks for a deposit, in the project's currency; its kickoff waits for it. */
export async function createDeposit(
  context: AdminContext,
  { project, amount }: { project: string; amount: number },
): Promise<Deposit | AdminRefusal> {
  const organizationId = context.organization.id;
  const price = await amountOfProject(context, project, amount);
  if (price instanceof AdminRefusal) return price;
  const id = crypto.randomUUID();
  const { record } = await changeWithAudit(context, {
    action: "deposit.created",
    subjectId: id,
    details: { project_id: project },
    change: {
      sql: insertSql,
      params: [id, organizationId, project, price.minor, price.currency, context.actor.id],
    },
    read: findDeposit(organizationId, id),
  });
  if (!record) throw new Error("a deposit that was just written was not found");
  return record;
}
