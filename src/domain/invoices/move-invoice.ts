import { type AdminRefusal, deny, noSuch } from "../../contract/admin-refusals.ts";
import type { Invoice } from "../../contract/resources/invoice.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { invoices } from "./read-invoices.ts";

/** Opens a draft: the database assigns number and issue date and records invoice.sent. */
export const issueInvoice = (context: AdminContext, id: string) =>
  move(context, id, {
    action: "invoice.issued",
    status: "open",
    from: ["draft"],
    only: "a draft can be issued",
  });

/** Voids an invoice that nobody has paid on; its time entries can be invoiced again. */
export const voidInvoice = (context: AdminContext, id: string) =>
  move(context, id, {
    action: "invoice.voided",
    status: "void",
    from: ["draft", "open", "overdue"],
    only: "an unpaid draft, open or overdue invoice can be voided",
  });

async function move(
  context: AdminContext,
  id: string,
  { action, status, from, only }: { action: string; status: string; from: string[]; only: string },
): Promise<Invoice | AdminRefusal> {
  const organizationId = context.organization.id;
  const { changed, record } = await changeWithAudit(context, {
    action,
    subjectId: id,
    change: {
      sql: `UPDATE invoices SET status = ? WHERE id = ? AND organization_id = ?
AND status IN (SELECT value FROM json_each(?)) RETURNING id`,
      params: [status, id, organizationId, JSON.stringify(from)],
    },
    read: invoices.read(organizationId, id),
  });
  if (!record) return noSuch("invoice", id);
  return changed ? record : deny(`This invoice is ${record.status}: only ${only}`);
}
