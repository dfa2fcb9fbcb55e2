import { createHash } from "node:crypto";
import { and, eq, exists, gt, isNull, type SQL, sql } from "drizzle-orm";
import { adminRoles } from "../../contract/closed-sets.ts";
import { connectLimits } from "../../contract/connect-limits.ts";
import { type Refusal, raisedName, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { auditEntry } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import type { Services } from "../../core/services.ts";
import { build, changesRow, insertSelect, named, rowOf, rowsOf, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { isFenced } from "../../db/fencing.ts";
import { isIn } from "../../db/is-in.ts";
import { batch, type Query, run } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { equalInConstantTime } from "../../platform/digest.ts";
import { secretHash } from "../../platform/secret.ts";
import { hostOfApp } from "../../workspace/connections/app-address.ts";
import { connections as table } from "../../workspace/connections/tables.ts";
import { members } from "../../workspace/members/tables.ts";
import { organizations, plans } from "../../workspace/organizations/tables.ts";
import { newToken } from "../../workspace/tokens/create-token.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { addressesOf, hasRoomFor, newEndpoint } from "../endpoints/create-endpoint.ts";
import { webhookEndpoints } from "../endpoints/tables.ts";
import { checkTarget } from "../sending/public-address.ts";
import { revokeWithEndpoint } from "./disconnect.ts";

/** What an app sends to get its token. */
export interface Exchange {
  code: string;
  client_id: string;
  redirect_uri: string;
  code_verifier: string;
}

/** The response to the app. No other response contains the token or the endpoint's secret. */
export interface Connected {
  token: string;
  scopes: readonly string[];
  organization: { id: string; slug: string; name: string };
  webhook: { id: string; secret: string } | null;
}

/** `unknown`: no such code exists. `invalid`: the code is not valid for this exchange. */
type NotConnected = "unknown" | "invalid";

type Uses = Pick<Services, "db" | "webhookTargets" | "webhookSecretKey">;

const isUnexpired = gt(table.created_at, nowWith(`-${connectLimits.codeSeconds} seconds`));

const connectionOf = (codeHash: string) =>
  rowOf(
    build
      .select({
        id: table.id,
        app: table.app,
        redirect_uri: table.redirect_uri,
        scopes: table.scopes,
        webhook_url: table.webhook_url,
        webhook_events: table.webhook_events,
        code_challenge: table.code_challenge,
        created_at: table.created_at,
        connected_at: table.connected_at,
        isMoving: sql<number>`${isFenced(table.organization_id)}`.as("isMoving"),
        organizationId: named(organizations.id, "organizationId"),
        slug: organizations.slug,
        organizationName: named(organizations.name, "organizationName"),
        memberId: named(members.id, "memberId"),
        email: members.email,
        memberName: named(members.name, "memberName"),
        role: members.role,
        memberCreatedAt: named(members.created_at, "memberCreatedAt"),
        memberUpdatedAt: named(members.updated_at, "memberUpdatedAt"),
      })
      .from(table)
      .innerJoin(organizations, eq(organizations.id, table.organization_id))
      .innerJoin(members, eq(members.id, table.created_by))
      .where(
        and(
          eq(table.code_hash, codeHash),
          gt(table.created_at, nowWith(`-${connectLimits.codeKnownMinutes} minutes`)),
        ),
      ),
  );

type Connection = NonNullable<ReturnType<ReturnType<typeof connectionOf>["read"]>>;

/**
 * Exchanges a code for a token and, if the app asked for one, a webhook endpoint, in one transaction (contract J5). If
 * the code has already been exchanged, both are revoked, because one of the two callers is not the app.
 */
export async function exchangeCode(
  services: Uses,
  exchange: Exchange,
): Promise<Connected | NotConnected | Refusal> {
  const find = connectionOf(secretHash(exchange.code));
  const connection = await run(services.db, find);
  if (connection === null) return "unknown";
  if (connection.isMoving) return refuse("organization_is_moving");
  const context = contextOf(services, connection);
  const connected = isGoodFor(connection, exchange) ? await connect(context, connection) : null;
  if (connected) return connected;
  // A concurrent exchange may have used the code, or the workspace may have been fenced in the meantime.
  const latest = connection.connected_at === null ? await run(services.db, find) : connection;
  if (latest?.isMoving) return refuse("organization_is_moving");
  if (latest?.connected_at) await revokeTokens(context, connection);
  return "invalid";
}

/** Revokes the code's token, and then the tokens that replaced it when it was rolled, which have no code. */
async function revokeTokens(context: Context<Staff, keyof Uses>, connection: Connection): Promise<void> {
  const { id, organizationId, app, created_at } = connection;
  await revokeWithEndpoint(context, id);
  const isReplacement = and(
    eq(table.organization_id, organizationId),
    eq(table.app, app),
    eq(table.created_at, created_at),
    isNull(table.code_hash),
  );
  const replacements = build.select({ id: table.id }).from(table).where(isReplacement);
  for (const replacement of await run(context.services.db, rowsOf(replacements)))
    await revokeWithEndpoint(context, replacement.id);
}

/** Whether the code is unused and was issued to this app. */
function isGoodFor(connection: Connection, { client_id, redirect_uri, code_verifier }: Exchange): boolean {
  const challenge = createHash("sha256").update(code_verifier).digest("base64url");
  return (
    connection.connected_at === null &&
    connection.app === client_id &&
    connection.redirect_uri === redirect_uri &&
    equalInConstantTime(connection.code_challenge ?? "", challenge)
  );
}

/** Attributes the exchange to the admin who pressed Connect. */
function contextOf(services: Uses, connection: Connection): Context<Staff, keyof Uses> {
  const { organizationId, memberId, email, memberName, role, memberCreatedAt, memberUpdatedAt } = connection;
  const stamps = { created_at: memberCreatedAt, updated_at: memberUpdatedAt };
  const actor = { kind: "admin" as const, id: memberId, email, name: memberName, role, ...stamps };
  return { services, organization: { id: organizationId }, actor, request: undefined };
}

/** Returns null and changes nothing if the code has been used in the meantime or there is no room. */
async function connect(
  context: Context<Staff, keyof Uses>,
  connection: Connection,
): Promise<Connected | null> {
  const { services } = context;
  const { id, app, scopes, webhook_url: url } = connection;
  const name = hostOfApp(new URL(app));
  const made = newToken(context, { name, scopes, livesDays: null, allowed_ips: null });
  const token = { ...made.columns, id };
  const isConnected = sql`WHERE changes() > 0`;
  const endpoint = url === null ? null : await endpointOf(context, connection, { url, name });
  if (endpoint === undefined) return null;
  const creating = batch(services.db, [
    changesRow(claim(connection, endpoint?.hasRoom)),
    statement(insertSelect(apiTokens, token, isConnected)),
    auditEntry(context, "token.created", id, { name, prefix: token.token_prefix, scopes, app }),
    ...(endpoint ? endpoint.statements(isConnected) : []),
  ]);
  const [isClaimed] = await creating.catch((error) => {
    if (raisedName(error) === "too_many_tokens") return [false];
    throw error;
  });
  if (!isClaimed) return null;
  const { organizationId, slug, organizationName } = connection;
  return {
    token: made.token,
    scopes,
    organization: { id: organizationId, slug, name: organizationName },
    webhook: endpoint && { id: endpoint.id, secret: endpoint.secret },
  };
}

/**
 * Marks the code as used, if it has not expired and its admin may still grant it. Of two concurrent exchanges,
 * only one succeeds.
 */
function claim({ id, organizationId, memberId }: Connection, hasRoom: SQL | undefined) {
  const stillAdmin = build
    .select({ id: members.id })
    .from(members)
    .where(and(owned(members, organizationId, memberId), isIn(members.role, adminRoles)));
  const stillInPlan = build
    .select({ id: organizations.id })
    .from(organizations)
    .innerJoin(plans, eq(plans.name, organizations.plan))
    .where(and(eq(organizations.id, organizationId), eq(plans.api_access, true)));
  return build
    .update(table)
    .set({ connected_at: now })
    .where(
      and(
        owned(table, organizationId, id),
        isNull(table.connected_at),
        isUnexpired,
        exists(stillAdmin),
        exists(stillInPlan),
        hasRoom,
      ),
    )
    .returning({ id: table.id });
}

/**
 * Returns the endpoint to create together with the token. Undefined if webhooks can no longer be sent to its address.
 */
async function endpointOf(
  context: Context<Staff, keyof Uses>,
  { id, webhook_events }: Connection,
  { url, name }: { url: string; name: string },
) {
  const { services, organization } = context;
  const verdict = await checkTarget(url, services.webhookTargets);
  if (!verdict.ok) return undefined;
  const known = await run(services.db, addressesOf(organization.id));
  const events = webhook_events ?? [];
  const { values, secret } = await newEndpoint(context, { url, events, description: name });
  const statements = (isConnected: SQL): readonly Query<void>[] => [
    statement(insertSelect(webhookEndpoints, values, isConnected)),
    auditEntry(context, "webhook_endpoint.created", values.id, { url, events }),
    statement(
      build
        .update(table)
        .set({ endpoint_id: values.id })
        .where(and(owned(table, organization.id, id), sql`changes() > 0`)),
    ),
  ];
  return { id: values.id, secret, hasRoom: hasRoomFor(organization.id, url, known), statements };
}
