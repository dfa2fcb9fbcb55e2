import { eq } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import type { Payment } from "../invoices/record.ts";
import { findDeposit } from "./find-deposit.ts";
import type { Deposit } from "./record.ts";
import { deposits } from "./tables.ts";

/** Records that the deposit was paid, which releases the project's kickoff gate. */
export async function clearDeposit(
  context: Context<Staff, "db">,
  id: string,
  collected_via: Payment["collected_via"],
): Promise<Deposit | Refusal> {
  const { changed, record } = await changeRecord(context, deposits, id, {
    action: "deposit.cleared",
    details: { collected_via },
    set: { status: "cleared", collected_via },
    guard: eq(deposits.status, "pending"),
    find: findDeposit,
  });
  if (!record) return noSuch("deposit", id);
  return changed ? record : refuse("deposit_already_cleared");
}
