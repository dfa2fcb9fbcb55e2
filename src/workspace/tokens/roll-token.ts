import { and, exists, type SQL, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { auditEntry } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { build, insertSelect, named, row, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { run, runLast } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { connections } from "../connections/tables.ts";
import { newToken, tokenCreated } from "./create-token.ts";
import { isLiveToken } from "./organization-of.ts";
import { findToken } from "./read-tokens.ts";
import type { CreatedToken } from "./record.ts";
import { apiTokens as table } from "./tables.ts";
import { allWarnings } from "./warn-of-expiry.ts";

const hourSeconds = 3600;

const rolled = {
  name: table.name,
  scopes: table.scopes,
  livesDays: named(table.lives_days, "livesDays"),
  allowed_ips: table.allowed_ips,
};

/**
 * Replaces a token with a new one of the same name, scopes, lifetime and allowed addresses (contract A18). The
 * old one expires when the overlap ends, or at its own expiry if that is earlier.
 */
export async function rollToken(
  context: Context<Staff, "db" | "webhookSecretKey">,
  id: string,
  overlapHours: number,
): Promise<CreatedToken | Refusal> {
  const { services, organization } = context;
  const where = owned(table, organization.id, id);
  const old = await run(services.db, row(rolled, build.select(rolled).from(table).where(where)));
  if (!old) return noSuch("API token", id);
  const { id: newId, token, columns } = newToken(context, old);
  const overlapEnds = nowWith(`+${Math.round(overlapHours * hourSeconds)} seconds`);
  const expires_at = sql`min(coalesce(${table.expires_at}, ${overlapEnds}), ${overlapEnds})`;
  // Each statement depends on the one before it, so that nothing happens unless the token is live.
  const created = await runLast(services.db, [
    statement(
      build.update(table).set({ expires_at, warnings_sent: allWarnings }).where(and(where, isLiveToken)),
    ),
    auditEntry(context, "token.rolled", id, {
      name: old.name,
      overlap_hours: overlapHours,
      new_token_id: newId,
    }),
    statement(insertSelect(table, columns, sql`WHERE changes() > 0`)),
    ...(await tokenCreated(context, columns, token)),
    statement(handOverConnection(organization.id, id, newId)),
    findToken(organization.id, newId),
  ]);
  return created ? { ...created, token } : refuse("token_ended");
}

/** Copies the app's connection, with its endpoint, to the new token. */
function handOverConnection(organizationId: string, id: string, newId: string): SQL {
  const isRolled = build
    .select({ id: table.id })
    .from(table)
    .where(owned(table, organizationId, newId));
  const { app, redirect_uri, scopes, webhook_url, webhook_events, created_by, ...moments } = connections;
  const values = {
    id: newId,
    organization_id: organizationId,
    app: sql`${app}`,
    redirect_uri: sql`${redirect_uri}`,
    scopes: sql`${scopes}`,
    webhook_url: sql`${webhook_url}`,
    webhook_events: sql`${webhook_events}`,
    created_by: sql`${created_by}`,
    created_at: sql`${moments.created_at}`,
    connected_at: sql`${moments.connected_at}`,
    endpoint_id: sql`${moments.endpoint_id}`,
  };
  const where = and(owned(connections, organizationId, id), exists(isRolled));
  return insertSelect(connections, values, sql`FROM ${connections} WHERE ${where}`);
}
