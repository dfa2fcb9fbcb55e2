/** The columns of the product's own principal: what a request must know of its token. */
export const principalSql = `
SELECT t.id, t.organization_id, t.scopes, t.created_by, m.email, m.role, o.name, o.currency, o.features,
  o.on_send_status_label, p.api_access, p.requests_per_minute
FROM api_tokens t
JOIN organizations o ON o.id = t.organization_id
JOIN plans p ON p.name = o.plan
JOIN members m ON m.id = t.created_by
WHERE t.token_hash = ? AND t.revoked_at IS NULL`;
