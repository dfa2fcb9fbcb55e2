import { and, eq, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Scope } from "../../contract/scopes.ts";
import { now } from "../../db/columns.ts";
import { apiTokens } from "./tables.ts";

/** The token is not revoked and has not expired (contract A11, A17). */
export const isLiveToken = and(
  isNull(apiTokens.revoked_at),
  sql`coalesce(${apiTokens.expires_at} > ${now}, true)`,
);

/**
 * Matches the token's row only if the token is valid and has the scope. A request that will be refused therefore
 * reads no data. The principal, read in the same batch, decides the response.
 */
export const grantedBy = (tokenHash: Placeholder, scope: Scope): SQL | undefined =>
  and(
    eq(apiTokens.token_hash, tokenHash),
    isLiveToken,
    eq(apiTokens.has_api_access, true),
    sql`instr(${apiTokens.scopes}, ${JSON.stringify(scope)})`,
  );

/** The organization of a token with the scope, for reading data in the same batch as the principal. */
export const organizationOf = (tokenHash: Placeholder, scope: Scope): SQL =>
  sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens} WHERE ${grantedBy(tokenHash, scope)})`;
