import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { ApiToken } from "../../contract/workspace/organization.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findToken } from "./read-tokens.ts";

const revokeSql = `
UPDATE api_tokens SET revoked_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
WHERE id = ? AND organization_id = ? AND revoked_at IS NULL RETURNING id`;

/** Revokes a token from the very next call on. A token that is revoked already stays as it is. */
export async function revokeToken(context: AdminContext, id: string): Promise<ApiToken | AdminRefusal> {
  const organizationId = context.organization.id;
  const { record } = await changeWithAudit(context, {
    action: "token.revoked",
    subjectId: id,
    change: { sql: revokeSql, params: [id, organizationId] },
    read: findToken(organizationId, id),
  });
  return record ?? noSuch("API token", id);
}
