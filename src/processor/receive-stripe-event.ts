import { limits } from "../contract/limits.ts";
import { invalid, Refusal, refuse } from "../contract/refusal.ts";
import type { Services } from "../core/services.ts";
import { readAtMost } from "../http/read-body.ts";
import { errorResponse } from "../http/responses.ts";
import { receiveEvent } from "../payments/receive-event.ts";
import { report } from "../platform/log.ts";
import { failureOf, isOfFence } from "../platform/unavailable.ts";
import { readEvent } from "./read-event.ts";
import { verifyEvent } from "./verify-event.ts";

export const stripePath = "/processor/stripe";

/**
 * POST /processor/stripe, the only HTTP route that changes payment state (contract Y1). Nothing is read before the
 * signature is verified. Any failure of ours is a 500, so that Stripe sends the event again.
 */
export async function receiveStripeEvent(
  request: Request,
  {
    db,
    processorSecrets: secrets,
    enqueueDueDeliveries,
  }: Pick<Services, "db" | "processorSecrets" | "enqueueDueDeliveries">,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Response> {
  if (secrets.length === 0) throw new Error("STRIPE_WEBHOOK_SECRET is not set");
  const signature = request.headers.get("stripe-signature");
  if (signature === null) return errorResponse(invalid("Stripe-Signature is missing"));
  const body = await readAtMost(request, limits.processorEventBytes);
  if (body instanceof Refusal) return errorResponse(body);
  const signed = await verifyEvent(new Uint8Array(body), signature, secrets, Date.now());
  if (signed === null) return errorResponse(invalid("The signature does not hold for this body"));
  const event = readEvent(signed);
  if (event === null) return errorResponse(invalid("The body is not an event of Stripe"));
  try {
    const { organizationId } = await receiveEvent(db, event);
    if (organizationId !== null) waitUntil(enqueueDueDeliveries(organizationId));
    return Response.json({ received: true });
  } catch (error) {
    if (isOfFence(error)) return errorResponse(failureOf(error));
    report({ path: stripePath }, error);
    return errorResponse(refuse("unexpected"));
  }
}
