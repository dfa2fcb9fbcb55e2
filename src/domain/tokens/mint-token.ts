import { type AdminRefusal, deny } from "../../contract/admin-refusals.ts";
import { limits } from "../../contract/limits.ts";
import { defaultScopes, isScope, type Scope, scopeCatalogue } from "../../contract/scopes.ts";
import type { MintedToken } from "../../contract/workspace/organization.ts";
import { build, statement } from "../../db/build.ts";
import { batch, required } from "../../db/query.ts";
import { apiTokens } from "../../db/schema/workspace.ts";
import { hmacBase64Url, sha256Hex } from "../../platform/digest.ts";
import { type AdminContext, audited } from "../audited-change.ts";
import { newId, sentBefore } from "../made-by-form.ts";
import { findToken } from "./read-tokens.ts";

const tokenBytes = 18;

/**
 * The plaintext of a new token. A form's token derives from the form, because the database keeps only the hash and a
 * second press must show the same token; `key` keeps those who know the form from deriving it.
 */
function newToken({ form }: AdminContext, key: string): string {
  const bytes =
    form === undefined
      ? crypto.getRandomValues(new Uint8Array(tokenBytes))
      : Buffer.from(hmacBase64Url(key, `token made by form ${form}`), "base64url").subarray(0, tokenBytes);
  return `svc_${Buffer.from(bytes).toString("hex")}`;
}

/** Mints a token (specification 5). The plaintext is in the answer and nowhere else. */
export async function mintToken(
  context: AdminContext,
  secretKey: string,
  { name, scopes: asked = defaultScopes }: { name: string; scopes?: readonly string[] | undefined },
): Promise<MintedToken | AdminRefusal> {
  const refusal = ungrantable(asked);
  if (refusal) return refusal;
  const token = newToken(context, secretKey);
  const { organization, actor, db } = context;
  const values = {
    id: newId(context),
    organization_id: organization.id,
    name,
    token_hash: sha256Hex(token),
    token_prefix: token.slice(0, limits.tokenPrefixCharacters),
    scopes: [...new Set(asked)],
    created_by: actor.id,
  };
  const { id, token_prefix: prefix, scopes } = values;
  const [, , minted] = await batch(db, [
    statement(build.insert(apiTokens).values(values).onConflictDoNothing({ target: apiTokens.id })),
    audited(context, "token.created", id, { name, prefix, scopes }),
    required(findToken(organization.id, id)),
  ]);
  return sentBefore(minted.created_at, minted.revoked_at) ?? { ...minted, token };
}

function ungrantable(scopes: readonly string[]): AdminRefusal | undefined {
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) return deny(`Unknown scope: ${unknown}`);
  const reserved = scopes.find((scope) => !scopeCatalogue[scope as Scope].grantable);
  return reserved === undefined ? undefined : deny("Scope not available yet");
}
