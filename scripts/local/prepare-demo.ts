import type { AdminOutcome } from "../../src/admin/admin.ts";
import type { AdminConnection } from "../admin/connection.ts";
import { demoFeature, demoOnSendStatus, demoOrganization, demoWorkspace } from "../demo-workspace.ts";
import type { LocalServer } from "./state.ts";

const everyday = ["client", "project", "time", "invoice", "deliverable"];
const demoScopes = [
  ...everyday.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
  "deliverable:send",
  "request:write",
];

/** Makes the demo workspace if it is not there yet, and a fresh token with every scope. */
export async function prepareDemo(
  admin: AdminConnection,
  { baseUrl, apikey }: { baseUrl: string; apikey: string },
): Promise<LocalServer> {
  const organization = demoOrganization.slug;
  const made = await admin.run("create-organization", demoOrganization);
  if (!made.ok && made.message !== "slug is taken") resultOf(made);
  const filled = await admin.run("import-workspace", { organization, document: demoWorkspace(new Date()) });
  if (filled.ok) {
    resultOf(await admin.run("set-feature", { organization, feature: demoFeature, enabled: "true" }));
    resultOf(await admin.run("set-on-send-status", { organization, label: demoOnSendStatus }));
  } else if (!filled.message.startsWith("This workspace has clients already")) resultOf(filled);
  const scopes = demoScopes.join(",");
  const minted = resultOf(
    await admin.run("create-api-token", { organization, name: "npm start", scopes }),
  ) as { token: string };
  return { base_url: baseUrl, apikey, token: minted.token, organization };
}

function resultOf(outcome: AdminOutcome): object {
  if (!outcome.ok) throw new Error(`The demo workspace could not be made: ${outcome.message}`);
  return outcome.result;
}
