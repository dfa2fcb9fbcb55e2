import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The apikey of the local environment, which wrangler.toml tells everybody. */
export const localGatewayKey = (): string => localVariable("GATEWAY_PUBLIC_KEY");

/** What signs events of Stripe for the local environment. */
export const localStripeSecret = (): string => localVariable("STRIPE_WEBHOOK_SECRET");

function localVariable(name: string): string {
  const configuration = readFileSync(join(import.meta.dirname, "..", "..", "wrangler.toml"), "utf8");
  const value = new RegExp(`^${name} = "(.+)"$`, "m").exec(configuration)?.[1];
  if (!value) throw new Error(`wrangler.toml names no ${name}`);
  return value;
}
