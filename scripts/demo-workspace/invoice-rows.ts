import { eq } from "drizzle-orm";
import { Refusal } from "../../src/contract/refusal.ts";
import { build } from "../../src/db/build.ts";
import { priceInvoice } from "../../src/work/invoices/price-invoice.ts";
import { invoiceLineItems, invoices, payments } from "../../src/work/invoices/tables.ts";
import type { InvoiceDocument, InvoiceStep } from "./document.ts";
import { type ClientIds, change, type Draft, insertRow, minorOf } from "./rows.ts";

export function addInvoice(draft: Draft, ids: ClientIds, document: InvoiceDocument): void {
  const { id = crypto.randomUUID(), at, project, line_items, history = [], due_date, notes } = document;
  const { organizationId: organization_id, ownerId, currency } = draft;
  const items = line_items.map(({ time_entry, tax_rate = 0, ...item }) => ({
    ...item,
    tax_rate,
    time_entry_id: time_entry && ids.timeEntries.get(time_entry),
  }));
  const priced = priceInvoice(items, currency);
  if (priced instanceof Refusal) throw new Error(String(priced));
  const { lines, ...totals } = priced;
  insertRow(draft, at, invoices, {
    id,
    organization_id,
    client_id: ids.clientId,
    project_id: project && ids.projects.get(project),
    currency,
    due_date,
    notes,
    created_by: ownerId,
    ...totals,
    created_at: at,
    updated_at: at,
  });
  for (const line of lines) {
    insertRow(draft, at, invoiceLineItems, {
      id: crypto.randomUUID(),
      organization_id,
      invoice_id: id,
      ...line,
      created_at: at,
    });
  }
  for (const step of history) addStep(draft, id, step);
}

function addStep(draft: Draft, invoice_id: string, step: InvoiceStep): void {
  const { at } = step;
  if ("paid" in step) {
    insertRow(draft, at, payments, {
      id: crypto.randomUUID(),
      organization_id: draft.organizationId,
      invoice_id,
      amount_minor: minorOf(draft, step.paid),
      collected_via: step.via ?? "offline",
      created_at: at,
    });
    return;
  }
  const { status } = step;
  const issued = status === "open" ? { issue_date: at.slice(0, "2026-01-31".length) } : {};
  const move = build.update(invoices).set({ status, ...issued });
  change(draft, at, move.where(eq(invoices.id, invoice_id)));
}
