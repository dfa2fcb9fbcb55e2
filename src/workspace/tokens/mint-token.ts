import { limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { defaultScopes, isScope, type Scope, scopeCatalogue } from "../../contract/scopes.ts";
import { build, statement } from "../../db/build.ts";
import { required, run, runLast } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";
import type { Staff } from "../actor.ts";
import { audited, doneByForm } from "../audit-log/audited-change.ts";
import type { Context } from "../context.ts";
import type { LedgerLine } from "../requests/ledger.ts";
import { findToken } from "./read-tokens.ts";
import type { MintedToken } from "./record.ts";
import { apiTokens } from "./tables.ts";

const tokenBytes = 18;

/**
 * Mints a token (contract A7-A9). The plaintext is in the answer; a form's line in the ledger keeps it encrypted, for
 * its second press.
 */
export async function mintToken(
  context: Context<Staff, "db" | "webhookSecretKey">,
  { name, scopes: asked = defaultScopes }: { name: string; scopes?: readonly string[] | undefined },
): Promise<MintedToken | Refusal> {
  const refusal = ungrantable(asked);
  if (refusal) return refusal;
  const token = `svc_${Buffer.from(crypto.getRandomValues(new Uint8Array(tokenBytes))).toString("hex")}`;
  const { organization, actor, services } = context;
  const id = crypto.randomUUID();
  const scopes = [...new Set(asked)];
  const prefix = token.slice(0, limits.tokenPrefixCharacters);
  const minted = await runLast(services.db, [
    statement(
      build.insert(apiTokens).values({
        id,
        organization_id: organization.id,
        name,
        token_hash: sha256Hex(token),
        token_prefix: prefix,
        scopes,
        created_by: actor.id,
      }),
    ),
    audited(context, "token.created", id, { name, prefix, scopes }),
    ...doneByForm(
      context,
      { action: "token.created", subjectId: id },
      context.request && (await encrypt(services.webhookSecretKey, id, token)),
    ),
    required(findToken(organization.id, id)),
  ]);
  return { ...minted, token };
}

/** The token that a form minted, for its second press; null once the token is revoked or its secret forgotten. */
export async function mintedByForm(
  { services, organization }: Context<Staff, "db" | "webhookSecretKey">,
  { subjectId, secretEncrypted }: LedgerLine,
): Promise<MintedToken | null> {
  const minted = await run(services.db, findToken(organization.id, subjectId));
  if (!minted || minted.revoked_at !== null || secretEncrypted === null) return null;
  return { ...minted, token: await decrypt(services.webhookSecretKey, subjectId, secretEncrypted) };
}

function ungrantable(scopes: readonly string[]): Refusal | undefined {
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) return refuse("scope_unknown", { scope: unknown });
  const reserved = scopes.find((scope) => !scopeCatalogue[scope as Scope].grantable);
  return reserved === undefined ? undefined : refuse("scope_not_available");
}
