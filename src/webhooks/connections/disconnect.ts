import { eq, sql } from "drizzle-orm";
import type { Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import type { Context } from "../../core/context.ts";
import { build } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { connections } from "../../workspace/connections/tables.ts";
import type { ApiToken } from "../../workspace/tokens/record.ts";
import { revokeToken } from "../../workspace/tokens/revoke-token.ts";
import { deletingEndpoint } from "../endpoints/switch-endpoint.ts";
import { webhookEndpoints } from "../endpoints/tables.ts";

/** Revokes a token and, in the same transaction, deletes the endpoint that its app got with the token, if any. */
export function revokeWithEndpoint(context: Context<Staff, "db">, id: string): Promise<ApiToken | Refusal> {
  const endpointOfToken = build
    .select({ endpoint_id: connections.endpoint_id })
    .from(connections)
    .where(owned(connections, context.organization.id, id));
  const isItsEndpoint = eq(webhookEndpoints.id, sql`(${endpointOfToken})`);
  return revokeToken(context, id, deletingEndpoint(context, isItsEndpoint));
}
