import Stripe from "stripe";
import type { LocalServer } from "../local/state.ts";

/** A Stripe event for a successful invoice payment. The amount is in cents. */
export const paymentSucceeded = (
  invoiceId: string,
  { amount, currency }: { amount: number; currency: string },
): string =>
  JSON.stringify({
    id: `evt_demo_${crypto.randomUUID().replaceAll("-", "")}`,
    object: "event",
    type: "payment_intent.succeeded",
    created: Math.floor(Date.now() / 1000),
    data: {
      object: {
        id: `pi_demo_${crypto.randomUUID().replaceAll("-", "")}`,
        object: "payment_intent",
        amount,
        amount_received: amount,
        currency: currency.toLowerCase(),
        metadata: { invoice_id: invoiceId },
        status: "succeeded",
      },
    },
  });

/** Signs an event and posts it like Stripe does; returns the status. */
export async function postStripeEvent(
  { base_url, stripe_webhook_secret }: Pick<LocalServer, "base_url" | "stripe_webhook_secret">,
  payload: string,
): Promise<number> {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: stripe_webhook_secret });
  const answer = await fetch(`${base_url}/processor/stripe`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
    body: payload,
  });
  return answer.status;
}
