import { Refusal } from "../../contract/failures.ts";
import { toMinor } from "../../contract/money.ts";
import { NewInvoice } from "../../contract/resources/invoice.ts";
import { type Query, statement } from "../../db/query.ts";
import type { Authorship } from "../../domain/authorship.ts";
import { createInvoice } from "../../domain/invoices/create-invoice.ts";
import type { InvoiceDocument } from "./workspace-document.ts";

const paymentSql =
  "INSERT INTO payments (id, organization_id, invoice_id, amount_minor, collected_via) VALUES (?, ?, ?, ?, 'offline')";

/** The statements that draft an invoice and let its history happen; a refusal as the API's. */
export function importInvoice(
  authorship: Authorship,
  { project: _, line_items, history = [], ...document }: InvoiceDocument,
  place: {
    client_id: string;
    project_id: string | undefined;
    entryIds: ReadonlyMap<string, string>;
    currency: string;
  },
): Query<unknown>[] | Refusal {
  const { client_id, project_id, entryIds } = place;
  const invoice = NewInvoice.parse({
    ...document,
    client_id,
    ...(project_id === undefined ? {} : { project_id }),
    line_items: line_items.map(({ time_entry, ...item }) =>
      time_entry === undefined ? item : { ...item, time_entry_id: entryIds.get(time_entry) },
    ),
  });
  const entries = [...entryIds.values()].map((id) => [id, { id, client_id, invoice_id: null }] as const);
  const references = { clientId: client_id, clientOfProject: client_id, timeEntries: new Map(entries) };
  const draft = createInvoice(authorship, invoice, references, place.currency);
  if (draft instanceof Refusal) return draft;
  const currency = invoice.currency ?? place.currency;
  const steps = history.map((step) =>
    typeof step === "number"
      ? statement(
          paymentSql,
          crypto.randomUUID(),
          authorship.organizationId,
          authorship.id,
          toMinor(step, currency),
        )
      : statement("UPDATE invoices SET status = ? WHERE id = ?", step, authorship.id),
  );
  return [...draft, ...steps];
}
