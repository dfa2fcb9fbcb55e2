import { and, count, eq, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Services } from "../../core/services.ts";
import { build, insertSelect, row, rowOf } from "../../db/build.ts";
import { batch, run } from "../../db/query.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import { connections } from "../../workspace/connections/tables.ts";
import { members } from "../../workspace/members/tables.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { isAdminAddress } from "../../workspace/sessions/admins.ts";
import type { OpenWorkspace } from "../../workspace/sessions/find-session.ts";
import { isLiveToken } from "../../workspace/tokens/organization-of.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { addressesOf, refusedTarget, refuseRoom } from "../endpoints/create-endpoint.ts";
import { checkTarget } from "../sending/public-address.ts";
import { type ConnectionRequest, readableWith } from "./connection-request.ts";

/** What an admin granted to an app. */
interface Granted {
  workspace: OpenWorkspace;
  scopes: readonly string[];
}

/** Refuses an app's webhook address if webhooks cannot be sent to it. An admin cannot change the address. */
export async function refuseWebhook(
  { webhookTargets }: Pick<Services, "webhookTargets">,
  { webhook }: Pick<ConnectionRequest, "webhook">,
): Promise<Refusal | undefined> {
  if (webhook === null) return undefined;
  const verdict = await checkTarget(webhook.url, webhookTargets);
  return verdict.ok ? undefined : refusedTarget(verdict.reason);
}

/**
 * Stores what an admin granted, and returns a code that the app must exchange within a minute. The exchange creates the
 * token and the endpoint.
 */
export async function createCode(
  { db }: Pick<Services, "db">,
  { app, codeChallenge, webhook }: ConnectionRequest,
  { workspace, scopes }: Granted,
): Promise<string | Refusal> {
  if (!workspace.api_access) return refuse("api_access_required");
  const events = webhook === null ? [] : readableWith(scopes, webhook.events);
  // If the granted scopes cannot read any of the events, there is nothing to send.
  const url = webhook === null || events.length === 0 ? null : webhook.url;
  const live = build
    .select({ tokens: count().as("tokens") })
    .from(apiTokens)
    .where(and(eq(apiTokens.organization_id, workspace.id), isLiveToken));
  const prefix = build
    .select({ link_prefix: organizations.link_prefix })
    .from(organizations)
    .where(eq(organizations.id, workspace.id));
  const [counted, known, of] = await batch(db, [rowOf(live), addressesOf(workspace.id), rowOf(prefix)]);
  if ((counted?.tokens ?? 0) >= limits.liveTokens) return refuse("too_many_tokens");
  const full = url === null ? undefined : refuseRoom(url, known);
  if (full) return full;
  const code = newSecret(of?.link_prefix);
  const kept = insertSelect(
    connections,
    {
      id: crypto.randomUUID(),
      organization_id: workspace.id,
      app: app.clientId,
      redirect_uri: app.redirectUri,
      scopes: [...scopes],
      webhook_url: url,
      webhook_events: url === null ? null : [...events],
      code_hash: secretHash(code),
      code_challenge: codeChallenge,
      created_by: sql`${members.id}`,
    },
    sql`FROM ${members} WHERE ${and(eq(members.organization_id, workspace.id), isAdminAddress(workspace.email))}
      RETURNING id`,
  );
  const connection = await run(db, row({ id: connections.id }, kept));
  return connection ? code : refuse("admins_only", { action: "connect apps" });
}
