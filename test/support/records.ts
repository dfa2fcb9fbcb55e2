import { env } from "cloudflare:workers";
import type { Workspace } from "./workspace.ts";

/** All versions share this image, because storing one for each would cost more than all their rows. */
const imagePath = "organizations/every/deliverables/logo.png";

/** One record of each kind, and a signed-off deliverable. They are inserted by SQL, so that no requests are counted. */
export interface Records {
  client_id: string;
  project_id: string;
  time_entry_id: string;
  invoice_id: string;
  deliverable_id: string;
  signed_deliverable_id: string;
}

export async function makeRecords(
  { organizationId, ownerId }: Pick<Workspace, "organizationId" | "ownerId">,
  { currency = "USD", withSignOff = true }: { currency?: string; withSignOff?: boolean } = {},
): Promise<Records> {
  const records: Records = {
    client_id: crypto.randomUUID(),
    project_id: crypto.randomUUID(),
    time_entry_id: crypto.randomUUID(),
    invoice_id: crypto.randomUUID(),
    deliverable_id: crypto.randomUUID(),
    signed_deliverable_id: crypto.randomUUID(),
  };
  const { client_id, project_id, time_entry_id, invoice_id, deliverable_id, signed_deliverable_id } = records;
  const sql = (text: string, ...values: unknown[]) => env.DB.prepare(text).bind(...values);
  await env.DB.batch([
    sql(
      "INSERT INTO clients (id, organization_id, company_name, email) VALUES (?, ?, 'Acme', 'mara@acme.example')",
      client_id,
      organizationId,
    ),
    sql(
      "INSERT INTO projects (id, organization_id, client_id, name, currency) VALUES (?, ?, ?, 'Relaunch', ?)",
      project_id,
      organizationId,
      client_id,
      currency,
    ),
    sql(
      `INSERT INTO time_entries (id, organization_id, project_id, client_id, user_id, spent_date, hours, currency)
       VALUES (?, ?, ?, ?, ?, '2026-01-31', 1.5, ?)`,
      time_entry_id,
      organizationId,
      project_id,
      client_id,
      ownerId,
      currency,
    ),
    sql(
      `INSERT INTO invoices (id, organization_id, client_id, currency, subtotal_minor, tax_total_minor,
        total_minor, created_by)
       VALUES (?, ?, ?, ?, 1000, 0, 1000, ?)`,
      invoice_id,
      organizationId,
      client_id,
      currency,
      ownerId,
    ),
    ...(withSignOff ? [deliverable_id, signed_deliverable_id] : [deliverable_id]).flatMap((id) => [
      sql(
        `INSERT INTO deliverables (id, organization_id, client_id, title, embed_url, share_url, created_by)
         VALUES (?, ?, ?, 'Logo', 'https://example.com/logo', ?, ?)`,
        id,
        organizationId,
        client_id,
        `https://app.example.com/review/${id.replaceAll("-", "")}`,
        ownerId,
      ),
      sql(
        `INSERT INTO deliverable_versions (id, organization_id, deliverable_id, version_number, title, embed_url,
          asset_path,
           asset_content_type, asset_sha256, hash, created_by, created_at)
         VALUES (?, ?, ?, 1, 'Logo', 'https://example.com/logo', ?, 'image/png', ?, ?, ?, '2026-01-31T09:30:00.000Z')`,
        crypto.randomUUID(),
        organizationId,
        id,
        imagePath,
        "1".repeat(64),
        "0".repeat(64),
        ownerId,
      ),
    ]),
    ...(withSignOff
      ? [
          sql(
            `INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name)
             VALUES (?, ?, ?, 1, 'Mara')`,
            crypto.randomUUID(),
            organizationId,
            signed_deliverable_id,
          ),
        ]
      : []),
  ]);
  if ((await env.IMAGES.head(imagePath)) === null) await env.IMAGES.put(imagePath, "the bytes of an image");
  return records;
}
