import { sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { after, before, changes, raise, type Statement } from "../../db/trigger.ts";
import { organizations, plans } from "../organizations/tables.ts";
import { isLiveToken } from "./organization-of.ts";
import { apiTokens } from "./tables.ts";

export const tokensGuards: readonly Statement[] = [
  before(apiTokens, ["revoked_at"], "stay_revoked", ({ NEW, OLD }) => ({
    when: sql`${OLD.revoked_at} IS NOT NULL AND ${NEW.revoked_at} IS NULL`,
    do: raise("token_stays_revoked"),
  })),
  // A token's permissions are fixed when it is created (contract A5).
  before(apiTokens, ["scopes", "token_hash", "token_prefix"], "scopes_stay", (rows) => ({
    when: changes(rows, "scopes", "token_hash", "token_prefix"),
    do: raise("token_keeps_scopes"),
  })),
  // The column's check constraint already ensures that scopes are an array.
  after(apiTokens, "INSERT", "scopes_are_texts", ({ NEW }) => ({
    when: sql`EXISTS (SELECT 1 FROM json_each(${NEW.scopes}) WHERE type <> 'text')`,
    do: raise("scopes_not_texts"),
  })),
  // The plan's API access is copied to the token's row, so that finding a token's organization reads no other row.
  after(apiTokens, "INSERT", "api_access", ({ NEW }) => ({
    do: sql`UPDATE ${apiTokens} SET has_api_access = (
        SELECT plans.api_access FROM ${organizations} JOIN ${plans} ON plans.name = organizations.plan
        WHERE organizations.id = ${NEW.organization_id}
      ) WHERE id = ${NEW.id}`,
  })),
  after(apiTokens, "INSERT", "room", ({ NEW }) => ({
    when: sql`${NEW.revoked_at} IS NULL`,
    do: raise(
      "too_many_tokens",
      sql`WHERE (SELECT count(*) FROM ${apiTokens}
        WHERE organization_id = ${NEW.organization_id} AND ${isLiveToken}) > ${limits.liveTokens}`,
    ),
  })),
];
