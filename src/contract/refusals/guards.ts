import type { RefusalEntry } from "./entry.ts";

/** Refusals that only database guards raise, mostly for plain SQL: entry points check the same rules first. */
export const guardRefusals = {
  immutable: { status: 400, text: "This row is immutable" },
  organization_kept: { status: 400, text: "organization_id cannot change" },
  key_kept: { status: 400, text: "A row's key cannot change" },
  link_prefix_kept: { status: 400, text: "A workspace's link prefix cannot change" },
  row_exists: { status: 400, text: "A row with this key already exists" },
  value_not_in_set: { status: 400, text: "This value is not in the column's closed set" },
  last_owner: {
    status: 400,
    text: "A workspace needs at least one owner. Make another member an owner first",
  },
  token_stays_revoked: { status: 400, text: "A revoked token cannot be reactivated" },
  token_keeps_scopes: { status: 400, text: "A token's scopes cannot change. Create a new token" },
  scopes_not_texts: { status: 400, text: "A token's scopes must be strings" },
  invoice_starts_as_draft: {
    status: 400,
    text: "A new invoice must be a draft without a number or payments",
  },
  invoice_status_out_of_order: {
    status: 400,
    text: "An invoice cannot change from its current status to this one",
  },
  invoice_without_line_items: {
    status: 400,
    text: "An invoice needs at least one line item before it can open",
  },
  line_items_not_subtotal: { status: 400, text: "The line items do not add up to subtotal_minor" },
  invoice_paid_by_payments: {
    status: 400,
    text: "Payments set the statuses paid and partially_paid. Insert a row into payments instead",
  },
  payments_taken_back_by_reversals: {
    status: 400,
    text: "A payment cannot be changed or deleted. To reverse it, insert a row into payment_reversals",
  },
  invoice_with_payments: { status: 400, text: "An invoice with payments cannot be void" },
  amount_paid_not_sum: {
    status: 400,
    text: "amount_paid_minor must be the sum of the payments. Insert a row into payments instead",
  },
  amount_reversed_not_sum: {
    status: 400,
    text: "amount_reversed_minor must be the sum of the reversals. Insert a row into payment_reversals instead",
  },
  invoice_number_kept: {
    status: 400,
    text: "An invoice's number is assigned when it opens, and cannot change",
  },
  invoice_frozen: {
    status: 400,
    text: "Client, currency, amounts and issue date are frozen once the invoice is not a draft",
  },
  invoice_kept: { status: 400, text: "Only a draft invoice can be deleted" },
  line_items_frozen: { status: 400, text: "Line items are frozen once the invoice is not a draft" },
  line_item_references_kept: {
    status: 400,
    text: "A line item's invoice_id and time_entry_id cannot change",
  },
  reversal_sign_wrong: {
    status: 400,
    text: "A reversal's amount must be more than 0, or less than 0 for a dispute that was won",
  },
  reason_only_if_unmatched: {
    status: 400,
    text: "Unmatched events must have a reason, and other events must not",
  },
  deliverable_starts_open: { status: 400, text: "A new deliverable must be open" },
  final_by_sign_off: { status: 400, text: "Only a sign-off sets is_final" },
  deliverable_kept: {
    status: 400,
    text: "A deliverable that was sent or has several versions cannot be deleted",
  },
  version_conflict: {
    status: 400,
    text: "A new version must have the next number and the newest version's hash",
  },
  version_not_newest: { status: 400, text: "Only the newest version can be signed off" },
  change_order_starts_draft_or_sent: { status: 400, text: "A new change order must be a draft or sent" },
  change_order_status_out_of_order: {
    status: 400,
    text: "A change order can only change from draft to sent, and from sent to signed or declined",
  },
  change_order_frozen: { status: 400, text: "A change order is frozen once it is sent" },
  change_decision_status_out_of_order: {
    status: 400,
    text: "A change decision can only change from draft to sent",
  },
  change_decision_frozen: { status: 400, text: "A change decision is frozen once it is sent" },
  deposit_status_out_of_order: { status: 400, text: "A deposit can only change from pending to cleared" },
  deposit_frozen: { status: 400, text: "A deposit is frozen once it has cleared" },
} as const satisfies Record<string, RefusalEntry>;
