import { and, eq, sql } from "drizzle-orm";
import { toMinor, wrongAmount } from "../contract/money.ts";
import { invalid, noSuch, type Refusal, refuse } from "../contract/refusal.ts";
import type { Staff } from "../core/actor.ts";
import { changeEntries } from "../core/audit-log/audited-change.ts";
import type { Context } from "../core/context.ts";
import { build, changesRow, row } from "../db/build.ts";
import { batch, type Query } from "../db/query.ts";
import { invoices } from "../work/invoices/tables.ts";
import type { ProcessorEvent } from "./processor-event.ts";
import { findProcessorEvent, isVisibleTo } from "./read-events.ts";
import { reconcile } from "./reconcile.ts";
import type { ProcessorEventRecord } from "./record.ts";
import { processorEvents } from "./tables.ts";

/** `amount`: the payment's value in the invoice's currency, if the payment was in a different one. */
interface Matching {
  id: string;
  invoice: string;
  amount?: number;
}

/** Assigns an unmatched payment to an invoice in the workspace. Its refunds and disputes then apply automatically. */
export async function matchProcessorEvent(
  context: Context<Staff, "db">,
  matching: Matching,
): Promise<ProcessorEventRecord | Refusal> {
  const organizationId = context.organization.id;
  const [event, money, invoice] = await batch(context.services.db, [
    findProcessorEvent(context, matching.id),
    moneyOf(matching.id),
    payableInvoice(organizationId, matching.invoice),
  ]);
  if (!event || !money) return noSuch("processor event", matching.id);
  if (!invoice) return noSuch("invoice", matching.invoice);
  const amountMinor = amountFor(event, money, invoice, matching.amount);
  if (typeof amountMinor === "object" && amountMinor !== null) return amountMinor;
  const [isAssigned, ...answers] = await batch(context.services.db, [
    assign(context, matching, amountMinor),
    ...changeEntries(context, "processor_event.matched", invoice.id, {
      event: event.id,
      amount: matching.amount ?? event.amount,
    }),
    // Applies all events of the payment that were waiting for this choice.
    ...reconcile("payment", money.processor_payment_id ?? ""),
    findProcessorEvent(context, matching.id),
  ]);
  const matched = answers.at(-1) as ProcessorEventRecord | null;
  if (!matched) return noSuch("processor event", matching.id);
  return isAssigned ? matched : notUnmatched(matched);
}

const notUnmatched = ({ outcome }: ProcessorEventRecord): Refusal =>
  refuse("event_not_unmatched", { outcome });

const moneyColumns = {
  kind: processorEvents.kind,
  processor_payment_id: processorEvents.processor_payment_id,
  /** Whether the payment itself has been received, so that its refunds and disputes belong to it. */
  has_payment: sql<number>`EXISTS (SELECT 1 FROM processor_events AS paid
    WHERE paid.processor_payment_id = processor_events.processor_payment_id AND paid.kind = 'payment')`.as(
    "has_payment",
  ),
};
type Money = { kind: ProcessorEvent["kind"]; processor_payment_id: string | null; has_payment: number };

const moneyOf = (id: string): Query<Money | null> =>
  row(moneyColumns, build.select(moneyColumns).from(processorEvents).where(eq(processorEvents.id, id)));

const payable = { id: invoices.id, status: invoices.status, currency: invoices.currency };
type Payable = { id: string; status: string; currency: string };

const payableInvoice = (organizationId: string, id: string): Query<Payable | null> =>
  row(
    payable,
    build
      .select(payable)
      .from(invoices)
      .where(and(eq(invoices.id, id), eq(invoices.organization_id, organizationId))),
  );

/**
 * Returns the payment's value in the invoice's currency, null if it was paid in that currency, or the reason why the
 * payment cannot be assigned.
 */
function amountFor(
  event: ProcessorEventRecord,
  { kind, processor_payment_id, has_payment }: Money,
  invoice: Payable,
  amount: number | undefined,
): number | null | Refusal {
  if (event.outcome !== "unmatched") return notUnmatched(event);
  if (processor_payment_id === null) return refuse("event_unreadable");
  const takesBack = kind !== "payment";
  if (takesBack && has_payment) return followsPayment(event);
  if (invoice.status === "draft") return refuse("invoice_is_draft");
  if (event.currency === invoice.currency) return amount === undefined ? null : refuse("amount_not_needed");
  const currencies = { currency: event.currency, currencyOfInvoice: invoice.currency };
  if (takesBack) return refuse("reversal_in_other_currency", currencies);
  if (amount === undefined) return refuse("amount_needed", currencies);
  return toMinor(amount, invoice.currency) ?? invalid(wrongAmount("amount", amount, invoice.currency));
}

/** Returns why a known payment's refund or dispute cannot be assigned. docs/runbooks.md says what to do instead. */
function followsPayment({ deposit_id, payment_id }: ProcessorEventRecord): Refusal {
  return deposit_id === null
    ? refuse("reversal_follows_payment", { isPaymentRecorded: payment_id !== null })
    : refuse("reversal_of_deposit");
}

/** If two admins choose at once, the first choice wins. */
const assign = (context: Context<Staff, never>, { id, invoice }: Matching, amountMinor: number | null) =>
  changesRow(
    build
      .update(processorEvents)
      .set({
        organization_id: context.organization.id,
        matched_invoice_id: invoice,
        matched_amount_minor: amountMinor,
      })
      .where(and(eq(processorEvents.id, id), eq(processorEvents.outcome, "unmatched"), isVisibleTo(context)))
      .returning({ id: processorEvents.id }),
  );
