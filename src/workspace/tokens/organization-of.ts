import { and, eq, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Scope } from "../../contract/scopes.ts";
import { now } from "../../db/columns.ts";
import { apiTokens } from "./tables.ts";

/** Neither revoked nor expired (contract A11, A17). */
export const isLiveToken = and(
  isNull(apiTokens.revoked_at),
  sql`coalesce(${apiTokens.expires_at} > ${now}, true)`,
);

/**
 * Matches the token's row only if the token is valid and has the scope. A request that will be refused thus
 * finds no organization and reads no data; the principal in the same batch decides the response.
 */
export const grantedBy = (tokenHash: Placeholder, scope: Scope): SQL | undefined =>
  and(
    eq(apiTokens.token_hash, tokenHash),
    isLiveToken,
    eq(apiTokens.has_api_access, true),
    sql`instr(${apiTokens.scopes}, ${JSON.stringify(scope)})`,
  );

/** The organization of that token, so that data is loaded in the same round trip as the principal. */
export const organizationOf = (tokenHash: Placeholder, scope: Scope): SQL =>
  sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens} WHERE ${grantedBy(tokenHash, scope)})`;
