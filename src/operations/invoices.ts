import * as z from "zod";
import { amountInput, idInput } from "../contract/fields.ts";
import { moveInvoice } from "../work/invoices/move-invoice.ts";
import { invoiceResource } from "../work/invoices/read-invoices.ts";
import { collectedVia, Invoice, Payment } from "../work/invoices/record.ts";
import { markInvoicePaid, paymentOfEntry, recordPayment } from "../work/invoices/record-payment.ts";
import { type AdminOperations, bySubject, workspaceOperation } from "./operation.ts";

export const invoiceOperations: AdminOperations = {
  "issue-invoice": workspaceOperation({
    summary: "Issue a draft invoice, which assigns its number and issue date",
    action: "issue invoices",
    input: z.strictObject({ id: idInput }),
    answer: Invoice,
    run: (context, { id }) => moveInvoice(context, id, "open"),
    again: bySubject(invoiceResource.read),
  }),

  "void-invoice": workspaceOperation({
    summary: "Void an invoice that has no payments",
    action: "void invoices",
    input: z.strictObject({ id: idInput }),
    answer: Invoice,
    run: (context, { id }) => moveInvoice(context, id, "void"),
    again: bySubject(invoiceResource.read),
  }),

  "record-payment": workspaceOperation({
    summary: "Record a payment for an invoice",
    action: "record payments",
    input: z.strictObject({
      invoice: idInput,
      amount: amountInput,
      collected_via: collectedVia.default("offline"),
    }),
    answer: Payment,
    run: recordPayment,
    again: paymentOfEntry,
  }),

  "mark-invoice-paid": workspaceOperation({
    summary: "Record a payment for an invoice's full amount due",
    action: "record payments",
    input: z.strictObject({ id: idInput, collected_via: collectedVia.default("offline") }),
    answer: Invoice,
    run: (context, { id, collected_via }) => markInvoicePaid(context, id, collected_via),
    again: bySubject(invoiceResource.read),
  }),
};
