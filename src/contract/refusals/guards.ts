import type { RefusalEntry } from "./entry.ts";

/**
 * Refusals that only database guards raise. Entry points check the same first, so these names mainly reach people who
 * write plain SQL.
 */
export const guardRefusals = {
  immutable: { status: 400, text: "This row is immutable" },
  organization_kept: { status: 400, text: "organization_id cannot change" },
  key_kept: { status: 400, text: "The key of a row cannot change" },
  link_prefix_kept: { status: 400, text: "What the links of a workspace begin with cannot change" },
  row_exists: { status: 400, text: "A row with this key already exists" },
  value_not_in_set: { status: 400, text: "This value is not in the closed set of its column" },
  last_owner: {
    status: 400,
    text: "A workspace keeps at least one owner: make another member an owner first",
  },
  token_stays_revoked: { status: 400, text: "A revoked token stays revoked" },
  token_keeps_scopes: { status: 400, text: "A token keeps its scopes: create a new one" },
  scopes_not_texts: { status: 400, text: "Scopes of a token are texts" },
  invoice_starts_as_draft: {
    status: 400,
    text: "An invoice starts as a draft, without number and payments",
  },
  invoice_status_out_of_order: {
    status: 400,
    text: "An invoice cannot go from its present status to this one",
  },
  invoice_without_line_items: { status: 400, text: "An invoice without line items cannot open" },
  line_items_not_subtotal: { status: 400, text: "The line items do not add up to subtotal_minor" },
  invoice_paid_by_payments: {
    status: 400,
    text: "An invoice is paid, and partially paid, by its payments: insert a row into payments",
  },
  payments_taken_back_by_reversals: {
    status: 400,
    text: "Payments are taken back by rows of their own: insert a row into payment_reversals",
  },
  invoice_with_payments: { status: 400, text: "An invoice with payments cannot be void" },
  amount_paid_not_sum: {
    status: 400,
    text: "amount_paid_minor is the sum of the payments: insert a row into payments",
  },
  amount_reversed_not_sum: {
    status: 400,
    text: "amount_reversed_minor is the sum of the reversals: insert a row into payment_reversals",
  },
  invoice_number_kept: { status: 400, text: "number is assigned when the invoice opens, and stays" },
  invoice_frozen: {
    status: 400,
    text: "Client, currency, amounts and issue date are frozen once the invoice is not a draft",
  },
  invoice_kept: { status: 400, text: "Only a draft invoice can be deleted" },
  line_items_frozen: { status: 400, text: "Line items are frozen once the invoice is not a draft" },
  line_item_references_kept: {
    status: 400,
    text: "invoice_id and time_entry_id of a line item cannot change",
  },
  reversal_sign_wrong: {
    status: 400,
    text: "A reversal is more than 0, and money of a dispute that came back less than 0",
  },
  reason_only_if_unmatched: { status: 400, text: "An unmatched event has a reason, and no other has one" },
  deliverable_starts_open: { status: 400, text: "A deliverable starts open" },
  final_by_sign_off: { status: 400, text: "is_final is set by the sign-off" },
  deliverable_kept: {
    status: 400,
    text: "A deliverable that was sent or has several versions cannot be deleted",
  },
  version_conflict: {
    status: 400,
    text: "A version takes the next number and the hash of the newest version",
  },
  version_not_newest: { status: 400, text: "Only the newest version can be signed off" },
  change_order_starts_draft_or_sent: { status: 400, text: "A change order starts as draft or sent" },
  change_order_status_out_of_order: {
    status: 400,
    text: "A change order goes from draft to sent, and from sent to signed or declined",
  },
  change_order_frozen: { status: 400, text: "A change order is frozen once it is sent" },
  change_decision_status_out_of_order: { status: 400, text: "A change decision goes from draft to sent" },
  change_decision_frozen: { status: 400, text: "A change decision is frozen once it is sent" },
  deposit_status_out_of_order: { status: 400, text: "A deposit goes from pending to cleared" },
  deposit_frozen: { status: 400, text: "A deposit is frozen once it has cleared" },
} as const satisfies Record<string, RefusalEntry>;
