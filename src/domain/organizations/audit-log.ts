import type { AuditEntry } from "../../contract/workspace/organization.ts";
import type { Query } from "../../db/query.ts";

export const newestAuditEntries = (organizationId: string, limit: number): Query<AuditEntry[]> => ({
  sql: "SELECT * FROM audit_log WHERE organization_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?",
  params: [organizationId, limit],
  read: (rows) => rows.map((row) => ({ ...(row as AuditEntry), details: JSON.parse(row.details) })),
});
