import { type AdminRefusal, deny } from "../../contract/admin-refusals.ts";
import { defaultScopes, isScope, type Scope, scopeCatalogue } from "../../contract/scopes.ts";
import type { MintedToken } from "../../contract/workspace/organization.ts";
import { runLast, statement } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { type AdminContext, audited } from "../audited-change.ts";
import { findToken } from "./read-tokens.ts";

const tokenBytes = 18;
const prefixCharacters = 14;

const insertSql = `
INSERT INTO api_tokens (id, organization_id, name, token_hash, token_prefix, scopes, created_by)
VALUES (?, ?, ?, ?, ?, ?, ?)`;

/** Mints a token (specification 5). The plaintext is in the answer and nowhere else. */
export async function mintToken(
  context: AdminContext,
  name: string,
  asked: readonly string[] = defaultScopes,
): Promise<MintedToken | AdminRefusal> {
  const refusal = ungrantable(asked);
  if (refusal) return refusal;
  const id = crypto.randomUUID();
  const token = `svc_${Buffer.from(crypto.getRandomValues(new Uint8Array(tokenBytes))).toString("hex")}`;
  const token_prefix = token.slice(0, prefixCharacters);
  const scopes = [...new Set(asked)];
  const { organization, actor } = context;
  const minted = await runLast(context.db, [
    statement(
      insertSql,
      id,
      organization.id,
      name,
      sha256Hex(token),
      token_prefix,
      JSON.stringify(scopes),
      actor.id,
    ),
    audited(context, "token.created", id, { name, prefix: token_prefix, scopes }),
    findToken(organization.id, id),
  ]);
  return { ...minted, token };
}

function ungrantable(scopes: readonly string[]): AdminRefusal | undefined {
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) return deny(`Unknown scope: ${unknown}`);
  const reserved = scopes.find((scope) => !scopeCatalogue[scope as Scope].grantable);
  return reserved === undefined ? undefined : deny("Scope not available yet");
}
