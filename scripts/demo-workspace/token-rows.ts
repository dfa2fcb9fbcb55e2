import { randomBytes } from "node:crypto";
import { limits } from "../../src/contract/limits.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { apiTokens } from "../../src/workspace/tokens/tables.ts";
import type { TokenDocument } from "./document.ts";
import { addAudit, type Draft, insertRow, memberId } from "./rows.ts";

export function addToken(draft: Draft, { name, scopes, by, at }: TokenDocument): void {
  const id = crypto.randomUUID();
  const token = `svc_${randomBytes(18).toString("hex")}`;
  const prefix = token.slice(0, limits.tokenPrefixCharacters);
  insertRow(draft, at, apiTokens, {
    id,
    organization_id: draft.organizationId,
    name,
    scopes,
    token_hash: sha256Hex(token),
    token_prefix: prefix,
    created_by: memberId(draft, by),
    created_at: at,
  });
  addAudit(draft, at, by, "token.created", { subject_id: id, details: { name, prefix, scopes } });
}
