import { sql } from "drizzle-orm";
import { notErasing } from "../../db/erasing.ts";
import { frozen, stampParent } from "../../db/guards.ts";
import { after, before, changes, raise, type Statement } from "../../db/trigger.ts";
import { timeEntries } from "../time-entries/tables.ts";
import { invoiceLineItems, invoices, paymentReversals, payments } from "./tables.ts";

/**
 * Invoices go from draft to open. Rows in payments make them paid, and rows in payment_reversals undo that. Void is
 * final.
 */
export const invoiceGuards: readonly Statement[] = [
  before(invoices, "INSERT", "start", ({ NEW }) => ({
    when: sql`${NEW.status} <> 'draft' OR ${NEW.number} IS NOT NULL
      OR ${NEW.amount_paid_minor} <> 0 OR ${NEW.amount_reversed_minor} <> 0`,
    do: raise("invoice_starts_as_draft"),
  })),
  before(invoices, ["status"], "status", ({ NEW, OLD }) => ({
    when: sql`${NEW.status} <> ${OLD.status}`,
    do: [
      raise(
        "invoice_status_out_of_order",
        sql`WHERE ${OLD.status} || ' ' || ${NEW.status} NOT IN (
            'draft open', 'draft void',
            'open partially_paid', 'open overdue', 'open paid', 'open void',
            'partially_paid open', 'partially_paid overdue', 'partially_paid paid', 'partially_paid void',
            'overdue paid', 'overdue void',
            'paid open', 'paid partially_paid', 'paid overdue'
          )`,
      ),
      raise(
        "invoice_without_line_items",
        sql`WHERE ${NEW.status} = 'open'
          AND NOT EXISTS (SELECT 1 FROM ${invoiceLineItems} WHERE invoice_id = ${NEW.id})`,
      ),
      raise(
        "line_items_not_subtotal",
        sql`WHERE ${NEW.status} = 'open'
          AND ${NEW.subtotal_minor} <>
            (SELECT sum(amount_minor) FROM ${invoiceLineItems} WHERE invoice_id = ${NEW.id})`,
      ),
      raise(
        "invoice_paid_by_payments",
        sql`WHERE (${NEW.status} = 'paid' AND ${NEW.amount_paid_minor} < ${NEW.total_minor})
          OR (${NEW.status} = 'partially_paid'
            AND (${NEW.amount_paid_minor} <= 0 OR ${NEW.amount_paid_minor} >= ${NEW.total_minor}))`,
      ),
      raise(
        "payments_taken_back_by_reversals",
        sql`WHERE (${OLD.status} = 'paid' AND ${NEW.amount_paid_minor} >= ${NEW.total_minor})
          OR (${NEW.status} = 'open' AND ${NEW.amount_paid_minor} > 0)`,
      ),
      raise("invoice_with_payments", sql`WHERE ${NEW.status} = 'void' AND ${NEW.amount_paid_minor} > 0`),
    ],
  })),
  before(invoices, ["amount_paid_minor", "amount_reversed_minor"], "amount_paid", (rows) => ({
    when: changes(rows, "amount_paid_minor", "amount_reversed_minor"),
    do: [
      raise(
        "amount_reversed_not_sum",
        sql`WHERE ${rows.NEW.amount_reversed_minor} <> (
            SELECT coalesce(sum(amount_minor), 0) FROM ${paymentReversals} WHERE invoice_id = ${rows.NEW.id}
          )`,
      ),
      raise(
        "amount_paid_not_sum",
        sql`WHERE ${rows.NEW.amount_paid_minor} <> (
            SELECT coalesce(sum(amount_minor), 0) FROM ${payments} WHERE invoice_id = ${rows.NEW.id}
          ) - ${rows.NEW.amount_reversed_minor}`,
      ),
    ],
  })),
  before(invoices, ["number"], "number", ({ NEW, OLD }) => ({
    when: sql`${NEW.number} IS NOT ${OLD.number} AND (${OLD.status} = 'draft' OR ${OLD.number} IS NOT NULL)`,
    do: raise("invoice_number_kept"),
  })),
  frozen(
    invoices,
    ["client_id", "currency", "subtotal_minor", "tax_total_minor", "total_minor", "created_by"],
    ({ status }) => sql`${status} <> 'draft'`,
    "invoice_frozen",
  ),
  before(invoices, ["issue_date"], "issue_date_frozen", ({ NEW, OLD }) => ({
    when: sql`${OLD.status} <> 'draft'
      AND ${OLD.issue_date} IS NOT NULL AND ${NEW.issue_date} IS NOT ${OLD.issue_date}`,
    do: raise("invoice_frozen"),
  })),
  before(invoices, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.status} <> 'draft' AND ${notErasing(OLD)}`,
    do: raise("invoice_kept"),
  })),
  after(invoices, ["status"], "void_frees_time_entries", ({ NEW, OLD }) => ({
    when: sql`${NEW.status} = 'void' AND ${OLD.status} <> 'void'`,
    do: sql`UPDATE ${timeEntries} SET invoice_id = NULL WHERE invoice_id = ${NEW.id}`,
  })),
  before(invoiceLineItems, "INSERT", "draft_only", ({ NEW }) => ({
    do: [
      raise(
        "line_items_frozen",
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
        "line_items_frozen",
        sql`WHERE (SELECT status FROM ${invoices} WHERE id = ${OLD.invoice_id}) <> 'draft'`,
      ),
      raise(
        "line_item_references_kept",
        sql`WHERE ${NEW.invoice_id} <> ${OLD.invoice_id} OR ${NEW.time_entry_id} IS NOT ${OLD.time_entry_id}`,
      ),
    ],
  })),
  before(invoiceLineItems, "DELETE", "kept", ({ OLD }) => ({
    when: sql`(SELECT status FROM ${invoices} WHERE id = ${OLD.invoice_id}) <> 'draft'
      AND ${notErasing(OLD)}`,
    do: raise("line_items_frozen"),
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
    do: raise("invoice_is_draft"),
  })),
  after(payments, "INSERT", "pay_invoice", ({ NEW }) => ({
    do: sql`UPDATE ${invoices} SET
        amount_paid_minor = amount_paid_minor + ${NEW.amount_minor},
        status = iif(status = 'void', 'void',
          iif(amount_paid_minor + ${NEW.amount_minor} >= total_minor, 'paid',
          iif(status = 'open' AND amount_paid_minor + ${NEW.amount_minor} > 0, 'partially_paid', status)))
      WHERE id = ${NEW.invoice_id}`,
  })),
  // A reversal reopens a paid invoice. If its due date has passed, it becomes overdue, which invoice.refunded or
  // invoice.disputed reports. Otherwise it becomes partially paid or open. The cron makes open and partially paid
  // invoices overdue, with a separate event.
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
  // Reversals never change, so only inserts are checked.
  before(paymentReversals, "INSERT", "sign", ({ NEW }) => ({
    when: sql`iif(${NEW.kind} = 'dispute_won', ${NEW.amount_minor} >= 0, ${NEW.amount_minor} <= 0)`,
    do: raise("reversal_sign_wrong"),
  })),
  ...stampParent(invoiceLineItems, invoices, "invoice_id", {
    parent: "invoice",
    shown: ["position", "description", "quantity", "unit_price_minor", "tax_rate", "amount_minor"],
  }),
];
