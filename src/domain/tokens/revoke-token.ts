import { and, isNull } from "drizzle-orm";
import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { ApiToken } from "../../contract/workspace/organization.ts";
import { build } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { now } from "../../db/schema/columns.ts";
import { apiTokens } from "../../db/schema/workspace.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findToken } from "./read-tokens.ts";

/** Revokes a token from the very next call on. A token that is revoked already stays as it is. */
export async function revokeToken(context: AdminContext, id: string): Promise<ApiToken | AdminRefusal> {
  const organizationId = context.organization.id;
  const { record } = await changeWithAudit(context, {
    action: "token.revoked",
    subjectId: id,
    change: build
      .update(apiTokens)
      .set({ revoked_at: now })
      .where(and(owned(apiTokens, organizationId, id), isNull(apiTokens.revoked_at)))
      .returning({ id: apiTokens.id }),
    read: findToken(organizationId, id),
  });
  return record ?? noSuch("API token", id);
}
