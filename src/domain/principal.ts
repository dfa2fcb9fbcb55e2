import type { Scope } from "../contract/scopes.ts";
import type { Query, Row } from "../db/query.ts";

/** Whom a token acts for: its organization, and what the plan allows. */
export interface Principal {
  tokenId: string;
  organizationId: string;
  organizationName: string;
  currency: string;
  features: readonly string[];
  hasApiAccess: boolean;
  requestsPerMinute: number;
  scopes: readonly Scope[];
}

/** For writes, also the admin who minted the token, and whether that member still is one. */
export interface Author extends Principal {
  actorId: string;
  actorIsAdmin: boolean;
}

const columns =
  "t.id, t.organization_id, t.scopes, o.name, o.currency, o.features, p.api_access, p.requests_per_minute";
const tables =
  "api_tokens t JOIN organizations o ON o.id = t.organization_id JOIN plans p ON p.name = o.plan";
const condition = "t.token_hash = ? AND t.revoked_at IS NULL";
const principalSql = `SELECT ${columns} FROM ${tables} WHERE ${condition}`;
const authorSql = `SELECT ${columns}, m.id AS actor_id, m.role FROM ${tables} JOIN members m ON m.id = t.created_by WHERE ${condition}`;

const toPrincipal = (row: Row): Principal => ({
  tokenId: row.id,
  organizationId: row.organization_id,
  organizationName: row.name,
  currency: row.currency,
  features: JSON.parse(row.features),
  hasApiAccess: row.api_access === 1,
  requestsPerMinute: row.requests_per_minute,
  scopes: JSON.parse(row.scopes),
});

/** The principal behind a token's hash; null when the hash is unknown or the token revoked. */
export const findPrincipal = (tokenHash: string): Query<Principal | null> => ({
  sql: principalSql,
  params: [tokenHash],
  read: ([row]) => (row ? toPrincipal(row) : null),
});

/** The same with the minting admin: writes are attributed to them, and they are looked at on every call. */
export const findAuthor = (tokenHash: string): Query<Author | null> => ({
  sql: authorSql,
  params: [tokenHash],
  read: ([row]) =>
    row
      ? {
          ...toPrincipal(row),
          actorId: row.actor_id,
          actorIsAdmin: row.role === "owner" || row.role === "admin",
        }
      : null,
});
