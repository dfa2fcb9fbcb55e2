import type { AdminConnection } from "../admin/connection.ts";
import { demoSlug } from "../demo-workspace.ts";
import { localGatewayKey, localStripeSecret } from "./gateway-key.ts";
import type { LocalServer } from "./state.ts";

const resources = ["client", "project", "time", "invoice", "deliverable"];
const scopes = [
  ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
  "deliverable:send",
  "request:write",
];

/** Mints a token of the demo workspace with every scope: what a partner needs to call the server. */
export async function mintDemoToken(admin: AdminConnection, baseUrl: string): Promise<LocalServer> {
  const outcome = await admin.run("create-api-token", {
    organization: demoSlug,
    name: "npm start",
    scopes: scopes.join(","),
  });
  if (!outcome.ok) throw new Error(`No token could be minted in the demo workspace: ${outcome.message}`);
  const { token } = outcome.result as { token: string };
  return {
    base_url: baseUrl,
    apikey: localGatewayKey(),
    token,
    organization: demoSlug,
    stripe_webhook_secret: localStripeSecret(),
  };
}
