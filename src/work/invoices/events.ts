import { sql } from "drizzle-orm";
import * as z from "zod";
import { disputeStatuses, paymentMethods } from "../../contract/closed-sets.ts";
import { currency, date, id } from "../../contract/fields.ts";
import { eventsOf, field, on } from "../../core/events/event.ts";
import { columnsOf, newAndOld } from "../../db/trigger.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import {
  amountOf,
  clientAndOptionalProject,
  clientName,
  joinAnyProject,
  joinClient,
  joinCurrency,
  notSample,
  projectName,
} from "../event-fields.ts";
import { invoices, paymentReversals, payments } from "./tables.ts";

const invoice = columnsOf(invoices);
const { NEW, OLD } = newAndOld(invoices);

const amounts = {
  invoice_id: field(id, invoice.id, "8a0a7a0c-2c3b-4f53-a3b5-6a3f8c2d4e12"),
  number: field(z.string(), invoice.number, "INV-0042"),
  status: field(z.string().meta({ description: "New values may be added" }), invoice.status, "open"),
  previous_status: field(z.string(), OLD.status, "open"),
  currency: field(currency, invoice.currency, "USD"),
  total: amountOf(invoice.total_minor, 1250.5),
  amount_paid: amountOf(invoice.amount_paid_minor, 0),
  amount_due: amountOf(invoice.amount_due_minor, 1250.5),
};

const invoiceFields = {
  ...amounts,
  issue_date: field(date.nullable(), invoice.issue_date, "2026-01-15"),
  due_date: field(date.nullable(), invoice.due_date, "2026-01-30"),
  ...clientAndOptionalProject,
};

/**
 * Opening an invoice assigns its number and issue date. An invoice with a total of 0 becomes paid immediately,
 * because no payment could settle it.
 */
const opens = on(invoices, ["status"], () => ({
  when: sql`${OLD.status} = 'draft' AND ${NEW.status} = 'open'`,
  first: [
    sql`UPDATE ${organizations} SET next_invoice_number = next_invoice_number + 1 WHERE id = ${NEW.organization_id}`,
    sql`UPDATE ${invoices} SET
      number = (
        SELECT printf('INV-%04d', next_invoice_number - 1) FROM ${organizations} WHERE id = ${NEW.organization_id}
      ),
      issue_date = coalesce(issue_date, date('now'))
      WHERE id = ${NEW.id}`,
  ],
  last: [sql`UPDATE ${invoices} SET status = 'paid' WHERE id = ${NEW.id} AND total_minor = 0`],
}));

/** The newest reversal is the one that caused the update. */
const reversed = (isKind: string) =>
  on(invoices, ["amount_reversed_minor"], () => ({
    when: sql`(SELECT kind FROM ${paymentReversals} WHERE invoice_id = ${NEW.id} ORDER BY rowid DESC LIMIT 1)
      ${sql.raw(isKind)}`,
  }));

const reversedMinor = sql`(${NEW.amount_reversed_minor} - ${OLD.amount_reversed_minor})`;

export const invoiceEvents = eventsOf(
  {
    table: invoices,
    joins: sql`${joinCurrency(invoice)} ${joinClient(invoice)} ${joinAnyProject(invoice)}`,
    where: notSample,
  },
  {
    "invoice.sent": {
      category: "money",
      firesWhen: "an invoice moves from draft to open",
      firedBy: opens,
      data: invoiceFields,
      example: { previous_status: "draft" },
    },
    "invoice.paid": {
      category: "money",
      firesWhen: "an invoice is paid in full or in part, from any source",
      firedBy: on(invoices, ["status", "amount_paid_minor"], () => ({
        when: sql`${NEW.amount_reversed_minor} = ${OLD.amount_reversed_minor}
          AND (${NEW.amount_paid_minor} <> ${OLD.amount_paid_minor}
            OR (${NEW.status} = 'paid' AND ${OLD.status} <> 'paid'))`,
      })),
      data: {
        ...amounts,
        amount_received: amountOf(
          sql`(${NEW.amount_paid_minor} - ${OLD.amount_paid_minor})`,
          500,
          "The amount of this payment, which differs from total for a partial payment",
        ),
        client_name: clientName,
        project_name: projectName,
        collected_via: field(
          z
            .enum(paymentMethods)
            .meta({ description: "Whether the payment was made online (through a processor) or offline" }),
          sql`coalesce(
            (SELECT collected_via FROM ${payments} WHERE invoice_id = ${NEW.id} ORDER BY rowid DESC LIMIT 1),
            'offline'
          )`,
          "stripe",
        ),
      },
      example: { status: "partially_paid", amount_paid: 500, amount_due: 750.5 },
    },
    "invoice.overdue": {
      category: "money",
      firesWhen: "an invoice passes its due date unsettled",
      firedBy: on(invoices, ["status"], () => ({
        when: sql`${NEW.status} = 'overdue' AND ${OLD.status} NOT IN ('overdue', 'paid')`,
      })),
      data: invoiceFields,
      example: { status: "overdue" },
    },
    "invoice.refunded": {
      category: "money",
      firesWhen: "an invoice is refunded, in full or in part",
      firedBy: reversed("= 'refund'"),
      data: {
        ...invoiceFields,
        amount_refunded: amountOf(
          reversedMinor,
          250.5,
          "The amount of this refund, which was deducted from amount_paid",
        ),
      },
      example: { status: "partially_paid", previous_status: "paid", amount_paid: 1000, amount_due: 250.5 },
    },
    "invoice.disputed": {
      category: "money",
      firesWhen: "a payment is disputed, or a dispute is won and the money is returned",
      firedBy: reversed("<> 'refund'"),
      data: {
        ...invoiceFields,
        amount_disputed: amountOf(sql`abs${reversedMinor}`, 1250.5, "The amount disputed or returned"),
        dispute_status: field(
          z.enum(disputeStatuses).meta({
            description:
              "With `opened`, the amount was deducted from `amount_paid`. With `won`, it was added again",
          }),
          sql`iif(${NEW.amount_reversed_minor} > ${OLD.amount_reversed_minor}, 'opened', 'won')`,
          "opened",
        ),
      },
      example: { previous_status: "paid" },
    },
  },
);
