import { frontHeaders } from "../contract/front.ts";
import { limits } from "../contract/limits.ts";
import { stripePath } from "../contract/processor-path.ts";
import { invalid, Refusal, refuse } from "../contract/refusal.ts";
import type { Services } from "../core/services.ts";
import { readAtMost } from "../http/read-body.ts";
import { errorResponse } from "../http/responses.ts";
import { forgetEvent, isKnown } from "../payments/known-event.ts";
import { receiveEvent } from "../payments/receive-event.ts";
import { report } from "../platform/log.ts";
import { failureOf, isOfFence } from "../platform/unavailable.ts";
import { readEvent } from "./read-event.ts";
import { verifyEvent } from "./verify-event.ts";

/**
 * How the front asks a cell to handle an event. `offer`: if the event belongs to this cell; `kept`: like `offer`, with
 * an already verified signature; `last`: in any case, because it belongs to no cell; `forget`: delete it, because it
 * belongs to another cell.
 */
const frontRequests = ["offer", "kept", "last", "forget"] as const;
type FrontRequest = (typeof frontRequests)[number];

/** Null if the request did not come from the front. */
export const frontRequestOf = (request: Request, isFromFront: boolean): FrontRequest | null =>
  (isFromFront && frontRequests.find((way) => way === request.headers.get(frontHeaders.event))) || null;

/** Tells the front that an event does not belong to this cell. */
const notKnownHere = 421;

/** Tells the front that an event is not forgotten, because it belongs to a workspace of this cell. */
const belongsHere = 409;

/**
 * Handles POST /processor/stripe, the only HTTP route that changes payment state (contract Y1). The signature is
 * verified before anything is read. Our own failures return a 500, so that Stripe retries.
 */
export async function receiveStripeEvent(
  request: Request,
  {
    db,
    cell,
    processorSecrets: secrets,
    enqueueDueDeliveries,
  }: Pick<Services, "db" | "cell" | "processorSecrets" | "enqueueDueDeliveries">,
  { waitUntil, fromFront }: { waitUntil(work: Promise<unknown>): void; fromFront: FrontRequest | null },
): Promise<Response> {
  const signed = isVerified(fromFront) ? await request.json() : await readSigned(request, secrets);
  if (signed instanceof Response) return signed;
  const event = readEvent(signed);
  if (event === null) return errorResponse(invalid("The body is not a Stripe event"));
  const headers = new Headers(
    fromFront === null ? {} : { [frontHeaders.event]: event.processorPaymentId ?? "" },
  );
  try {
    if (fromFront === "forget")
      return new Response(null, { status: (await forgetEvent(db, event.id)) ? 200 : belongsHere });
    const isOffered = fromFront === "offer" || fromFront === "kept";
    if (isOffered && !(await isKnown(db, event, cell?.names[0] === cell?.name)))
      return new Response(null, { status: notKnownHere, headers });
    const { organizationId } = await receiveEvent(db, event);
    if (organizationId !== null) waitUntil(enqueueDueDeliveries(organizationId));
    return Response.json({ received: true }, { headers });
  } catch (error) {
    if (isOfFence(error)) return errorResponse(failureOf(error));
    report({ path: stripePath }, error);
    return errorResponse(refuse("unexpected"));
  }
}

const isVerified = (fromFront: FrontRequest | null): boolean => fromFront !== null && fromFront !== "offer";

/** Returns the event that Stripe signed, or the refusal. */
async function readSigned(request: Request, secrets: readonly string[]): Promise<unknown> {
  if (secrets.length === 0) throw new Error("STRIPE_WEBHOOK_SECRET is not set");
  const signature = request.headers.get("stripe-signature");
  if (signature === null) return errorResponse(invalid("Stripe-Signature is missing"));
  const body = await readAtMost(request, limits.processorEventBytes);
  if (body instanceof Refusal) return errorResponse(body);
  const signed = await verifyEvent(new Uint8Array(body), signature, secrets, Date.now());
  if (signed === null) return errorResponse(invalid("The signature does not match the body"));
  return signed;
}
