/** The columns that the product loads for a token and for the author of a write. */
const columns =
  "t.id, t.organization_id, t.scopes, o.name, o.currency, o.features, p.api_access, p.requests_per_minute";
const tables =
  "api_tokens t JOIN organizations o ON o.id = t.organization_id JOIN plans p ON p.name = o.plan";
const condition = "t.token_hash = ? AND t.revoked_at IS NULL";

export const principalSql = `SELECT ${columns} FROM ${tables} WHERE ${condition}`;
export const authorSql = `SELECT ${columns}, m.id AS actor_id, m.role
  FROM ${tables} JOIN members m ON m.id = t.created_by WHERE ${condition}`;
