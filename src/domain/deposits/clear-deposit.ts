import { type AdminRefusal, deny, noSuch } from "../../catalogue/admin-refusals.ts";
import type { Deposit } from "../../catalogue/workspace/records.ts";
import { type Acting, act } from "../acting.ts";
import { findDeposit } from "./find-deposit.ts";

const clearSql = `
UPDATE deposits SET status = 'cleared', collected_via = ? WHERE id = ? AND organization_id = ? AND status = 'pending'
RETURNING id`;

/** The money arrived: the kickoff gate of the project releases. */
export async function clearDeposit(
  acting: Acting,
  id: string,
  collected_via: "stripe" | "offline",
): Promise<Deposit | AdminRefusal> {
  const organizationId = acting.organization.id;
  const { changed, record } = await act(acting, {
    action: "deposit.cleared",
    subjectId: id,
    details: { collected_via },
    change: { sql: clearSql, params: [collected_via, id, organizationId] },
    read: findDeposit(organizationId, id),
  });
  if (!record) return noSuch("deposit", id);
  return changed ? record : deny("This deposit has cleared already");
}
