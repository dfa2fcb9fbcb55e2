import { imageSize, limits } from "../limits.ts";
import type { FieldProblem } from "../problems.ts";
import type { Scope } from "../scopes.ts";
import type { RefusalEntry } from "./entry.ts";

const retryAfter = ({ retry_after_seconds }: { retry_after_seconds: number }) => ({ retry_after_seconds });
const mailsUsedUp =
  "No more e-mails can be sent today. Wait until tomorrow (UTC), or use the link in your e-mail.";

/** What the partner API returns, and what other entry points share with it. */
export const answerRefusals = {
  validation: {
    status: 400,
    text: ({ error = "The request is not valid" }: { error?: string }) => error,
    logged: ({ error = "The request is not valid", logged = error }: { error?: string; logged?: string }) =>
      logged,
    hint: ({ hint = null }: { hint?: string | null | undefined }) => hint,
    problems: ({ problems = [] }: { problems?: readonly FieldProblem[] }) => problems,
    alert: "This was not sent. Check what is marked below.",
    meaning: "A parameter or field is not valid",
  },
  time_entry_already_invoiced: {
    status: 400,
    text: "line_items name a time entry that is already invoiced",
    meaning: "Another invoice billed one of the time entries at the same moment",
  },
  invalid_apikey: {
    status: 401,
    text: "Invalid or missing apikey",
    meaning: "The gateway's apikey header is missing or wrong",
  },
  invalid_token: {
    status: 401,
    text: "Invalid or missing API token",
    meaning: "The token is missing, malformed, unknown, revoked or expired",
  },
  https_required: {
    status: 403,
    text: "HTTPS is required: call the same address with https://",
    meaning: "The request came over plain HTTP",
  },
  api_access_required: {
    status: 403,
    text: "API access is a paid feature",
    code: "upgrade_required",
    capability: "api_access",
    hint: "upgrade_required:api_access",
    meaning: "The organization's plan has no API access",
  },
  address_not_allowed: {
    status: 403,
    text: "This token may not be used from this address",
    code: "address_not_allowed",
    meaning: "The token may only be used from the addresses in its allowed_ips, and this is not one of them",
  },
  insufficient_scope: {
    status: 403,
    text: "This token lacks the scope of this route",
    code: "insufficient_scope",
    fields: ({ required_scope }: { required_scope: Scope }) => ({ required_scope }),
    meaning: "The token lacks the scope named in required_scope",
  },
  feature_disabled: {
    status: 403,
    text: "Ingesting requests is not enabled in this workspace",
    code: "feature_disabled",
    meaning: "The workspace feature connector_api_ingest is off",
  },
  not_found: {
    status: 404,
    text: "Not found",
    code: "not_found",
    meaning: "There is no such record in this workspace",
  },
  method_not_allowed: {
    status: 405,
    text: "Method not allowed",
    meaning: "The path exists with another method; see Allow",
  },
  api_actor_unavailable: {
    status: 409,
    text: "The admin who created this token is no longer an admin: create a new token",
    code: "api_actor_unavailable",
    meaning: "The admin who created the token is no longer an admin",
  },
  idempotency_key_reused: {
    status: 409,
    text: "This Idempotency-Key was used for a different request: use a new key",
    code: "idempotency_key_reused",
    alert: "You already sent this form with different text. What you wrote is below: send it again.",
    meaning: "The key belongs to a different request",
  },
  idempotency_key_in_progress: {
    status: 409,
    text: "A request with this Idempotency-Key is still in progress: retry with the same key",
    code: "idempotency_key_in_progress",
    meaning: "The first request with this key is still in progress; retry after Retry-After seconds",
  },
  deliverable_signed_off: {
    status: 409,
    text: "This deliverable is signed off",
    code: "deliverable_signed_off",
    alert: "Nothing was sent: this work has been signed off.",
    meaning: "The deliverable is signed off",
  },
  payload_too_large: {
    status: 413,
    text: ({ maximumBytes }: { maximumBytes?: number }) =>
      maximumBytes === undefined
        ? `image_base64 must be at most ${imageSize} decoded`
        : `The body is over ${maximumBytes} bytes`,
    code: "payload_too_large",
    alert: "This was not sent: it is too long.",
    meaning: `The inline image is over ${imageSize} decoded, or the body is larger than any valid request`,
  },
  content_encoding_not_supported: {
    status: 415,
    text: ({ encoding = "gzip" }: { encoding?: string }) =>
      `Content-Encoding ${encoding} is not supported: send the body as it is`,
    logged: () => "The Content-Encoding is not supported",
    meaning: "The body has a Content-Encoding",
  },
  range_not_satisfiable: {
    status: 416,
    text: "The range lies outside the image",
    meaning: "The range is outside the image; Content-Range has its size",
  },
  plan_deliverable_cap: {
    status: 422,
    text: "Your plan's deliverable limit is reached",
    code: "upgrade_required",
    resource: "deliverables",
    meaning: "The plan's deliverable limit is reached",
  },
  plan_storage_cap: {
    status: 422,
    text: "This image does not fit into the plan's image storage",
    code: "upgrade_required",
    resource: "storage",
    meaning: "The image does not fit into the plan's image storage (`storage_mb`)",
  },
  plan_records_cap: {
    status: 422,
    text: "Your plan's room for records is used up",
    code: "upgrade_required",
    resource: "records",
    meaning: "The plan's record limit is reached",
  },
  too_many_versions: {
    status: 422,
    text: `A deliverable has at most ${limits.versionsPerDeliverable} versions`,
    code: "upgrade_required",
    resource: "versions",
    meaning: `The deliverable has ${limits.versionsPerDeliverable} versions: create another one`,
  },
  insert_failed: {
    status: 422,
    text: "The deliverable could not be created",
    meaning: "The database refused the deliverable; nothing was created",
  },
  revision_over_budget: {
    status: 422,
    text: "The included revision rounds of this project are used up",
    code: "revision_over_budget",
    meaning: "The project's revision rounds are used up and no override is recorded",
  },
  sample_data_never_emailed: {
    status: 422,
    text: "Sample data is never e-mailed",
    code: "sample_data_never_emailed",
    meaning: "The deliverable or its client is sample data",
  },
  client_email_missing: {
    status: 422,
    text: "This client has no e-mail address",
    code: "client_email_missing",
    meaning: "The client has no e-mail address",
  },
  rate_limit_exceeded: {
    status: 429,
    text: "Rate limit exceeded",
    code: "rate_limit_exceeded",
    fields: retryAfter,
    meaning: "The organization's requests of this minute are used up; wait retry_after_seconds",
  },
  mails_to_address: {
    status: 429,
    text: `This address has received today's maximum of ${limits.mailsToAddressPerDay} e-mails`,
    code: "rate_limit_exceeded",
    resource: "mails",
    fields: retryAfter,
    alert: mailsUsedUp,
    meaning: "This address has received today's (UTC) maximum of e-mails; wait retry_after_seconds",
  },
  mails_of_workspace: {
    status: 429,
    text: "Your plan's e-mails of today are used up",
    code: "rate_limit_exceeded",
    resource: "mails",
    fields: retryAfter,
    alert: mailsUsedUp,
    meaning: "The plan's e-mails of today (UTC) are used up; wait retry_after_seconds",
  },
  unexpected: { status: 500, text: "Unexpected error", meaning: "An unexpected error; quote X-Request-Id" },
  storage_unavailable: {
    status: 502,
    text: ({ isReading = false }: { isReading?: boolean }) =>
      isReading ? "The image could not be read" : "The image could not be stored; nothing was created",
    code: "storage_unavailable",
    meaning:
      "The image could not be stored, and nothing was created; or it could not be read. Retry, with the " +
      "same key if the route takes one",
  },
  email_send_failed: {
    status: 502,
    text: "The review e-mail could not be sent",
    code: "email_send_failed",
    meaning: "The review e-mail could not be sent. Retry with the same key",
  },
  unavailable: {
    status: 503,
    text: "The service could not reach its data: try again after Retry-After seconds",
    alert: "This could not be done just now. Try again in a moment.",
    retryAfterSeconds: 5,
    meaning:
      "The database is overloaded, unreachable or accepts no writes. Retry after Retry-After seconds with " +
      "the same key: if the " +
      "write took effect, you get its answer",
  },
  storage_full: {
    status: 503,
    text: "The database is full: nothing can be saved until there is room",
    code: "storage_full",
    alert:
      "This could not be saved: the service has run out of room. Nothing was changed. Try again in a few minutes.",
    retryAfterSeconds: 60,
    meaning:
      "The database is full: reads work, and nothing can be saved until there is room. Nothing was " +
      "changed; retry " +
      "after Retry-After seconds with the same key",
  },
  organization_is_moving: {
    status: 503,
    text: "This workspace is being moved: try again after Retry-After seconds",
    code: "organization_is_moving",
    alert: "This workspace is being moved. Nothing was changed. Try again in a minute.",
    retryAfterSeconds: 10,
    meaning: "The workspace is being moved or imported. Retry after Retry-After seconds with the same key",
  },
  service_closed: {
    status: 503,
    text: "The service is closed for maintenance: try again after Retry-After seconds",
    alert: "We are working on the service. Nothing was lost. Try again in a few minutes.",
    retryAfterSeconds: 60,
    meaning: "The service is closed for maintenance; retry after Retry-After seconds, with the same key",
  },
  service_read_only: {
    status: 503,
    text: "The service is read-only for maintenance: reads work, and nothing can be changed",
    alert:
      "We are working on the service: you can read everything but change nothing. Try again in a few minutes.",
    retryAfterSeconds: 60,
    meaning: "The service is read-only for maintenance; retry after Retry-After seconds, with the same key",
  },
} as const satisfies Record<string, RefusalEntry>;
