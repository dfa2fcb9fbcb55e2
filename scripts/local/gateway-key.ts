import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The local apikey, which is published in wrangler.toml. */
export const localGatewayKey = (parameters: readonly string[] = []): string =>
  localVariable("GATEWAY_PUBLIC_KEY", parameters);

/** The local signing secret for Stripe events. */
export const localStripeSecret = (parameters: readonly string[] = []): string =>
  localVariable("STRIPE_WEBHOOK_SECRET", parameters);

/** The local encryption key for webhook secrets. */
export const localWebhookSecretKey = (parameters: readonly string[] = []): string =>
  localVariable("WEBHOOK_SECRET_KEY", parameters);

/**
 * Reads a variable from the parameters of `wrangler dev` (`--var NAME:value`) or else from wrangler.toml. If the
 * parameter lists several keys, returns the first, which is the newest.
 */
function localVariable(name: string, parameters: readonly string[]): string {
  const words = parameters.map((word) => word.replace(/^--var=/, ""));
  const given = words.findLast((word) => word.startsWith(`${name}:`))?.slice(name.length + 1);
  if (given) return given.replace(/,.*/s, "").trim();
  const configuration = readFileSync(join(import.meta.dirname, "..", "..", "wrangler.toml"), "utf8");
  const value = new RegExp(`^${name} = "(.+)"$`, "m").exec(configuration)?.[1];
  if (!value) throw new Error(`wrangler.toml names no ${name}`);
  return value;
}
