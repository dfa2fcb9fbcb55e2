import Stripe from "stripe";

/** Stripe's own default. An event signed longer ago is refused, so that a recorded one cannot be replayed. */
const toleranceSeconds = 300;
const cryptoProvider = Stripe.createSubtleCryptoProvider();

/** Parses the raw bytes as JSON if one of the secrets signed them within the tolerance; null otherwise. */
export async function verifyEvent(
  body: Uint8Array,
  signature: string,
  secrets: readonly string[],
  nowMs: number,
): Promise<unknown> {
  const payload = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(body);
  for (const secret of secrets) {
    try {
      return await Stripe.webhooks.constructEventAsync(
        payload,
        signature,
        secret,
        toleranceSeconds,
        cryptoProvider,
        nowMs,
      );
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  return null;
}
