import * as z from "zod";
import { idInput, line, listOf } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { listedPage } from "../contract/listed-page.ts";
import { Refusal } from "../contract/refusal.ts";
import { scopeCatalogue } from "../contract/scopes.ts";
import type { LedgerEntry } from "../core/ledger/ledger.ts";
import { run } from "../db/query.ts";
import { revokeWithEndpoint } from "../webhooks/connections/disconnect.ts";
import { AllowedAddresses } from "../workspace/tokens/allowed-addresses.ts";
import { createToken } from "../workspace/tokens/create-token.ts";
import { findToken, listTokens } from "../workspace/tokens/read-tokens.ts";
import { ApiToken, CreatedToken, ListedToken } from "../workspace/tokens/record.ts";
import { revokeToken } from "../workspace/tokens/revoke-token.ts";
import { rollToken } from "../workspace/tokens/roll-token.ts";
import { setTokenAddresses } from "../workspace/tokens/set-token-addresses.ts";
import {
  type AdminOperations,
  bySubject,
  platformOperation,
  type WorkspaceCall,
  workspaceOperation,
} from "./operation.ts";

const ScopeEntry = z.object({
  scope: z.string(),
  grants: z.string(),
  default_selected: z.boolean(),
  sensitive: z.boolean(),
  grantable: z.boolean(),
});

/** Finds the token created by the entry's call; null if the token has been revoked since. */
async function liveTokenOfEntry({ services, organization }: WorkspaceCall, { subjectId }: LedgerEntry) {
  const token = await run(services.db, findToken(organization.id, subjectId));
  return token?.revoked_at === null ? token : null;
}

export const tokenOperations: AdminOperations = {
  "api-scope-catalogue": platformOperation({
    summary: "List the scopes that a token can have",
    reads: true,
    allowed: "admin",
    input: z.strictObject({}),
    answer: z.array(ScopeEntry),
    run: async () => Object.entries(scopeCatalogue).map(([scope, entry]) => ({ scope, ...entry })),
  }),

  "create-api-token": workspaceOperation({
    summary: "Create a token, which is returned only once (default scope: `deliverable:write`)",
    action: "create API tokens",
    needsApiAccess: true,
    input: z.strictObject({
      name: line(1, limits.nameCharacters),
      scopes: listOf(z.string()).optional(),
      expires_in_days: z
        .int()
        .min(limits.tokenDays.min)
        .max(limits.tokenDays.max)
        .optional()
        .meta({ description: "Days until the token expires. By default, the token never expires" }),
      allowed_ips: AllowedAddresses.optional(),
    }),
    answer: CreatedToken,
    run: createToken,
    again: liveTokenOfEntry,
    secret: "token",
  }),

  "set-token-addresses": workspaceOperation({
    summary: "Set the IP addresses and CIDR ranges that a token can be used from; `none` allows any address",
    action: "change the addresses of API tokens",
    input: z.strictObject({
      id: idInput,
      allowed_ips: z.union([z.literal("none"), AllowedAddresses], {
        error: "allowed_ips must be a list of addresses and CIDR ranges, or none",
      }),
    }),
    answer: ApiToken,
    run: (context, { id, allowed_ips }) =>
      setTokenAddresses(context, id, allowed_ips === "none" ? null : allowed_ips),
    again: bySubject(findToken),
  }),

  "roll-api-token": workspaceOperation({
    summary:
      "Replace a token with a new token that has the same name, scopes and allowed addresses; the old token expires " +
      "when the overlap ends",
    action: "roll API tokens",
    needsApiAccess: true,
    input: z.strictObject({
      id: idInput,
      overlap_hours: z
        .number()
        .min(0)
        .max(limits.tokenOverlapHours.max)
        .default(limits.tokenOverlapHours.default),
    }),
    answer: CreatedToken,
    run: (context, { id, overlap_hours }) => rollToken(context, id, overlap_hours),
    again: liveTokenOfEntry,
    secret: "token",
  }),

  "list-api-tokens": workspaceOperation({
    summary: "List the workspace's tokens, newest first; `cursor` is the last id of the previous page",
    reads: true,
    action: "list API tokens",
    input: z.strictObject({ id: idInput.optional(), ...listedPage }),
    answer: z.array(ListedToken),
    async run({ organization, services }, filter) {
      const [lastUses, tokens] = await Promise.all([
        services.lastUses(organization.id),
        listTokens(services.db, organization.id, filter),
      ]);
      if (tokens instanceof Refusal) return tokens;
      return tokens.map((token) => ({ ...token, last_used_at: lastUses[token.id] ?? null }));
    },
  }),

  "revoke-api-token": workspaceOperation({
    summary: "Revoke a token, whose next request then fails",
    action: "revoke API tokens",
    input: z.strictObject({
      id: idInput,
      with_endpoint: z
        .boolean()
        .default(false)
        .meta({ description: "Also delete the webhook endpoint that the connected app got with the token" }),
    }),
    answer: ApiToken,
    run: (context, { id, with_endpoint }) =>
      with_endpoint ? revokeWithEndpoint(context, id) : revokeToken(context, id),
    again: bySubject(findToken),
  }),
};
