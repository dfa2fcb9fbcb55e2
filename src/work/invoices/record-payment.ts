import { and, eq, gt, ne, sql } from "drizzle-orm";
import { toMinor, wrongAmount } from "../../contract/money.ts";
import { invalid, noSuch, Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeWithAudit } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import type { LedgerEntry } from "../../core/ledger/ledger.ts";
import { insertSelect } from "../../db/build.ts";
import { batch, run } from "../../db/query.ts";
import { owned, records } from "../../db/records.ts";
import { invoiceResource } from "./read-invoices.ts";
import { type Invoice, Payment } from "./record.ts";
import { payments, invoices as table } from "./tables.ts";

type CollectedVia = Payment["collected_via"];

const { find: findPayment } = records(payments, Payment.omit({ invoice: true }), {
  currency:
    sql<string>`(SELECT ${table.currency} FROM ${table} WHERE ${eq(table.id, payments.invoice_id)})`.as(
      "currency",
    ),
});

/**
 * Records a payment for an issued invoice, even a paid or void one. The database adds the payment to the invoice,
 * updates its status and records invoice.paid.
 */
export async function recordPayment(
  context: Context<Staff, "db">,
  input: { invoice: string; amount: number; collected_via: CollectedVia },
): Promise<Payment | Refusal> {
  const organizationId = context.organization.id;
  const before = await run(context.services.db, invoiceResource.read(organizationId, input.invoice));
  if (!before) return noSuch("invoice", input.invoice);
  const minor = toMinor(input.amount, before.currency);
  if (minor === null) return invalid(wrongAmount("amount", input.amount, before.currency));
  return pay(context, input.invoice, minor, input.collected_via);
}

/** Finds the payment that the entry's call recorded, and the current state of its invoice. */
export async function paymentOfEntry(
  { services, organization }: Context<Staff, "db">,
  { subjectId, details }: LedgerEntry,
): Promise<Payment | null> {
  const [payment, invoice] = await batch(services.db, [
    findPayment(organization.id, String(details.payment_id)),
    invoiceResource.read(organization.id, subjectId),
  ]);
  return payment && invoice && { ...payment, invoice };
}

/** Records a payment for an invoice's full amount due. */
export async function markInvoicePaid(
  context: Context<Staff, "db">,
  id: string,
  collected_via: CollectedVia,
): Promise<Invoice | Refusal> {
  const paid = await pay(context, id, null, collected_via);
  return paid instanceof Refusal ? paid : paid.invoice;
}

/** Records a payment, by default for the current amount due, and returns it with the updated invoice. */
async function pay(
  context: Context<Staff, "db">,
  invoiceId: string,
  minor: number | null,
  collected_via: CollectedVia,
): Promise<Payment | Refusal> {
  const organizationId = context.organization.id;
  const id = crypto.randomUUID();
  const payable = and(ne(table.status, "draft"), minor === null ? gt(table.amount_due_minor, 0) : undefined);
  const change = insertSelect(
    payments,
    {
      id,
      organization_id: organizationId,
      invoice_id: invoiceId,
      amount_minor: minor ?? sql`${table.amount_due_minor}`,
      collected_via,
    },
    sql`FROM ${table} WHERE ${and(owned(table, organizationId, invoiceId), payable)}`,
  );
  const [payment, invoice] = await changeWithAudit(
    context,
    { action: "payment.recorded", subjectId: invoiceId, details: { payment_id: id, collected_via } },
    change,
    [findPayment(organizationId, id), invoiceResource.read(organizationId, invoiceId)],
  );
  if (!invoice) return noSuch("invoice", invoiceId);
  return payment ? { ...payment, invoice } : notPayable(invoice);
}

const notPayable = ({ status }: Invoice) =>
  status === "draft" ? refuse("invoice_is_draft") : refuse("nothing_due", { status });
