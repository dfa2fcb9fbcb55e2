import { sql } from "drizzle-orm";
import { notErasing } from "../erasing.ts";
import { frozen } from "../guards.ts";
import { paymentReversals } from "../schema/processor.ts";
import { invoiceLineItems, invoices, payments, timeEntries } from "../schema/work.ts";
import { after, before, changes, raise, type Statement } from "../trigger.ts";

const frozenWords = "client, currency, amounts and issue date are frozen once the invoice is not a draft";

/** Draft, then open, then paid by rows in payments; rows in payment_reversals take that back. Void is final. */
export const invoiceTriggers: readonly Statement[] = [
  before(invoices, "INSERT", "start", ({ NEW }) => ({
    when: sql`${NEW.status} <> 'draft' OR ${NEW.number} IS NOT NULL
      OR ${NEW.amount_paid_minor} <> 0 OR ${NEW.amount_reversed_minor} <> 0`,
    do: raise("an invoice starts as a draft, without number and payments"),
  })),
  before(invoices, ["status"], "status", ({ NEW, OLD }) => ({
    when: sql`${NEW.status} <> ${OLD.status}`,
    do: [
      raise(
        "an invoice cannot go from its present status to this one",
        sql`WHERE ${OLD.status} || ' ' || ${NEW.status} NOT IN (
            'draft open', 'draft void',
            'open partially_paid', 'open overdue', 'open paid', 'open void',
            'partially_paid open', 'partially_paid overdue', 'partially_paid paid', 'partially_paid void',
            'overdue paid', 'overdue void',
            'paid open', 'paid partially_paid', 'paid overdue'
          )`,
      ),
      raise(
        "an invoice without line items cannot open",
        sql`WHERE ${NEW.status} = 'open'
          AND NOT EXISTS (SELECT 1 FROM ${invoiceLineItems} WHERE invoice_id = ${NEW.id})`,
      ),
      raise(
        "the line items do not add up to subtotal_minor",
        sql`WHERE ${NEW.status} = 'open'
          AND ${NEW.subtotal_minor} <>
            (SELECT sum(amount_minor) FROM ${invoiceLineItems} WHERE invoice_id = ${NEW.id})`,
      ),
      raise(
        "an invoice is paid by its payments: insert a row into payments",
        sql`WHERE ${NEW.status} = 'paid' AND ${NEW.amount_paid_minor} < ${NEW.total_minor}`,
      ),
      raise(
        "an invoice is partially paid by its payments: insert a row into payments",
        sql`WHERE ${NEW.status} = 'partially_paid'
          AND (${NEW.amount_paid_minor} <= 0 OR ${NEW.amount_paid_minor} >= ${NEW.total_minor})`,
      ),
      raise(
        "payments are taken back by rows of their own: insert a row into payment_reversals",
        sql`WHERE (${OLD.status} = 'paid' AND ${NEW.amount_paid_minor} >= ${NEW.total_minor})
          OR (${NEW.status} = 'open' AND ${NEW.amount_paid_minor} > 0)`,
      ),
      raise(
        "an invoice with payments cannot be void",
        sql`WHERE ${NEW.status} = 'void' AND ${NEW.amount_paid_minor} > 0`,
      ),
    ],
  })),
  before(invoices, ["amount_paid_minor", "amount_reversed_minor"], "amount_paid", (rows) => ({
    when: changes(rows, "amount_paid_minor", "amount_reversed_minor"),
    do: [
      raise(
        "amount_reversed_minor is the sum of the reversals: insert a row into payment_reversals",
        sql`WHERE ${rows.NEW.amount_reversed_minor} <> (
            SELECT coalesce(sum(amount_minor), 0) FROM ${paymentReversals} WHERE invoice_id = ${rows.NEW.id}
          )`,
      ),
      raise(
        "amount_paid_minor is the sum of the payments: insert a row into payments",
        sql`WHERE ${rows.NEW.amount_paid_minor} <> (
            SELECT coalesce(sum(amount_minor), 0) FROM ${payments} WHERE invoice_id = ${rows.NEW.id}
          ) - ${rows.NEW.amount_reversed_minor}`,
      ),
    ],
  })),
  before(invoices, ["number"], "number", ({ NEW, OLD }) => ({
    when: sql`${NEW.number} IS NOT ${OLD.number} AND (${OLD.status} = 'draft' OR ${OLD.number} IS NOT NULL)`,
    do: raise("number is assigned when the invoice opens, and stays"),
  })),
  frozen(
    invoices,
    ["client_id", "currency", "subtotal_minor", "tax_total_minor", "total_minor", "created_by"],
    ({ status }) => sql`${status} <> 'draft'`,
    frozenWords,
  ),
  before(invoices, ["issue_date"], "issue_date_frozen", ({ NEW, OLD }) => ({
    when: sql`${OLD.status} <> 'draft'
      AND ${OLD.issue_date} IS NOT NULL AND ${NEW.issue_date} IS NOT ${OLD.issue_date}`,
    do: raise(frozenWords),
  })),
  before(invoices, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.status} <> 'draft' AND ${notErasing(OLD)}`,
    do: raise("only a draft invoice can be deleted"),
  })),
  after(invoices, ["status"], "void_frees_time_entries", ({ NEW, OLD }) => ({
    when: sql`${NEW.status} = 'void' AND ${OLD.status} <> 'void'`,
    do: sql`UPDATE ${timeEntries} SET invoice_id = NULL WHERE invoice_id = ${NEW.id}`,
  })),
  before(invoiceLineItems, "INSERT", "draft_only", ({ NEW }) => ({
    do: [
      raise(
        "line items are frozen once the invoice is not a draft",
        sql`WHERE (SELECT status FROM ${invoices} WHERE id = ${NEW.invoice_id}) <> 'draft'`,
      ),
      raise(
        "time_entry_already_invoiced",
        sql`FROM ${timeEntries}
          WHERE organization_id = ${NEW.organization_id} AND id = ${NEW.time_entry_id} AND invoice_id IS NOT NULL`,
      ),
    ],
  })),
  before(invoiceLineItems, "UPDATE", "frozen", ({ NEW, OLD }) => ({
    do: [
      raise(
        "line items are frozen once the invoice is not a draft",
        sql`WHERE (SELECT status FROM ${invoices} WHERE id = ${OLD.invoice_id}) <> 'draft'`,
      ),
      raise(
        "invoice_id and time_entry_id of a line item cannot change",
        sql`WHERE ${NEW.invoice_id} <> ${OLD.invoice_id} OR ${NEW.time_entry_id} IS NOT ${OLD.time_entry_id}`,
      ),
    ],
  })),
  before(invoiceLineItems, "DELETE", "kept", ({ OLD }) => ({
    when: sql`(SELECT status FROM ${invoices} WHERE id = ${OLD.invoice_id}) <> 'draft'
      AND ${notErasing(OLD)}`,
    do: raise("line items are frozen once the invoice is not a draft"),
  })),
  after(invoiceLineItems, "INSERT", "take_time_entry", ({ NEW }) => ({
    when: sql`${NEW.time_entry_id} IS NOT NULL`,
    do: sql`UPDATE ${timeEntries} SET invoice_id = ${NEW.invoice_id}
      WHERE organization_id = ${NEW.organization_id} AND id = ${NEW.time_entry_id}`,
  })),
  after(invoiceLineItems, "DELETE", "free_time_entry", ({ OLD }) => ({
    when: sql`${OLD.time_entry_id} IS NOT NULL`,
    do: sql`UPDATE ${timeEntries} SET invoice_id = NULL
      WHERE organization_id = ${OLD.organization_id} AND id = ${OLD.time_entry_id}`,
  })),
  before(payments, "INSERT", "due", ({ NEW }) => ({
    when: sql`(SELECT status FROM ${invoices} WHERE id = ${NEW.invoice_id}) = 'draft'`,
    do: raise("a draft invoice takes no payment"),
  })),
  after(payments, "INSERT", "pay_invoice", ({ NEW }) => ({
    do: sql`UPDATE ${invoices} SET
        amount_paid_minor = amount_paid_minor + ${NEW.amount_minor},
        status = iif(status = 'void', 'void',
          iif(amount_paid_minor + ${NEW.amount_minor} >= total_minor, 'paid',
          iif(status = 'open' AND amount_paid_minor + ${NEW.amount_minor} > 0, 'partially_paid', status)))
      WHERE id = ${NEW.invoice_id}`,
  })),
  // What is taken back leaves a paid invoice partially paid or open; past its due date it is overdue, as
  // invoice.refunded and invoice.disputed say themselves. An open one becomes overdue by the cron, with its own event.
  after(paymentReversals, "INSERT", "take_back", ({ NEW }) => ({
    do: sql`UPDATE ${invoices} SET
        amount_paid_minor = amount_paid_minor - ${NEW.amount_minor},
        amount_reversed_minor = amount_reversed_minor + ${NEW.amount_minor},
        status = iif(status = 'void', 'void',
          iif(amount_paid_minor - ${NEW.amount_minor} >= total_minor, 'paid',
          iif(status = 'overdue' OR (status = 'paid' AND due_date < date('now')), 'overdue',
          iif(amount_paid_minor - ${NEW.amount_minor} > 0, 'partially_paid', 'open'))))
      WHERE id = ${NEW.invoice_id}`,
  })),
];
