import Stripe from "stripe";

/** Builds Stripe-like events, with the fields that the service reads and some that it must ignore. */

let counted = 0;
/** Stripe-like ids that are unique within the run. */
export const stripeIdOf = (prefix: string): string =>
  `${prefix}_${(counted++).toString(36).padStart(4, "0")}${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`;

export interface StripeEvent {
  id: string;
  type: string;
  created: number;
  data: { object: Record<string, unknown> };
}

/** 2026-01-31T09:30:00Z */
const created = 1_769_851_800;

export const stripeEvent = (type: string, object: Record<string, unknown>): StripeEvent =>
  ({
    id: stripeIdOf("evt"),
    object: "event",
    api_version: "2026-07-29.dahlia",
    created,
    livemode: false,
    pending_webhooks: 1,
    request: { id: stripeIdOf("req"), idempotency_key: crypto.randomUUID() },
    type,
    data: { object },
  }) as StripeEvent;

type Metadata = Record<string, string>;

interface Paid {
  intent: string;
  amount: number;
  currency?: string;
  metadata?: Metadata;
}

export const intentSucceeded = ({ intent, amount, currency = "usd", metadata = {} }: Paid): StripeEvent =>
  stripeEvent("payment_intent.succeeded", {
    id: intent,
    object: "payment_intent",
    amount,
    amount_received: amount,
    currency,
    latest_charge: intent.replace("pi_", "ch_"),
    metadata,
    status: "succeeded",
  });

export const sessionCompleted = (
  { intent, amount, currency = "usd", metadata = {} }: Paid,
  { paid = true, later = false } = {},
): StripeEvent =>
  stripeEvent(later ? "checkout.session.async_payment_succeeded" : "checkout.session.completed", {
    id: intent.replace("pi_", "cs_test_"),
    object: "checkout.session",
    amount_total: amount,
    currency,
    metadata,
    mode: "payment",
    payment_intent: intent,
    payment_status: paid ? "paid" : "unpaid",
    status: "complete",
  });

/** `refunded` is the total of the charge's refunds. */
export const chargeRefunded = (
  { intent, amount, currency = "usd", metadata = {} }: Paid,
  refunded: number,
): StripeEvent =>
  stripeEvent("charge.refunded", {
    id: intent.replace("pi_", "ch_"),
    object: "charge",
    amount,
    amount_captured: amount,
    amount_refunded: refunded,
    currency,
    metadata,
    payment_intent: intent,
    refunded: refunded === amount,
    status: "succeeded",
  });

export const disputed = (
  { intent, amount, currency = "usd" }: Paid,
  step: "created" | "funds_withdrawn" | "closed",
  status: string,
): StripeEvent =>
  stripeEvent(`charge.dispute.${step}`, {
    id: intent.replace("pi_", "du_"),
    object: "dispute",
    amount,
    charge: intent.replace("pi_", "ch_"),
    currency,
    payment_intent: intent,
    reason: "fraudulent",
    status,
  });

export const signature = (
  payload: string,
  secret: string,
  atSeconds = Math.floor(Date.now() / 1000),
): Promise<string> =>
  Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    timestamp: atSeconds,
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  });
