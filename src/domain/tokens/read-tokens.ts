import type { ApiToken } from "../../contract/workspace/organization.ts";
import type { Query, Row } from "../../db/query.ts";

const columns = "id, name, token_prefix, scopes, created_by, created_at, revoked_at";

const toToken = (row: Row): ApiToken => ({ ...(row as ApiToken), scopes: JSON.parse(row.scopes) });

export const findToken = (organizationId: string, id: string): Query<ApiToken | null> => ({
  sql: `SELECT ${columns} FROM api_tokens WHERE id = ? AND organization_id = ?`,
  params: [id, organizationId],
  read: ([row]) => (row ? toToken(row) : null),
});

export const listTokens = (organizationId: string): Query<ApiToken[]> => ({
  sql: `SELECT ${columns} FROM api_tokens WHERE organization_id = ? ORDER BY created_at DESC, rowid DESC`,
  params: [organizationId],
  read: (rows) => rows.map(toToken),
});
