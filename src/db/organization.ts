import { eq, type SQL, sql } from "drizzle-orm";
import { apiTokens } from "./schema/workspace.ts";

/** The organization of the token in question: data travels in the same trip as the principal. */
export const organizationOf = (tokenHash: SQL | ReturnType<typeof sql.placeholder>): SQL =>
  sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens} WHERE ${eq(apiTokens.token_hash, tokenHash)})`;

/** The organization of the token in question: data travels in the same trip as the principal. */
export const organizationOfToken = sql`(SELECT organization_id FROM api_tokens WHERE token_hash = ${sql.placeholder("tokenHash")})`;

/** The same as SQL text; its one parameter is the token's hash. */
export const organizationOfTokenSql = "(SELECT organization_id FROM api_tokens WHERE token_hash = ?)";
