import { AdminRefusal } from "../../catalogue/admin-refusals.ts";
import type { Deposit } from "../../catalogue/workspace/records.ts";
import { type Acting, act } from "../acting.ts";
import { amountOfProject } from "../projects/amount-of-project.ts";
import { findDeposit } from "./find-deposit.ts";

const insertSql = `
INSERT INTO deposits (id, organization_id, project_id, amount_minor, currency, created_by)
VALUES (?, ?, ?, ?, ?, ?) RETURNING id`;

/** Asks for a deposit, in the project's currency; its kickoff waits for it. */
export async function createDeposit(
  acting: Acting,
  { project, amount }: { project: string; amount: number },
): Promise<Deposit | AdminRefusal> {
  const organizationId = acting.organization.id;
  const price = await amountOfProject(acting, project, amount);
  if (price instanceof AdminRefusal) return price;
  const id = crypto.randomUUID();
  const { record } = await act(acting, {
    action: "deposit.created",
    subjectId: id,
    details: { project_id: project },
    change: {
      sql: insertSql,
      params: [id, organizationId, project, price.minor, price.currency, acting.actor.id],
    },
    read: findDeposit(organizationId, id),
  });
  if (!record) throw new Error("a deposit that was just written was not found");
  return record;
}
