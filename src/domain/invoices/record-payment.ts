import { AdminRefusal, deny, noSuch } from "../../catalogue/admin-refusals.ts";
import type { Invoice } from "../../catalogue/resources/invoice.ts";
import type { Payment } from "../../catalogue/workspace/records.ts";
import { type Query, run } from "../../db/query.ts";
import { type Acting, act } from "../acting.ts";
import { fromMinor, toMinor } from "../money.ts";
import { readInvoice } from "./read-invoices.ts";

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
  acting: Acting,
  input: { invoice: string; amount: number; collected_via: CollectedVia },
): Promise<Payment | AdminRefusal> {
  const before = await run(acting.db, readInvoice(acting.organization.id, input.invoice));
  if (!before) return noSuch("invoice", input.invoice);
  const minor = toMinor(input.amount, before.currency);
  if (minor === null) return deny(`amount has more digits than ${before.currency}`);
  const id = crypto.randomUUID();
  const invoice = await pay(acting, before, { id, minor, collected_via: input.collected_via });
  if (invoice instanceof AdminRefusal) return invoice;
  const payment = await run(acting.db, findPayment(acting.organization.id, id));
  if (!payment) throw new Error("a payment that was just written was not found");
  return { ...payment, invoice };
}

/** Pays an invoice's whole amount due. */
export async function markInvoicePaid(
  acting: Acting,
  id: string,
  collected_via: CollectedVia,
): Promise<Invoice | AdminRefusal> {
  const before = await run(acting.db, readInvoice(acting.organization.id, id));
  if (!before) return noSuch("invoice", id);
  return pay(acting, before, { id: crypto.randomUUID(), minor: null, collected_via });
}

/** `minor` null: what is due at that moment. Answers the settled invoice, or why it takes no payment. */
async function pay(
  acting: Acting,
  { id: invoiceId }: Invoice,
  { id, minor, collected_via }: { id: string; minor: number | null; collected_via: CollectedVia },
): Promise<Invoice | AdminRefusal> {
  const { changed, record } = await act(acting, {
    action: "payment.recorded",
    subjectId: invoiceId,
    details: { payment_id: id, collected_via },
    change: { sql: insertSql, params: [id, minor, collected_via, invoiceId, acting.organization.id] },
    read: readInvoice(acting.organization.id, invoiceId),
  });
  if (!record) throw new Error("an invoice that takes a payment was not found");
  return changed ? record : notPayable(record);
}

const notPayable = ({ status }: Invoice) =>
  deny(
    `This invoice is ${status}: only an open, partially paid or overdue invoice takes a payment`,
    status === "draft" ? "issue it first" : undefined,
  );
