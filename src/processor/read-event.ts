import * as z from "zod";
import type { ProcessorEvent } from "../payments/processor-event.ts";
import { fromStripe } from "./stripe-money.ts";

/** Translates Stripe's events into our terms, without calls to Stripe or the database. */

/** Stripe's ids have at most 255 characters. */
const stripeId = z.string().min(1).max(255);
/** A reference, as an id or as the expanded object. */
const reference = z
  .union([stripeId, z.object({ id: stripeId }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? null);
const amount = z.int().min(0);
const currency = z.string().length(3);
const ourId = z.string().trim().toLowerCase().optional();
const metadata = z.object({ invoice_id: ourId, deposit_id: ourId }).nullish();

const StripeEvent = z.object({
  id: stripeId,
  type: z.string().min(1).max(255),
  created: z.int().min(0).max(253_402_300_799), // the last second with a four-digit year in ISO 8601
  data: z.object({ object: z.unknown() }),
});

const PaymentIntent = z.object({ id: stripeId, amount_received: amount, currency, metadata });

const CheckoutSession = z.object({
  id: stripeId,
  payment_intent: reference,
  payment_status: z.string(),
  amount_total: amount.nullable(),
  currency: currency.nullable(),
  metadata,
});

const Charge = z.object({ id: stripeId, payment_intent: reference, amount_refunded: amount, currency });

const Dispute = z.object({
  id: stripeId,
  charge: reference,
  payment_intent: reference,
  amount,
  currency,
  status: z.string(),
});

type Reading = Partial<Omit<ProcessorEvent, "id" | "type" | "occurredAt">> & Pick<ProcessorEvent, "kind">;
const nothingFollows: Reading = { kind: "other" };

/** The event types that change money, and what each means. All other types are stored and ignored. */
const readings: Readonly<Record<string, (object: unknown) => Reading>> = {
  "payment_intent.succeeded": reading(PaymentIntent, (intent) =>
    readPayment(intent.id, intent.amount_received, intent.currency, intent.metadata),
  ),
  "checkout.session.completed": reading(CheckoutSession, readSession),
  "checkout.session.async_payment_succeeded": reading(CheckoutSession, readSession),
  "charge.refunded": reading(Charge, (charge) => ({
    kind: "refund",
    processorPaymentId: charge.payment_intent ?? charge.id,
    processorReversalId: charge.id,
    ...money(charge.amount_refunded, charge.currency),
  })),
  "charge.dispute.created": reading(Dispute, readOpened),
  // Reports an inquiry that became a dispute. For any other dispute, it repeats what is known.
  "charge.dispute.funds_withdrawn": reading(Dispute, readOpened),
  "charge.dispute.closed": reading(Dispute, (dispute) =>
    movesMoney(dispute.status)
      ? readDispute(dispute.status === "won" ? "dispute_won" : "dispute", dispute)
      : nothingFollows,
  ),
};

/** Reads an event signed by Stripe; null if it isn't an event. */
export function readEvent(signed: unknown): ProcessorEvent | null {
  const event = StripeEvent.safeParse(signed);
  if (!event.success) return null;
  const { id, type, created, data } = event.data;
  const found = Object.hasOwn(readings, type) ? readings[type]?.(data.object) : undefined;
  return {
    id,
    type,
    occurredAt: new Date(created * 1000).toISOString(),
    processorPaymentId: null,
    processorReversalId: null,
    amountMinor: null,
    currency: null,
    invoiceId: null,
    depositId: null,
    problem: null,
    ...(found ?? nothingFollows),
  };
}

/** An object that doesn't match its schema may involve money, so a person must look at it. */
function reading<S extends z.ZodType>(schema: S, read: (object: z.output<S>) => Reading) {
  return (object: unknown): Reading => {
    const parsed = schema.safeParse(object);
    return parsed.success ? read(parsed.data) : { kind: "other", problem: "unreadable" };
  };
}

/** A session can complete before its money arrives (a later event then reports the payment), or without any money. */
function readSession(session: z.output<typeof CheckoutSession>): Reading {
  const { payment_status, amount_total, currency: paidIn } = session;
  if (payment_status !== "paid" || amount_total === null || paidIn === null) return nothingFollows;
  return readPayment(session.payment_intent ?? session.id, amount_total, paidIn, session.metadata);
}

/** Inquiries (warning_…) and prevented disputes do not move money. */
const movesMoney = (status: string) => status !== "prevented" && !status.startsWith("warning_");

function readOpened(dispute: z.output<typeof Dispute>): Reading {
  return movesMoney(dispute.status) ? readDispute("dispute", dispute) : nothingFollows;
}

const readDispute = (kind: "dispute" | "dispute_won", dispute: z.output<typeof Dispute>): Reading => ({
  kind,
  processorPaymentId: dispute.payment_intent ?? dispute.charge,
  processorReversalId: dispute.id,
  ...money(dispute.amount, dispute.currency),
});

function readPayment(id: string, came: number, paidIn: string, purpose: z.output<typeof metadata>): Reading {
  if (came === 0) return nothingFollows;
  return {
    kind: "payment",
    processorPaymentId: id,
    invoiceId: purpose?.invoice_id ?? null,
    depositId: purpose?.deposit_id ?? null,
    ...money(came, paidIn),
  };
}

function money(amountOfStripe: number, currencyOfStripe: string) {
  const read = fromStripe(amountOfStripe, currencyOfStripe);
  return "problem" in read ? read : { amountMinor: read.minor, currency: read.currency };
}
