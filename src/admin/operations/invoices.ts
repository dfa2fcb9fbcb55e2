import * as z from "zod";
import { idInput } from "../../contract/fields.ts";
import { Invoice } from "../../contract/resources/invoice.ts";
import { collectedVia, Payment } from "../../contract/workspace/records.ts";
import { issueInvoice, voidInvoice } from "../../domain/invoices/move-invoice.ts";
import { markInvoicePaid, recordPayment } from "../../domain/invoices/record-payment.ts";
import { amountInput } from "../fields.ts";
import { type Operations, operation } from "../operation.ts";

export const invoiceOperations: Operations = {
  "issue-invoice": operation({
    summary: "Open a draft: it gets its number and its issue date",
    action: "issue invoices",
    wakesWebhooks: true,
    input: z.strictObject({ id: idInput }),
    answer: Invoice,
    run: (context, { id }) => issueInvoice(context, id),
  }),

  "void-invoice": operation({
    summary: "Void an invoice that nobody has paid on",
    action: "void invoices",
    input: z.strictObject({ id: idInput }),
    answer: Invoice,
    run: (context, { id }) => voidInvoice(context, id),
  }),

  "record-payment": operation({
    summary: "Record money that arrived for an invoice",
    action: "record payments",
    wakesWebhooks: true,
    input: z.strictObject({
      invoice: idInput,
      amount: amountInput,
      collected_via: collectedVia.default("offline"),
    }),
    answer: Payment,
    run: recordPayment,
  }),

  "mark-invoice-paid": operation({
    summary: "Record a payment of an invoice's whole amount due",
    action: "record payments",
    wakesWebhooks: true,
    input: z.strictObject({ id: idInput, collected_via: collectedVia.default("offline") }),
    answer: Invoice,
    run: (context, { id, collected_via }) => markInvoicePaid(context, id, collected_via),
  }),
};
