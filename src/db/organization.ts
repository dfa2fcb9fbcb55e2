import { and, eq, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Scope } from "../contract/scopes.ts";
import { apiTokens } from "./schema/workspace.ts";

/**
 * The token in question, if it may do what its scope says. What is refused then finds no organization, and so reads
 * none of its data: the answer is decided by the principal, which travels in the same batch. All of it stands on the
 * token's row.
 */
export const grantedBy = (tokenHash: Placeholder, scope: Scope): SQL | undefined =>
  and(
    eq(apiTokens.token_hash, tokenHash),
    isNull(apiTokens.revoked_at),
    eq(apiTokens.has_api_access, true),
    sql`instr(${apiTokens.scopes}, ${JSON.stringify(scope)})`,
  );

/** Its organization: data travels in the same trip as the principal. */
export const organizationOf = (tokenHash: Placeholder, scope: Scope): SQL =>
  sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens} WHERE ${grantedBy(tokenHash, scope)})`;
