/** Closed sets of values, used by the contract's schemas and the tables' column guards. */

export const roles = ["owner", "admin", "member", "none"] as const;
export const memberRoles = ["owner", "admin", "member"] as const;
export const memberStatuses = ["invited", "active", "left"] as const;
/** The roles that can act for a workspace. */
export const adminRoles = ["owner", "admin"] as const;
export const features = ["connector_api_ingest"] as const;

export const clientStatuses = ["active", "archived"] as const;
export const projectStatuses = ["active", "completed", "archived"] as const;
export const milestoneStatuses = ["pending", "in_progress", "completed"] as const;
export const invoiceStatuses = ["draft", "open", "partially_paid", "overdue", "paid", "void"] as const;
export const paymentMethods = ["stripe", "offline"] as const;

export const currentStates = ["open", "signed_off"] as const;
export const reviewStates = ["draft", "in_review", "changes_requested", "approved"] as const;
export const clientFeedbackKinds = ["comment", "change_request"] as const;
export const feedbackKinds = [...clientFeedbackKinds, "reply"] as const;
/** How the author of feedback or a sign-off was identified. */
export const mailedAttributions = ["mailed_link", "mailed_code"] as const;
export const signOffAttributions = [...mailedAttributions, "recorded_by_admin"] as const;
export const attributions = [...signOffAttributions, "link_only"] as const;
/** The recipients of e-mails about a review. */
export const noticeRecipients = ["owner", "client"] as const;
/** How an e-mail failed after the mail service had accepted it. */
export const deliveryProblemKinds = ["bounced", "rejected", "failed", "complained"] as const;
export const changeOrderStatuses = ["draft", "sent", "signed", "declined"] as const;
export const changeDecisionKinds = ["decision", "milestone_gate"] as const;
export const changeDecisionStatuses = ["draft", "sent"] as const;
export const depositStatuses = ["pending", "cleared"] as const;
export const authorKinds = ["client", "member", "system", "unknown"] as const;

export const eventCategories = ["delivery", "scope", "change", "money"] as const;
export const deliveryStatuses = ["pending", "delivered", "dead"] as const;
/** The e-mails that an endpoint's owner gets. */
export const endpointNotices = ["warning", "disabled"] as const;
export const disabledReasons = ["admin", "circuit_breaker"] as const;

/** What a payment processor event reports. `dispute_won` means that the disputed funds were returned. */
export const processorEventKinds = ["payment", "refund", "dispute", "dispute_won", "other"] as const;
export const processorOutcomes = ["payment", "deposit", "reversal", "unmatched", "ignored"] as const;
/** Why an event had no effect. docs/runbooks.md says what to do about each reason. */
export const unmatchedReasons = [
  "unreadable",
  "unknown_currency",
  "fraction_of_a_unit",
  "names_nothing",
  "not_found",
  "invoice_is_draft",
  "currency_differs",
  "deposit_amount_differs",
  "deposit_cleared_already",
  "deposit_taken_back",
  "payment_not_seen",
] as const;
export const reversalKinds = ["refund", "dispute", "dispute_won"] as const;
/** The dispute states that move money. A lost dispute doesn't move any. */
export const disputeStatuses = ["opened", "won"] as const;
