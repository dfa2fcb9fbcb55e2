import { invalid, Refusal } from "../../contract/failures.ts";
import type { Invoice, NewInvoice } from "../../contract/resources/invoice.ts";
import { type Query, statement } from "../../db/query.ts";
import type { Authorship } from "../authorship.ts";
import { wrongReference } from "../wrong-reference.ts";
import { priceInvoice } from "./price-invoice.ts";
import { readInvoice } from "./read-invoices.ts";

/** What a draft refers to, as far as it belongs to the workspace. */
export interface InvoiceReferences {
  clientIsKnown: boolean;
  /** undefined: no such project. */
  clientOfProject: string | undefined;
  timeEntries: ReadonlyMap<string, { client_id: string; invoice_id: string | null }>;
}

/** CROSS JOIN keeps the order: from the few ids to their entries, never through all entries of the workspace. */
const referencesSql = `
WITH o AS (SELECT organization_id FROM api_tokens WHERE token_hash = ?1)
SELECT EXISTS (SELECT 1 FROM clients WHERE id = ?2 AND organization_id = o.organization_id) AS client_is_known,
  (SELECT client_id FROM projects WHERE id = ?3 AND organization_id = o.organization_id) AS client_of_project,
  (SELECT json_group_array(json_object('id', t.id, 'client_id', t.client_id, 'invoice_id', t.invoice_id))
   FROM json_each(?4) j CROSS JOIN time_entries t ON t.id = j.value AND t.organization_id = o.organization_id) AS time_entries
FROM o`;

export const invoiceReferences = (tokenHash: string, invoice: NewInvoice): Query<InvoiceReferences> => ({
  sql: referencesSql,
  params: [
    tokenHash,
    invoice.client_id,
    invoice.project_id ?? null,
    JSON.stringify(invoice.line_items.flatMap((item) => item.time_entry_id ?? [])),
  ],
  read: ([row]) => ({
    clientIsKnown: row?.client_is_known === 1,
    clientOfProject: row?.client_of_project ?? undefined,
    timeEntries: new Map(
      JSON.parse(row?.time_entries ?? "[]").map((entry: { id: string }) => [entry.id, entry] as const),
    ),
  }),
});

const insertInvoice = `
INSERT INTO invoices (id, organization_id, client_id, project_id, currency, due_date, subtotal_minor, tax_total_minor,
  total_minor, notes, external_id, created_by, request_fingerprint)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The lines carry their invoice's created_at: written with it, they leave it as never changed. */
const insertLines = `
INSERT INTO invoice_line_items (id, organization_id, invoice_id, position, description, quantity, unit_price_minor, tax_rate,
  amount_minor, time_entry_id, created_at)
SELECT j.value ->> 'id', i.organization_id, i.id, j.value ->> 'position', j.value ->> 'description',
  j.value ->> 'quantity', j.value ->> 'unit_price_minor', j.value ->> 'tax_rate', j.value ->> 'amount_minor',
  j.value ->> 'time_entry_id', i.created_at
FROM invoices i, json_each(?) j WHERE i.id = ?`;

/** Drafts an invoice; a 400 names the reference or amount that is not valid. */
export function createInvoice(
  { id, organizationId, actorId, fingerprint }: Authorship,
  invoice: NewInvoice,
  references: InvoiceReferences,
  organizationCurrency: string,
): Refusal | readonly [Query<void>, Query<void>, Query<Invoice | null>] {
  const refusal = refuseReferences(invoice, references);
  if (refusal) return refusal;
  const currency = invoice.currency ?? organizationCurrency;
  const priced = priceInvoice(invoice.line_items, currency);
  if (priced instanceof Refusal) return priced;
  const lines = priced.lines.map((line) => ({ id: crypto.randomUUID(), ...line }));
  return [
    statement(
      insertInvoice,
      id,
      organizationId,
      invoice.client_id,
      invoice.project_id ?? null,
      currency,
      invoice.due_date ?? null,
      priced.subtotal_minor,
      priced.tax_total_minor,
      priced.total_minor,
      invoice.notes ?? null,
      invoice.external_id ?? null,
      actorId,
      fingerprint,
    ),
    statement(insertLines, JSON.stringify(lines), id),
    readInvoice(organizationId, id),
  ];
}

function refuseReferences(invoice: NewInvoice, known: InvoiceReferences): Refusal | undefined {
  if (!known.clientIsKnown) return invalid("client_id not found in this workspace");
  const { client_id, project_id } = invoice;
  const wrongProject = wrongReference("project_id", project_id, known.clientOfProject, client_id);
  if (wrongProject) return wrongProject;
  const billed = new Set<string>();
  for (const [position, { time_entry_id }] of invoice.line_items.entries()) {
    if (time_entry_id === undefined) continue;
    const field = `line_items.${position}.time_entry_id`;
    const entry = known.timeEntries.get(time_entry_id);
    const wrong = wrongReference(field, time_entry_id, entry?.client_id, client_id);
    if (wrong) return wrong;
    if (entry?.invoice_id !== null || billed.has(time_entry_id))
      return invalid(`${field} is already invoiced`);
    billed.add(time_entry_id);
  }
  return undefined;
}
