import type { Scope } from "../catalogue/scopes.ts";
import type { Query } from "../db/query.ts";

/** Whom a token acts for: its organization, what the plan allows, and the admin who minted it. */
export interface Principal {
  tokenId: string;
  organizationId: string;
  organizationName: string;
  currency: string;
  features: readonly string[];
  onSendStatusLabel: string | null;
  hasApiAccess: boolean;
  requestsPerMinute: number;
  scopes: readonly Scope[];
  actorId: string;
  actorEmail: string;
  /** Whether the minting admin still is one. */
  actorIsAdmin: boolean;
}

const principalSql = `
SELECT t.id, t.organization_id, t.scopes, t.created_by, m.email, m.role, o.name, o.currency, o.features,
  o.on_send_status_label, p.api_access, p.requests_per_minute
FROM api_tokens t
JOIN organizations o ON o.id = t.organization_id
JOIN plans p ON p.name = o.plan
JOIN members m ON m.id = t.created_by
WHERE t.token_hash = ? AND t.revoked_at IS NULL`;

/** The principal behind a token's hash; null when the hash is unknown or the token revoked. */
export const findPrincipal = (tokenHash: string): Query<Principal | null> => ({
  sql: principalSql,
  params: [tokenHash],
  read: ([row]) =>
    row
      ? {
          tokenId: row.id,
          organizationId: row.organization_id,
          organizationName: row.name,
          currency: row.currency,
          features: JSON.parse(row.features),
          onSendStatusLabel: row.on_send_status_label,
          hasApiAccess: row.api_access === 1,
          requestsPerMinute: row.requests_per_minute,
          scopes: JSON.parse(row.scopes),
          actorId: row.created_by,
          actorEmail: row.email,
          actorIsAdmin: row.role === "owner" || row.role === "admin",
        }
      : null,
});
