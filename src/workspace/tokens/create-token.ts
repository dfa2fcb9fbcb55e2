import { limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { defaultScopes, isScope, type Scope, scopeCatalogue } from "../../contract/scopes.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { build, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { type Query, required, runLast } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { encrypt } from "../../platform/encryption.ts";
import { findToken } from "./read-tokens.ts";
import type { CreatedToken } from "./record.ts";
import { apiTokens } from "./tables.ts";
import { warningsBefore } from "./warn-of-expiry.ts";

const tokenBytes = 18;

interface NewToken {
  name: string;
  scopes?: readonly string[] | undefined;
  /** Omitted for a token that does not expire. */
  expires_in_days?: number | undefined;
  /** Omitted for a token that may be used from anywhere. */
  allowed_ips?: string[] | undefined;
}

/**
 * Creates a token (contract A7-A9, A17). The plaintext is in the response. A ledger entry stores it encrypted, for
 * a repeated call.
 */
export async function createToken(
  context: Context<Staff, "db" | "webhookSecretKey">,
  { name, scopes = defaultScopes, expires_in_days, allowed_ips }: NewToken,
): Promise<CreatedToken | Refusal> {
  const refusal = ungrantable(scopes);
  if (refusal) return refusal;
  const { id, token, columns } = newToken(context, {
    name,
    scopes,
    livesDays: expires_in_days ?? null,
    allowed_ips: allowed_ips ?? null,
  });
  const created = await runLast(context.services.db, [
    statement(build.insert(apiTokens).values(columns)),
    ...(await tokenCreated(context, columns, token)),
    required(findToken(context.organization.id, id)),
  ]);
  return { ...created, token };
}

interface TokenToCreate {
  name: string;
  scopes: readonly string[];
  livesDays: number | null;
  allowed_ips: string[] | null;
}

/** Creates the plaintext of a new token, and its row. */
export function newToken(
  { organization, actor }: Context<Staff, never>,
  { name, scopes, livesDays, allowed_ips }: TokenToCreate,
) {
  const token = `svc_${Buffer.from(crypto.getRandomValues(new Uint8Array(tokenBytes))).toString("hex")}`;
  const id = crypto.randomUUID();
  const columns = {
    id,
    organization_id: organization.id,
    name,
    token_hash: sha256Hex(token),
    token_prefix: token.slice(0, limits.tokenPrefixCharacters),
    scopes: [...new Set(scopes)],
    created_by: actor.id,
    expires_at: livesDays === null ? null : nowWith(`+${livesDays} days`),
    lives_days: livesDays,
    allowed_ips,
    warnings_sent: warningsBefore(livesDays),
  };
  return { id, token, columns };
}

type NewRow = ReturnType<typeof newToken>["columns"];

/** Writes the audit and ledger entries. Must directly follow the statement that inserts the token. */
export async function tokenCreated(
  context: Context<Staff, "webhookSecretKey">,
  { id, name, token_prefix: prefix, scopes, lives_days, allowed_ips }: NewRow,
  token: string,
): Promise<Query<void>[]> {
  const { request, services } = context;
  const details = {
    name,
    prefix,
    scopes,
    ...(lives_days !== null && { expires_in_days: lives_days }),
    ...(allowed_ips !== null && { allowed_ips }),
  };
  const secret = request && (await encrypt(services.webhookSecretKey, id, token));
  return changeEntries(context, "token.created", id, details, { secret });
}

function ungrantable(scopes: readonly string[]): Refusal | undefined {
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) return refuse("scope_unknown", { scope: unknown });
  const reserved = scopes.find((scope) => !scopeCatalogue[scope as Scope].grantable);
  return reserved === undefined ? undefined : refuse("scope_not_available");
}
