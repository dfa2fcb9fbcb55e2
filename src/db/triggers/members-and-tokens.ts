import { sql } from "drizzle-orm";
import { notErasing } from "../erasing.ts";
import { apiTokens, members, organizations, plans } from "../schema/workspace.ts";
import { after, before, changes, raise, type Statement } from "../trigger.ts";

export const memberTriggers: readonly Statement[] = [
  before(members, ["role"], "owner_stays", ({ NEW, OLD }) => ({
    when: sql`${OLD.role} = 'owner' AND ${NEW.role} <> 'owner' AND NOT EXISTS (
        SELECT 1 FROM ${members} WHERE organization_id = ${OLD.organization_id} AND role = 'owner' AND id <> ${OLD.id}
      )`,
    do: raise("last_owner"),
  })),
  before(members, "DELETE", "owner_not_deleted", ({ OLD }) => ({
    when: sql`${OLD.role} = 'owner' AND NOT EXISTS (
        SELECT 1 FROM ${members} WHERE organization_id = ${OLD.organization_id} AND role = 'owner' AND id <> ${OLD.id}
      ) AND ${notErasing(OLD)}`,
    do: raise("last_owner"),
  })),
  before(apiTokens, ["revoked_at"], "stay_revoked", ({ NEW, OLD }) => ({
    when: sql`${OLD.revoked_at} IS NOT NULL AND ${NEW.revoked_at} IS NULL`,
    do: raise("token_stays_revoked"),
  })),
  // What a token may do is decided when it is minted (specification 5, Minting 6).
  before(apiTokens, ["scopes", "token_hash", "token_prefix"], "scopes_stay", (rows) => ({
    when: changes(rows, "scopes", "token_hash", "token_prefix"),
    do: raise("token_keeps_scopes"),
  })),
  // That they are an array, the column checks before.
  after(apiTokens, "INSERT", "scopes_are_texts", ({ NEW }) => ({
    when: sql`EXISTS (SELECT 1 FROM json_each(${NEW.scopes}) WHERE type <> 'text')`,
    do: raise("scopes_not_texts"),
  })),
  // A token's row says whether its plan has API access: what finds an organization by its token reads no other row.
  after(apiTokens, "INSERT", "api_access", ({ NEW }) => ({
    do: sql`UPDATE ${apiTokens} SET has_api_access = (
        SELECT plans.api_access FROM ${organizations} JOIN ${plans} ON plans.name = organizations.plan
        WHERE organizations.id = ${NEW.organization_id}
      ) WHERE id = ${NEW.id}`,
  })),
  after(organizations, ["plan"], "plan_moves_tokens", ({ NEW, OLD }) => ({
    when: sql`${NEW.plan} <> ${OLD.plan}`,
    do: sql`UPDATE ${apiTokens} SET has_api_access = (SELECT api_access FROM ${plans} WHERE name = ${NEW.plan})
      WHERE organization_id = ${NEW.id}`,
  })),
  after(plans, ["api_access"], "api_access_moves_tokens", ({ NEW, OLD }) => ({
    when: sql`${NEW.api_access} <> ${OLD.api_access}`,
    do: sql`UPDATE ${apiTokens} SET has_api_access = ${NEW.api_access}
      WHERE organization_id IN (SELECT id FROM ${organizations} WHERE plan = ${NEW.name})`,
  })),
];
