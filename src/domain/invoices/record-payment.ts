import { AdminRefusal, deny, noSuch } from "../../contract/admin-refusals.ts";
import { fromMinor, toMinor } from "../../contract/money.ts";
import type { Invoice } from "../../contract/resources/invoice.ts";
import type { Payment } from "../../contract/workspace/records.ts";
import { type Query, run } from "../../db/query.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { invoices } from "./read-invoices.ts";

type CollectedVia = Payment["collected_via"];

const insertSql = `
INSERT INTO payments (id, organization_id, invoice_id, amount_minor, collected_via)
SELECT ?1, organization_id, id, coalesce(?2, amount_due_minor), ?3 FROM invoices
WHERE id = ?4 AND organization_id = ?5 AND status IN ('open', 'partially_paid', 'overdue') RETURNING id`;

const findPayment = (organizationId: string, id: string): Query<Omit<Payment, "invoice"> | null> => ({
  sql: "SELECT p.*, i.currency FROM payments p JOIN invoices i ON i.id = p.invoice_id WHERE p.id = ? AND p.organization_id = ?",
  params: [id, organizationId],
  read: ([row]) =>
    row ? { ...(row as Omit<Payment, "invoice">), amount: fromMinor(row.amount_minor, row.currency) } : null,
});

/** Money that arrived for an invoice: the database settles the invoice and records invoice.paid. */
export async function recordPayment(
  context: AdminContext,
  input: { invoice: string; amount: number; collected_via: CollectedVia },
): Promise<Payment | AdminRefusal> {
  const before = await run(context.db, invoices.read(context.organization.id, input.invoice));
  if (!before) return noSuch("invoice", input.invoice);
  const minor = toMinor(input.amount, before.currency);
  if (minor === null) return deny(`amount has more digits than ${before.currency}`);
  const id = crypto.randomUUID();
  const invoice = await pay(context, before, { id, minor, collected_via: input.collected_via });
  if (invoice instanceof AdminRefusal) return invoice;
  const payment = await run(context.db, findPayment(context.organization.id, id));
  if (!payment) throw new Error("a payment that was just written was not found");
  return { ...payment, invoice };
}

/** Pays an invoice's whole amount due. */
export async function markInvoicePaid(
  context: AdminContext,
  id: string,
  collected_via: CollectedVia,
): Promise<Invoice | AdminRefusal> {
  const before = await run(context.db, invoices.read(context.organization.id, id));
  if (!before) return noSuch("invoice", id);
  return pay(context, before, { id: crypto.randomUUID(), minor: null, collected_via });
}

/** `minor` null: what is due at that moment. Answers the settled invoice, or why it takes no payment. */
async function pay(
  context: AdminContext,
  { id: invoiceId }: Invoice,
  { id, minor, collected_via }: { id: string; minor: number | null; collected_via: CollectedVia },
): Promise<Invoice | AdminRefusal> {
  const { changed, record } = await changeWithAudit(context, {
    action: "payment.recorded",
    subjectId: invoiceId,
    details: { payment_id: id, collected_via },
    change: { sql: insertSql, params: [id, minor, collected_via, invoiceId, context.organization.id] },
    read: invoices.read(context.organization.id, invoiceId),
  });
  if (!record) throw new Error("an invoice that takes a payment was not found");
  return changed ? record : notPayable(record);
}

const notPayable = ({ status }: Invoice) =>
  deny(
    `This invoice is ${status}: only an open, partially paid or overdue invoice takes a payment`,
    status === "draft" ? "issue it first" : undefined,
  );
