import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { isIn } from "../../db/is-in.ts";
import { invoiceResource } from "./read-invoices.ts";
import type { Invoice } from "./record.ts";
import { invoices as table } from "./tables.ts";

/**
 * A status change: its action in the audit log, the statuses that it can start from, and how the refusal words them.
 */
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
 * Opens a draft, or voids an invoice without payments. When an invoice is opened, the database assigns its number and
 * issue date and records invoice.sent. When it is voided, its time entries can be invoiced again.
 */
export async function moveInvoice(
  context: Context<Staff, "db">,
  id: string,
  status: keyof typeof moves,
): Promise<Invoice | Refusal> {
  const { action, from, only } = moves[status];
  const { changed, record } = await changeRecord(context, table, id, {
    action,
    set: { status },
    guard: isIn(table.status, from),
    find: invoiceResource.read,
  });
  if (!record) return noSuch("invoice", id);
  return changed ? record : refuse("invoice_not_movable", { status: record.status, only });
}
