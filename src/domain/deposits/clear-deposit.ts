import { type AdminRefusal, deny, noSuch } from "../../contract/admin-refusals.ts";
import type { Deposit } from "../../contract/workspace/records.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findDeposit } from "./find-deposit.ts";

const clearSql = `
UPDATE deposits SET status = 'cleared', collected_via = ? WHERE id = ? AND organization_id = ? AND status = 'pending'
RETURNING id`;

/** The money arrived: the kickoff gate of the project releases. */
export async function clearDeposit(
  context: AdminContext,
  id: string,
  collected_via: "stripe" | "offline",
): Promise<Deposit | AdminRefusal> {
  const organizationId = context.organization.id;
  const { changed, record } = await changeWithAudit(context, {
    action: "deposit.cleared",
    subjectId: id,
    details: { collected_via },
    change: { sql: clearSql, params: [collected_via, id, organizationId] },
    read: findDeposit(organizationId, id),
  });
  if (!record) return noSuch("deposit", id);
  return changed ? record : deny("This deposit has cleared already");
}
