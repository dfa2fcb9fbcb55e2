import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The apikey of the local environment, which wrangler.toml tells everybody. */
export function localGatewayKey(): string {
  const configuration = readFileSync(join(import.meta.dirname, "..", "..", "wrangler.toml"), "utf8");
  const key = /^GATEWAY_PUBLIC_KEY = "(.+)"$/m.exec(configuration)?.[1];
  if (!key) throw new Error("wrangler.toml names no GATEWAY_PUBLIC_KEY");
  return key;
}
