import { isNull } from "drizzle-orm";
import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { now } from "../../db/columns.ts";
import type { Query } from "../../db/query.ts";
import { findToken } from "./read-tokens.ts";
import type { ApiToken } from "./record.ts";
import { apiTokens } from "./tables.ts";

/**
 * Revokes a token, starting with its next request, and makes the changes in `also` in the same transaction. A token
 * that is already revoked does not change.
 */
export async function revokeToken(
  context: Context<Staff, "db">,
  id: string,
  also: readonly Query<unknown>[] = [],
): Promise<ApiToken | Refusal> {
  const { record } = await changeRecord(context, apiTokens, id, {
    action: "token.revoked",
    set: { revoked_at: now },
    guard: isNull(apiTokens.revoked_at),
    also,
    find: findToken,
  });
  return record ?? noSuch("API token", id);
}
