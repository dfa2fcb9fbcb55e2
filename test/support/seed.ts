import { env } from "cloudflare:workers";
import type { Records } from "./records.ts";
import type { Workspace } from "./workspace.ts";

/** Inserts many rows by SQL. Row n was last changed n/3 seconds into 2026, so that three rows share each timestamp. */

const rows = `WITH RECURSIVE n (n) AS (SELECT cast(?5 AS INTEGER) UNION ALL SELECT n + 1 FROM n
  WHERE n < ?6), made AS MATERIALIZED (SELECT n,
  lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' ||
    substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))) AS id,
  strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || (n / 3) || ' seconds') AS at FROM n)`;

/** The statement for each collection. Parameters: ?1 organization, ?2 owner, ?3 client, ?4 project. */
const inserts = {
  clients: `INSERT INTO clients (id, organization_id, client_name, created_at, updated_at)
    ${rows} SELECT id, ?1, 'Client ' || n, at, at FROM made WHERE ?2 || ?3 || ?4 <> ''`,
  projects: `INSERT INTO projects (id, organization_id, client_id, name, currency, created_at, updated_at)
    ${rows} SELECT id, ?1, ?3, 'Project ' || n, 'USD', at, at FROM made WHERE ?2 || ?4 <> ''`,
  "time-entries": `INSERT INTO time_entries (id, organization_id, project_id, client_id, user_id, spent_date,
    hours, currency,
      created_at, updated_at)
    ${rows} SELECT id, ?1, ?4, ?3, ?2, '2026-01-31', 1, 'USD', at, at FROM made`,
  invoices: `INSERT INTO invoices (id, organization_id, client_id, currency, subtotal_minor, tax_total_minor,
    total_minor,
      created_by, created_at, updated_at)
    ${rows} SELECT id, ?1, ?3, 'USD', n, 0, n, ?2, at, at FROM made WHERE ?4 <> ''`,
  deliverables: `INSERT INTO deliverables (id, organization_id, client_id, title, embed_url, share_url,
    created_by, created_at,
      updated_at)
    ${rows} SELECT id, ?1, ?3, 'Deliverable ' || n, 'https://example.com', 'https://app.example.com/review/' ||
      id, ?2, at, at
    FROM made WHERE ?4 <> ''`,
} as const;

export type Collection = keyof typeof inserts;

export const tableOf = (collection: Collection): string => collection.replace("-", "_");

export async function seed(
  collection: Collection,
  { organizationId, ownerId }: Workspace,
  { client_id, project_id }: Pick<Records, "client_id" | "project_id">,
  first: number,
  last: number,
): Promise<void> {
  await env.DB.prepare(inserts[collection])
    .bind(organizationId, ownerId, client_id, project_id, first, last)
    .run();
}
