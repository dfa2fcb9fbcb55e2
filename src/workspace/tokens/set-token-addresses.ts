import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { findToken } from "./read-tokens.ts";
import type { ApiToken } from "./record.ts";
import { apiTokens } from "./tables.ts";

/** Sets the addresses that a token may be used from, starting with its next request (contract A22). */
export async function setTokenAddresses(
  context: Context<Staff, "db">,
  id: string,
  allowed_ips: string[] | null,
): Promise<ApiToken | Refusal> {
  const { record } = await changeRecord(context, apiTokens, id, {
    action: "token.addresses_set",
    set: { allowed_ips },
    find: findToken,
  });
  return record ?? noSuch("API token", id);
}
