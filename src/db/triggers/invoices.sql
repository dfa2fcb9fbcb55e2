-- Invoices: draft, then open, then paid by rows in payments; rows in payment_reversals take that back. Void is final.

CREATE TRIGGER invoices_start BEFORE INSERT ON invoices
WHEN NEW.status <> 'draft' OR NEW.number IS NOT NULL OR NEW.amount_paid_minor <> 0 OR NEW.amount_reversed_minor <> 0
BEGIN
  SELECT RAISE(ABORT, 'an invoice starts as a draft, without number and payments');
END;

CREATE TRIGGER invoices_status BEFORE UPDATE OF status ON invoices
WHEN NEW.status <> OLD.status
BEGIN
  SELECT RAISE(ABORT, 'an invoice cannot go from its present status to this one')
  WHERE OLD.status || ' ' || NEW.status NOT IN (
    'draft open', 'draft void',
    'open partially_paid', 'open overdue', 'open paid', 'open void',
    'partially_paid open', 'partially_paid overdue', 'partially_paid paid', 'partially_paid void',
    'overdue paid', 'overdue void',
    'paid open', 'paid partially_paid', 'paid overdue'
  );

  SELECT RAISE(ABORT, 'an invoice without line items cannot open')
  WHERE NEW.status = 'open'
    AND NOT EXISTS (SELECT 1 FROM invoice_line_items WHERE invoice_id = NEW.id);

  SELECT RAISE(ABORT, 'the line items do not add up to subtotal_minor')
  WHERE NEW.status = 'open'
    AND (SELECT sum(amount_minor) FROM invoice_line_items WHERE invoice_id = NEW.id) <> NEW.subtotal_minor;

  SELECT RAISE(ABORT, 'an invoice is paid by its payments: insert a row into payments')
  WHERE NEW.status = 'paid' AND NEW.amount_paid_minor < NEW.total_minor;

  SELECT RAISE(ABORT, 'an invoice is partially paid by its payments: insert a row into payments')
  WHERE NEW.status = 'partially_paid'
    AND (NEW.amount_paid_minor <= 0 OR NEW.amount_paid_minor >= NEW.total_minor);

  SELECT RAISE(ABORT, 'payments are taken back by rows of their own: insert a row into payment_reversals')
  WHERE (OLD.status = 'paid' AND NEW.amount_paid_minor >= NEW.total_minor)
    OR (NEW.status = 'open' AND NEW.amount_paid_minor > 0);

  SELECT RAISE(ABORT, 'an invoice with payments cannot be void')
  WHERE NEW.status = 'void' AND NEW.amount_paid_minor > 0;
END;

CREATE TRIGGER invoices_amount_paid BEFORE UPDATE OF amount_paid_minor, amount_reversed_minor ON invoices
WHEN NEW.amount_paid_minor <> OLD.amount_paid_minor OR NEW.amount_reversed_minor <> OLD.amount_reversed_minor
BEGIN
  SELECT RAISE(ABORT, 'amount_reversed_minor is the sum of the reversals: insert a row into payment_reversals')
  WHERE NEW.amount_reversed_minor <> (
    SELECT coalesce(sum(amount_minor), 0) FROM payment_reversals WHERE invoice_id = NEW.id
  );

  SELECT RAISE(ABORT, 'amount_paid_minor is the sum of the payments: insert a row into payments')
  WHERE NEW.amount_paid_minor <> (
    SELECT coalesce(sum(amount_minor), 0) FROM payments WHERE invoice_id = NEW.id
  ) - NEW.amount_reversed_minor;
END;

CREATE TRIGGER invoices_number BEFORE UPDATE OF number ON invoices
WHEN NEW.number IS NOT OLD.number AND (OLD.status = 'draft' OR OLD.number IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'number is assigned when the invoice opens, and stays');
END;

CREATE TRIGGER invoices_frozen
BEFORE UPDATE OF client_id, currency, subtotal_minor, tax_total_minor, total_minor, issue_date, created_by ON invoices
WHEN OLD.status <> 'draft' AND (
  NEW.client_id <> OLD.client_id
  OR NEW.currency <> OLD.currency
  OR NEW.subtotal_minor <> OLD.subtotal_minor
  OR NEW.tax_total_minor <> OLD.tax_total_minor
  OR NEW.total_minor <> OLD.total_minor
  OR (OLD.issue_date IS NOT NULL AND NEW.issue_date IS NOT OLD.issue_date)
  OR NEW.created_by <> OLD.created_by
)
BEGIN
  SELECT RAISE(ABORT, 'client, currency, amounts and issue date are frozen once the invoice is not a draft');
END;

CREATE TRIGGER invoices_kept BEFORE DELETE ON invoices
WHEN OLD.status <> 'draft' AND NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'only a draft invoice can be deleted');
END;

CREATE TRIGGER invoices_void_frees_time_entries AFTER UPDATE OF status ON invoices
WHEN NEW.status = 'void' AND OLD.status <> 'void'
BEGIN
  UPDATE time_entries SET invoice_id = NULL WHERE invoice_id = NEW.id;
END;

-- Line items belong to the draft; each takes its time entry with it, and a deleted one gives it back.

CREATE TRIGGER invoice_line_items_draft_only BEFORE INSERT ON invoice_line_items
BEGIN
  SELECT RAISE(ABORT, 'line items are frozen once the invoice is not a draft')
  WHERE (SELECT status FROM invoices WHERE id = NEW.invoice_id) <> 'draft';

  SELECT RAISE(ABORT, 'time_entry_already_invoiced')
  FROM time_entries
  WHERE organization_id = NEW.organization_id AND id = NEW.time_entry_id AND invoice_id IS NOT NULL;
END;

CREATE TRIGGER invoice_line_items_frozen BEFORE UPDATE ON invoice_line_items
BEGIN
  SELECT RAISE(ABORT, 'line items are frozen once the invoice is not a draft')
  WHERE (SELECT status FROM invoices WHERE id = OLD.invoice_id) <> 'draft';

  SELECT RAISE(ABORT, 'invoice_id and time_entry_id of a line item cannot change')
  WHERE NEW.invoice_id <> OLD.invoice_id OR NEW.time_entry_id IS NOT OLD.time_entry_id;
END;

CREATE TRIGGER invoice_line_items_kept BEFORE DELETE ON invoice_line_items
WHEN (SELECT status FROM invoices WHERE id = OLD.invoice_id) <> 'draft'
  AND NOT EXISTS (SELECT 1 FROM erasures WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'line items are frozen once the invoice is not a draft');
END;

CREATE TRIGGER invoice_line_items_take_time_entry AFTER INSERT ON invoice_line_items
WHEN NEW.time_entry_id IS NOT NULL
BEGIN
  UPDATE time_entries SET invoice_id = NEW.invoice_id
  WHERE organization_id = NEW.organization_id AND id = NEW.time_entry_id;
END;

CREATE TRIGGER invoice_line_items_free_time_entry AFTER DELETE ON invoice_line_items
WHEN OLD.time_entry_id IS NOT NULL
BEGIN
  UPDATE time_entries SET invoice_id = NULL
  WHERE organization_id = OLD.organization_id AND id = OLD.time_entry_id;
END;

-- Payments pay their invoice. Money that arrived is a fact: beyond the total, on a paid invoice and on a void one, too.

CREATE TRIGGER payments_due BEFORE INSERT ON payments
WHEN (SELECT status FROM invoices WHERE id = NEW.invoice_id) = 'draft'
BEGIN
  SELECT RAISE(ABORT, 'a draft invoice takes no payment');
END;

CREATE TRIGGER payments_pay_invoice AFTER INSERT ON payments
BEGIN
  UPDATE invoices SET
    amount_paid_minor = amount_paid_minor + NEW.amount_minor,
    status = iif(status = 'void', 'void',
      iif(amount_paid_minor + NEW.amount_minor >= total_minor, 'paid',
      iif(status = 'open' AND amount_paid_minor + NEW.amount_minor > 0, 'partially_paid', status)))
  WHERE id = NEW.invoice_id;
END;

-- What is taken back leaves a paid invoice partially paid or open; past its due date it is overdue, as invoice.refunded
-- and invoice.disputed say themselves. An open one becomes overdue by the cron, with an event of its own.
CREATE TRIGGER payment_reversals_take_back AFTER INSERT ON payment_reversals
BEGIN
  UPDATE invoices SET
    amount_paid_minor = amount_paid_minor - NEW.amount_minor,
    amount_reversed_minor = amount_reversed_minor + NEW.amount_minor,
    status = iif(status = 'void', 'void',
      iif(amount_paid_minor - NEW.amount_minor >= total_minor, 'paid',
      iif(status = 'overdue' OR (status = 'paid' AND due_date < date('now')), 'overdue',
      iif(amount_paid_minor - NEW.amount_minor > 0, 'partially_paid', 'open'))))
  WHERE id = NEW.invoice_id;
END;
