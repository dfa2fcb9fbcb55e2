/**
 * The columns of the product's own principal: what a request needs to know about its token, and a write about
 * its author.
 */
const columns =
  "t.id, t.organization_id, t.scopes, o.name, o.currency, o.features, p.api_access, p.requests_per_minute";
const tables =
  "api_tokens t JOIN organizations o ON o.id = t.organization_id JOIN plans p ON p.name = o.plan";
const condition = "t.token_hash = ? AND t.revoked_at IS NULL";

export const principalSql = `SELECT ${columns} FROM ${tables} WHERE ${condition}`;
export const authorSql = `SELECT ${columns}, m.id AS actor_id, m.role
  FROM ${tables} JOIN members m ON m.id = t.created_by WHERE ${condition}`;
