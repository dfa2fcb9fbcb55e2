import { eq, type SQL, sql } from "drizzle-orm";
import { apiTokens } from "./schema/workspace.ts";

/** The organization of the token in question: data travels in the same trip as the principal. */
export const organizationOf = (tokenHash: SQL | ReturnType<typeof sql.placeholder>): SQL =>
  sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens} WHERE ${eq(apiTokens.token_hash, tokenHash)})`;
