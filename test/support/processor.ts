import { env, exports } from "cloudflare:workers";
import { baseUrl } from "./partner.ts";
import { type StripeEvent, signature } from "./stripe.ts";

export async function postProcessorEvent(
  event: StripeEvent | string,
  {
    secret = env.STRIPE_WEBHOOK_SECRET,
    headers = {},
  }: { secret?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const body = typeof event === "string" ? event : JSON.stringify(event, null, 2);
  return exports.default.fetch(`${baseUrl}/processor/stripe`, {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": await signature(body, secret),
      ...headers,
    },
    body,
  });
}
