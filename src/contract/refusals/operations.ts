import { limits } from "../limits.ts";
import { sessionLimits } from "../session-limits.ts";
import { webhookLimits } from "../webhook-limits.ts";
import { oneOf, type RefusalEntry } from "./entry.ts";

interface Currencies {
  currency: string | null;
  currencyOfInvoice: string;
}

/** Refusals that only admins see: on the command line, over RPC and in the settings. */
export const operationRefusals = {
  too_many_calls: {
    status: 429,
    text: `Too many calls. A workspace can make at most ${sessionLimits.callsPerMinute} RPC and settings calls per minute`,
    hint: ({ resetSeconds }: { resetSeconds: number }) => `wait ${resetSeconds} seconds`,
  },
  form_sent_before: {
    status: 400,
    text: "This form was already sent",
    hint: "open the page again to send another form",
  },
  key_not_taken: {
    status: 400,
    text: ({ operation }: { operation: string }) =>
      `${operation} changes nothing, so it does not accept a key`,
  },
  key_wrong: {
    status: 400,
    text: `key (Idempotency-Key over RPC) must have 1 to ${limits.idempotencyKeyCharacters} characters`,
  },
  key_not_text: {
    status: 400,
    text: "key (over RPC: Idempotency-Key) must be ASCII or UTF-8 text",
  },
  answer_gone: {
    status: 400,
    text: "This key was already used, and its record no longer exists",
  },
  body_not_an_object: { status: 400, text: "The body must be an object of fields" },
  nothing_to_change: { status: 400, text: "Nothing to change: set at least one field besides id" },
  organization_missing: {
    status: 400,
    text: "organization is required (slug or id)",
    hint: ({ hint }: { hint: string }) => hint,
  },
  organization_not_a_text: {
    status: 400,
    text: "organization must be a slug or id",
    hint: ({ slugs }: { slugs: readonly string[] }) => oneOf(slugs),
  },
  actor_not_an_address: { status: 400, text: "actor must be an e-mail address" },
  plan_unknown: {
    status: 400,
    text: ({ plans }: { plans: readonly string[] }) => `plan must be ${oneOf(plans)}`,
  },
  cell_unknown: {
    status: 400,
    text: ({ cells }: { cells: readonly string[] }) => `cell must be ${oneOf(cells)}`,
  },
  slug_taken: { status: 400, text: "slug is taken" },
  client_name_missing: { status: 400, text: "company_name or client_name is required" },
  end_before_start: { status: 400, text: "end_date must not be before start_date" },
  confirmation_wrong: {
    status: 400,
    text: ({ slug }: { slug: string }) => `confirm must be the slug of the workspace to erase: ${slug}`,
  },
  database_behind: {
    status: 503,
    text: ({ migration }: { migration: string }) => `The database is missing the migration ${migration}`,
    hint: "apply it: npx wrangler d1 migrations apply DB --remote --env production",
    retryAfterSeconds: 60,
  },
  service_open_after_restore: {
    status: 400,
    text: "The service is open, and after-restore ends everyone's sessions, sign-in links, invitations and codes",
    hint: "close the service first (SERVICE_STATE), or pass --confirm true",
  },
  position_wrong: { status: 400, text: "position must be the `next` that the previous step returned" },
  copy_not_whole: {
    status: 400,
    text: ({ why }: { why: string }) => `This copy is incomplete: ${why}`,
    hint: "export it again with --complete true, or use an older copy",
  },
  copy_of_other_schema: {
    status: 400,
    text: ({ schema, expected }: { schema: string; expected: string }) =>
      `This copy has a different schema version: ${schema}, not ${expected}`,
    hint: "import it with the release that exported it, then migrate",
  },
  copy_exists: {
    status: 409,
    text: ({ organization }: { organization: string }) => `The organization ${organization} already exists`,
    hint: "to replace it with the copy, erase it first",
  },
  copy_slug_taken: {
    status: 409,
    text: ({ organization }: { organization: string }) =>
      `Another organization already has the slug ${organization}`,
    hint: "use --as to give the imported organization another slug",
  },
  copy_prefix_taken: {
    status: 409,
    text: ({ prefix }: { prefix: string }) => `Another organization's links already begin with ${prefix}`,
  },
  copy_differs: {
    status: 409,
    text: ({ tables }: { tables: readonly string[] }) =>
      `The imported data differs from the copy in ${tables.join(", ")}`,
    hint: "erase the organization and import it again",
  },
  origin_not_https: { status: 400, text: "origin must be an https origin like https://review.example.com" },
  scope_unknown: { status: 400, text: ({ scope }: { scope: string }) => `Unknown scope: ${scope}` },
  scope_not_available: { status: 400, text: "Scope not available yet" },
  no_scope_chosen: { status: 400, text: "Choose at least one scope", alert: "Tick at least one permission" },
  no_workspace_chosen: { status: 400, text: "Choose a workspace" },
  no_event_chosen: { status: 400, text: "Tick at least one event, or choose every event" },
  change_order_not_movable: {
    status: 400,
    text: ({ status, from, to }: { status: string; from: string; to: string }) =>
      `This change order is ${status}. Only a ${from} change order can be ${to}`,
  },
  deposit_already_cleared: { status: 400, text: "This deposit has already cleared" },
  invoice_not_movable: {
    status: 400,
    text: ({ status, only }: { status: string; only: string }) => `This invoice is ${status}. Only ${only}`,
  },
  invoice_is_draft: {
    status: 400,
    text: "This invoice is a draft and cannot receive payments",
    hint: "issue it first",
  },
  nothing_due: {
    status: 400,
    text: ({ status }: { status: string }) => `This invoice is ${status}, so nothing is due`,
  },
  event_not_unmatched: {
    status: 400,
    text: ({ outcome }: { outcome: string }) => `This event is not unmatched. Its outcome is ${outcome}`,
  },
  event_unreadable: {
    status: 400,
    text: "This event cannot be read",
    hint: "record its payment with record-payment",
  },
  amount_not_needed: { status: 400, text: "amount is only allowed for payments in another currency" },
  amount_needed: {
    status: 400,
    text: ({ currency, currencyOfInvoice }: Currencies) =>
      `This payment is in ${currency ?? "an unknown currency"}, but the invoice is in ${currencyOfInvoice}`,
    hint: ({ currencyOfInvoice }: Currencies) => `set amount to the payment's value in ${currencyOfInvoice}`,
  },
  reversal_in_other_currency: {
    status: 400,
    text: ({ currency, currencyOfInvoice }: Currencies) =>
      `This reversal is in ${currency}, but the invoice is in ${currencyOfInvoice}`,
  },
  reversal_of_deposit: {
    status: 400,
    text: "This event reverses a cleared deposit. The deposit stays cleared",
    hint: "settle this with the client, because the project has started",
  },
  reversal_follows_payment: {
    status: 400,
    text: "This event is a reversal, which is matched together with its payment",
    hint: ({ isPaymentRecorded }: { isPaymentRecorded: boolean }) =>
      isPaymentRecorded
        ? "the payment is already recorded, so record the reversal with SQL (docs/runbooks.md, unmatched money)"
        : "match the payment's event instead",
  },
  event_name_unknown: {
    status: 400,
    text: ({ event }: { event: string }) => `Unknown event: ${event}`,
    hint: ({ events }: { events: readonly string[] }) => oneOf(events),
  },
  too_many_endpoints: {
    status: 400,
    text: `A workspace can have at most ${webhookLimits.endpoints} webhook endpoints`,
    hint: "delete an endpoint first",
  },
  too_many_members: {
    status: 400,
    text: `A workspace can have at most ${limits.members} members, including invited people`,
    hint: "remove a member, or cancel an invitation",
  },
  too_many_tokens: {
    status: 400,
    text: `A workspace can have at most ${limits.liveTokens} active tokens`,
    hint: "revoke a token first",
  },
  token_ended: { status: 409, text: "This token was revoked or has expired", hint: "create a new token" },
  too_many_origins: {
    status: 400,
    text: `A workspace can have at most ${limits.allowedOrigins} allowed origins`,
    hint: "remove an origin first",
  },
  too_many_endpoints_of_host: {
    status: 400,
    text: `A workspace can have at most ${webhookLimits.endpointsOfHost} webhook endpoints on the same host`,
    hint: "delete an endpoint first",
  },
  url_not_https: { status: 400, text: "Webhook endpoint must be an https URL" },
  url_with_credentials: {
    status: 400,
    text: "Webhook endpoint must be an https URL",
    hint: "without a user name or password",
  },
  url_on_blocked_port: {
    status: 400,
    text: "Webhook endpoint must be an https URL",
    hint: "use a port that serves https",
  },
  url_not_public: { status: 400, text: "Webhook endpoint must resolve to a public address" },
  url_unresolved: {
    status: 400,
    text: "Webhook endpoint must resolve to a public address",
    hint: "its host name could not be resolved",
  },
  endpoint_disabled: { status: 400, text: "This endpoint is disabled", hint: "enable it first" },
  test_would_be_held: {
    status: 400,
    text: "This endpoint is disabled, so a test would be held",
    hint: "enable it first",
  },
  test_not_sent: {
    status: 400,
    text: "This endpoint was disabled or deleted in the meantime. Nothing was sent",
  },
  endpoint_of_delivery_deleted: { status: 400, text: "The endpoint of this delivery was deleted" },
  delivery_under_way: {
    status: 400,
    text: "This delivery is held, or is about to be sent, so it cannot be replayed",
  },
  cursor_unknown: {
    status: 400,
    text: ({ kind }: { kind: string }) => `cursor must be the id of ${kind} in this workspace`,
    hint: "omit cursor to start with the newest",
  },
  search_ended_early: {
    status: 400,
    text: ({ scanned }: { scanned: string; cursor: string }) =>
      `No match among the ${scanned} that were searched`,
    hint: ({ cursor }: { scanned: string; cursor: string }) => `cursor=${cursor}`,
  },
  activity_search_ended_early: {
    status: 400,
    text: ({ entries }: { entries: number; until: string }) =>
      `No match among the ${entries} newest entries that were searched`,
    hint: ({ until }: { entries: number; until: string }) => `until=${until}`,
  },
  backup_not_found: {
    status: 404,
    text: ({ day }: { day: string }) => `There is no complete backup of ${day}`,
    hint: "see Backups in docs/operations.md",
  },
  backup_file_not_found: {
    status: 404,
    text: ({ name }: { name: string }) => `The backups have no file ${name}`,
    hint: "list-backup-files lists them",
  },
  overlap_running: {
    status: 409,
    text: ({ until }: { until: string }) =>
      `After the last rotation, the previous secret is still valid until ${until}`,
    hint: "give your receiver the newest secret, and rotate again after that time",
  },
  invitations_to_address: {
    status: 429,
    text: `A workspace can send at most ${limits.invitationsToAddressPerDay} invitations a day to the same address`,
    hint: `the newest invitation is valid for ${limits.invitationDays} days; invite the person again tomorrow (UTC)`,
  },
  invitation_not_mailed: { status: 502, text: "The invitation could not be sent", hint: "try again" },
  /** A violated database constraint without a refusal of its own. */
  refused_by_database: { status: 400, text: ({ text }: { text: string }) => text },
  not_signed_in: { status: 401, text: "You are not signed in", hint: "sign in at /sign-in" },
  call_over_plain_http: { status: 403, text: "Use HTTPS" },
  origin_not_allowed: { status: 403, text: "This origin is not allowed to call operations" },
  operator_only: {
    status: 403,
    text: ({ operation }: { operation: string }) => `Only the operator of this service can run ${operation}`,
  },
  /** `action` completes the sentence, such as `create API tokens`. */
  admins_only: {
    status: 403,
    text: ({ action }: { action: string }) => `Only organization admins can ${action}`,
  },
  owners_only: { status: 403, text: "Only owners can change owners" },
  export_owners_only: { status: 403, text: "Only owners can export the workspace" },
  export_running: {
    status: 409,
    text: "An export of this workspace is already running",
    hint: `try again when it has finished, in at most ${sessionLimits.exportMinutes} minutes`,
  },
  export_too_large: {
    status: 400,
    text: "This workspace is too large for a single download",
    hint: "ask support for the export",
  },
} as const satisfies Record<string, RefusalEntry>;
