import { Refusal } from "../../contract/failures.ts";
import { limits } from "../../contract/limits.ts";
import { Invoice, NewInvoice } from "../../contract/resources/invoice.ts";
import { runLast } from "../../db/query.ts";
import { createInvoice, invoiceReferences } from "../../domain/invoices/create-invoice.ts";
import { invoices } from "../../domain/invoices/read-invoices.ts";
import { listRoute, recordRoute } from "../../http/list-route.ts";
import { authorshipOf, write } from "../../http/route.ts";

const example: Invoice = {
  id: "9e2d4c1b-8a7f-4e6d-b5c4-a3b2c1d0e9f8",
  number: "INV-0042",
  client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  project_id: "7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42",
  status: "partially_paid",
  currency: "EUR",
  issue_date: "2026-01-31",
  due_date: "2026-02-14",
  subtotal: 1000,
  tax_total: 190,
  total: 1190,
  amount_paid: 500,
  amount_due: 690,
  notes: "Thank you",
  external_id: null,
  line_items: [
    {
      id: "1d3f5a7c-9b0e-4c2d-8e4f-6a8b0c2d4e6f",
      position: 0,
      description: "Concept",
      quantity: 10,
      unit_price: 100,
      tax_rate: 19,
      amount: 1000,
      time_entry_id: null,
    },
  ],
  created_at: "2026-01-30T16:00:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

const described = { tag: "Invoices", resource: Invoice, example };

export const listInvoices = listRoute({
  ...described,
  path: "/api-v1/invoices",
  operationId: "listInvoices",
  summary: "List invoices with their line items",
  scope: "invoice:read",
  page: invoices.page,
  hasChildren: true,
});

export const getInvoice = recordRoute({
  ...described,
  path: "/api-v1/invoices/{id}",
  operationId: "getInvoice",
  summary: "Get an invoice",
  scope: "invoice:read",
  find: invoices.find,
});

export const postInvoice = write({
  path: "/api-v1/invoices",
  operationId: "createInvoice",
  tag: "Invoices",
  summary: "Draft an invoice",
  description:
    "Always a draft: the API never issues or sends an invoice and never changes its payment state.",
  scope: "invoice:write",
  body: NewInvoice,
  maximumBodyBytes: limits.bodyBytes,
  answer: Invoice,
  answerDescription: "The draft",
  examples: {
    body: {
      client_id: example.client_id,
      due_date: "2026-02-14",
      line_items: [{ description: "Concept", quantity: 10, unit_price: 100, tax_rate: 19 }],
    },
    answer: { ...example, number: null, status: "draft", issue_date: null, amount_paid: 0, amount_due: 1190 },
  },
  failures: ["time_entry_already_invoiced"],
  preconditions: ({ tokenHash, body }) => invoiceReferences(tokenHash, body),
  findExisting: ({ principal, id }) => invoices.existing(principal.organizationId, id),
  plan(context, references) {
    const { body, principal, services } = context;
    const queries = createInvoice(authorshipOf(context), body, references, principal.currency);
    return queries instanceof Refusal ? queries : () => runLast(services.db, queries);
  },
});
