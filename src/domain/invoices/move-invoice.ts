import { and, inArray } from "drizzle-orm";
import { type AdminRefusal, deny, noSuch } from "../../contract/admin-refusals.ts";
import type { Invoice } from "../../contract/resources/invoice.ts";
import { build } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { invoices as table } from "../../db/schema/work.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { invoices } from "./read-invoices.ts";

/** How an invoice moves to a status: what the audit log calls it, from where, and how a refusal says that. */
interface Move {
  action: string;
  from: readonly Invoice["status"][];
  only: string;
}

const moves = {
  open: { action: "invoice.issued", from: ["draft"], only: "a draft can be issued" },
  void: {
    action: "invoice.voided",
    from: ["draft", "open", "overdue"],
    only: "an unpaid draft, open or overdue invoice can be voided",
  },
} as const satisfies Record<string, Move>;

/**
 * Opens a draft: the database assigns number and issue date and records invoice.sent. Or voids an invoice that nobody
 * has paid on: its time entries can be invoiced again.
 */
export async function moveInvoice(
  context: AdminContext,
  id: string,
  status: keyof typeof moves,
): Promise<Invoice | AdminRefusal> {
  const { action, from, only } = moves[status];
  const organizationId = context.organization.id;
  const { changed, record } = await changeWithAudit(context, {
    action,
    subjectId: id,
    change: build
      .update(table)
      .set({ status })
      .where(and(owned(table, organizationId, id), inArray(table.status, [...from])))
      .returning({ id: table.id }),
    read: invoices.read(organizationId, id),
  });
  if (!record) return noSuch("invoice", id);
  return changed ? record : deny(`This invoice is ${record.status}: only ${only}`);
}
