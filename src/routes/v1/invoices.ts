import { invoiceStatuses } from "../../contract/closed-sets.ts";
import { Refusal } from "../../contract/refusal.ts";
import { runLast } from "../../db/query.ts";
import { bodyExample } from "../../http/body-example.ts";
import { externalIdFilter, idFilter, stateFilter, textFilter } from "../../http/filters.ts";
import { listRoute, recordRoute } from "../../http/list-route.ts";
import { write } from "../../http/write.ts";
import { newId } from "../../platform/new-id.ts";
import { createInvoice, invoiceReferences } from "../../work/invoices/create-invoice.ts";
import { invoiceResource } from "../../work/invoices/read-invoices.ts";
import { exampleInvoice as example, Invoice, NewInvoice } from "../../work/invoices/record.ts";

const described = { tag: "Invoices", resource: Invoice, example };

export const listInvoices = listRoute({
  ...described,
  path: "/api-v1/invoices",
  operationId: "listInvoices",
  summary: "List invoices with their line items",
  scope: "invoice:read",
  filters: {
    client_id: idFilter("client"),
    project_id: idFilter("project"),
    status: stateFilter(invoiceStatuses),
    external_id: externalIdFilter,
    number: textFilter("The invoice's number", "INV-0042"),
  },
  page: invoiceResource.page,
  mayBeLarge: true,
});

export const getInvoice = recordRoute({
  ...described,
  path: "/api-v1/invoices/{id}",
  operationId: "getInvoice",
  summary: "Get an invoice",
  scope: "invoice:read",
  find: invoiceResource.find,
});

export const postInvoice = write({
  path: "/api-v1/invoices",
  operationId: "createInvoice",
  tag: "Invoices",
  summary: "Draft an invoice",
  description:
    "Creates the invoice as a draft. The API never issues or sends invoices, and never changes their payment " +
    "state.",
  scope: "invoice:write",
  body: NewInvoice,
  answer: Invoice,
  answerDescription: "The draft",
  examples: {
    body: {
      ...bodyExample(NewInvoice, example),
      line_items: [{ description: "Concept", quantity: 10, unit_price: 100, tax_rate: 19 }],
    },
    answer: {
      ...example,
      number: null,
      status: "draft",
      issue_date: null,
      amount_paid: 0,
      amount_due: example.total,
      updated_at: example.created_at,
    },
  },
  failures: ["time_entry_already_invoiced"],
  action: "invoice.created",
  load: ({ tokenHash, body }) => invoiceReferences(tokenHash, body),
  decide(context, { body, entry }, references) {
    const id = newId();
    const inserts = createInvoice(context, id, body, references);
    if (inserts instanceof Refusal) return inserts;
    return () => runLast(context.services.db, [...inserts, invoiceResource.record(entry(id))]);
  },
  answerOf: invoiceResource.fromText,
  recall: (organizationId, { subjectId }) => invoiceResource.read(organizationId, subjectId),
});
