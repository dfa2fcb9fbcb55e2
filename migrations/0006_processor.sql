-- The payment processor: an inbox of its events, what it took back, and which payment is whose. Its ids never leave
-- these tables (docs/decisions/0020).

CREATE TABLE processor_events (
  id TEXT PRIMARY KEY, -- the processor's own id of the event
  organization_id TEXT REFERENCES organizations (id), -- NULL while nobody knows whose it is
  type TEXT NOT NULL,
  kind TEXT NOT NULL,
  outcome TEXT NOT NULL,
  unmatched_reason TEXT,
  processor_payment_id TEXT, -- the same in every event of one payment
  processor_reversal_id TEXT, -- the charge that is refunded, or the dispute
  amount_minor INTEGER CHECK (amount_minor >= 0), -- of a refund, all that was ever refunded of its charge
  currency TEXT REFERENCES currencies (code),
  named_invoice TEXT, -- what the payment's metadata say, whether there is such a record or not
  named_deposit TEXT,
  matched_invoice_id TEXT, -- where an admin assigned it
  matched_amount_minor INTEGER CHECK (matched_amount_minor > 0), -- what money of another currency is worth there
  occurred_at TEXT NOT NULL,
  received_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  FOREIGN KEY (organization_id, matched_invoice_id) REFERENCES invoices (organization_id, id)
) STRICT;
CREATE INDEX processor_events_by_payment ON processor_events (processor_payment_id)
  WHERE processor_payment_id IS NOT NULL;
CREATE INDEX processor_events_newest ON processor_events (organization_id, received_at, id);
CREATE INDEX processor_events_by_outcome ON processor_events (organization_id, outcome, received_at, id);
-- Of all workspaces, for the minute's figures.
CREATE INDEX processor_events_unmatched ON processor_events (received_at) WHERE outcome = 'unmatched';
-- For the key alone: its look for children when a draft is deleted.
CREATE INDEX processor_events_by_matched_invoice ON processor_events (matched_invoice_id)
  WHERE matched_invoice_id IS NOT NULL;

CREATE TABLE payment_reversals (
  -- a random UUID (version 4)
  id TEXT PRIMARY KEY DEFAULT (
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
    || '-' || substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
  ),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  invoice_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount_minor INTEGER NOT NULL, -- below 0: what a dispute took has come back
  processor_payment_id TEXT,
  processor_reversal_id TEXT UNIQUE,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id)
) STRICT;
CREATE INDEX payment_reversals_by_invoice ON payment_reversals (invoice_id, amount_minor);
CREATE INDEX payment_reversals_by_processor_payment ON payment_reversals (processor_payment_id)
  WHERE processor_payment_id IS NOT NULL;
CREATE INDEX payment_reversals_of_organization ON payment_reversals (organization_id, invoice_id);
