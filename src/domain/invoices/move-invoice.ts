import { type AdminRefusal, deny, noSuch } from "../../catalogue/admin-refusals.ts";
import type { Invoice } from "../../catalogue/resources/invoice.ts";
import { type Acting, act } from "../acting.ts";
import { readInvoice } from "./read-invoices.ts";

/** Opens a draft: the database assigns number and issue date and records invoice.sent. */
export const issueInvoice = (acting: Acting, id: string) =>
  move(acting, id, {
    action: "invoice.issued",
    status: "open",
    from: ["draft"],
    only: "a draft can be issued",
  });

/** Voids an invoice that nobody has paid on; its time entries can be invoiced again. */
export const voidInvoice = (acting: Acting, id: string) =>
  move(acting, id, {
    action: "invoice.voided",
    status: "void",
    from: ["draft", "open", "overdue"],
    only: "an unpaid draft, open or overdue invoice can be voided",
  });

async function move(
  acting: Acting,
  id: string,
  { action, status, from, only }: { action: string; status: string; from: string[]; only: string },
): Promise<Invoice | AdminRefusal> {
  const organizationId = acting.organization.id;
  const { changed, record } = await act(acting, {
    action,
    subjectId: id,
    change: {
      sql: `UPDATE invoices SET status = ? WHERE id = ? AND organization_id = ?
AND status IN (SELECT value FROM json_each(?)) RETURNING id`,
      params: [status, id, organizationId, JSON.stringify(from)],
    },
    read: readInvoice(organizationId, id),
  });
  if (!record) return noSuch("invoice", id);
  return changed ? record : deny(`This invoice is ${record.status}: only ${only}`);
}
