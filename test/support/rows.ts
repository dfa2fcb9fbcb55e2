import { env } from "cloudflare:workers";

const tables = [
  "clients",
  "projects",
  "milestones",
  "time_entries",
  "invoices",
  "invoice_line_items",
  "deliverables",
  "deliverable_versions",
  "deliverable_sends",
  "scope_request_evidence",
  "events",
];
const counts = tables.map(
  (table) => `(SELECT count(*) FROM ${table} WHERE organization_id = ?1) AS ${table}`,
);

/** An organization's row counts for every table that a request could write to. */
export async function rowCounts({
  organizationId,
}: {
  organizationId: string;
}): Promise<Record<string, number>> {
  const row = await env.DB.prepare(`SELECT ${counts.join(", ")}`)
    .bind(organizationId)
    .first<Record<string, number>>();
  return row ?? {};
}
