import { and, eq } from "drizzle-orm";
import { type AdminRefusal, deny, noSuch } from "../../contract/admin-refusals.ts";
import type { Deposit, Payment } from "../../contract/workspace/records.ts";
import { build } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { deposits } from "../../db/schema/review.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findDeposit } from "./find-deposit.ts";

/** The money arrived: the kickoff gate of the project releases. */
export async function clearDeposit(
  context: AdminContext,
  id: string,
  collected_via: Payment["collected_via"],
): Promise<Deposit | AdminRefusal> {
  const organizationId = context.organization.id;
  const { changed, record } = await changeWithAudit(context, {
    action: "deposit.cleared",
    subjectId: id,
    details: { collected_via },
    change: build
      .update(deposits)
      .set({ status: "cleared", collected_via })
      .where(and(owned(deposits, organizationId, id), eq(deposits.status, "pending")))
      .returning({ id: deposits.id }),
    read: findDeposit(organizationId, id),
  });
  if (!record) return noSuch("deposit", id);
  return changed ? record : deny("This deposit has cleared already");
}
