import { imageSize, limits } from "../limits.ts";
import type { FieldProblem } from "../problems.ts";
import type { Scope } from "../scopes.ts";
import type { RefusalEntry } from "./entry.ts";

const retryAfter = ({ retry_after_seconds }: { retry_after_seconds: number }) => ({ retry_after_seconds });
const mailsUsedUp =
  "No more e-mails can be sent today. Try again tomorrow (UTC), or use the link in your e-mail.";

/** Refusals in the partner API; other entry points share some of them. */
export const answerRefusals = {
  validation: {
    status: 400,
    text: ({ error = "The request is not valid" }: { error?: string }) => error,
    logged: ({ error = "The request is not valid", logged = error }: { error?: string; logged?: string }) =>
      logged,
    hint: ({ hint = null }: { hint?: string | null | undefined }) => hint,
    problems: ({ problems = [] }: { problems?: readonly FieldProblem[] }) => problems,
    alert: "This was not sent. Check the marked fields below.",
    meaning: "A parameter or a field is invalid",
  },
  time_entry_already_invoiced: {
    status: 400,
    text: "line_items contain a time entry that is already invoiced",
    meaning: "Another request billed one of the time entries at the same time",
  },
  invalid_apikey: {
    status: 401,
    text: "Invalid or missing apikey",
    meaning: "The `apikey` header is missing or wrong",
  },
  invalid_token: {
    status: 401,
    text: "Invalid or missing API token",
    meaning: "The token is missing, malformed, unknown, revoked or expired",
  },
  https_required: {
    status: 403,
    text: "HTTPS is required. Call the same URL with https://",
    meaning: "The request used plain HTTP",
  },
  api_access_required: {
    status: 403,
    text: "API access is a paid feature",
    code: "upgrade_required",
    capability: "api_access",
    hint: "upgrade_required:api_access",
    meaning: "The workspace's plan does not include API access",
  },
  address_not_allowed: {
    status: 403,
    text: "This token cannot be used from this IP address",
    code: "address_not_allowed",
    meaning: "The caller's IP address is not in the token's `allowed_ips`",
  },
  insufficient_scope: {
    status: 403,
    text: "This token lacks the scope that this route requires",
    code: "insufficient_scope",
    fields: ({ required_scope }: { required_scope: Scope }) => ({ required_scope }),
    meaning: "The token does not have the scope in `required_scope`",
  },
  feature_disabled: {
    status: 403,
    text: "Ingesting client messages is not enabled in this workspace",
    code: "feature_disabled",
    meaning: "The workspace feature `connector_api_ingest` is off",
  },
  not_found: {
    status: 404,
    text: "Not found",
    code: "not_found",
    meaning: "The workspace does not have this record",
  },
  method_not_allowed: {
    status: 405,
    text: "Method not allowed",
    meaning: "The path does not support this method. `Allow` lists the methods that it supports",
  },
  api_actor_unavailable: {
    status: 409,
    text: "The admin who created this token is no longer an admin. Create a new token",
    code: "api_actor_unavailable",
    meaning: "The admin who created the token is no longer an admin",
  },
  idempotency_key_reused: {
    status: 409,
    text: "This Idempotency-Key was used for a different request. Use a new key",
    code: "idempotency_key_reused",
    alert: "You already sent this form with different text. Your new text is below, so send it again.",
    meaning: "The key was used for a different request",
  },
  idempotency_key_in_progress: {
    status: 409,
    text: "A request with this Idempotency-Key is still in progress. Retry with the same key",
    code: "idempotency_key_in_progress",
    meaning: "The first request with this key is still in progress. Retry after `Retry-After` seconds",
  },
  deliverable_signed_off: {
    status: 409,
    text: "This deliverable is signed off",
    code: "deliverable_signed_off",
    alert: "Nothing was sent because this work has been signed off.",
    meaning: "The deliverable is signed off",
  },
  payload_too_large: {
    status: 413,
    text: ({ maximumBytes }: { maximumBytes?: number }) =>
      maximumBytes === undefined
        ? `image_base64 must be at most ${imageSize} decoded`
        : `The body must be at most ${maximumBytes} bytes`,
    code: "payload_too_large",
    alert: "This was not sent because it is too long.",
    meaning: `The inline image is larger than ${imageSize} decoded, or the body is larger than any valid request`,
  },
  content_encoding_not_supported: {
    status: 415,
    text: ({ encoding = "gzip" }: { encoding?: string }) =>
      `Content-Encoding ${encoding} is not supported. Send the body uncompressed`,
    logged: () => "The Content-Encoding is not supported",
    meaning: "The request has a `Content-Encoding`, but compressed bodies are not supported",
  },
  range_not_satisfiable: {
    status: 416,
    text: "The range is outside the image",
    meaning: "The range is outside the image. `Content-Range` has the image's size",
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
    text: "This image does not fit in your plan's remaining image storage",
    code: "upgrade_required",
    resource: "storage",
    meaning: "The image does not fit in the plan's remaining image storage (`storage_mb`)",
  },
  plan_records_cap: {
    status: 422,
    text: "Your plan's record limit is reached",
    code: "upgrade_required",
    resource: "records",
    meaning: "The plan's record limit is reached",
  },
  too_many_versions: {
    status: 422,
    text: `A deliverable can have at most ${limits.versionsPerDeliverable} versions`,
    code: "upgrade_required",
    resource: "versions",
    meaning:
      `The deliverable has reached the maximum of ${limits.versionsPerDeliverable} versions. Create another ` +
      "deliverable",
  },
  insert_failed: {
    status: 422,
    text: "The deliverable could not be created",
    meaning: "The database rejected the deliverable, so nothing was created",
  },
  revision_over_budget: {
    status: 422,
    text: "This project's included revision rounds are used up",
    code: "revision_over_budget",
    meaning: "The project's revision rounds are used up, and no admin has granted additional rounds",
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
    meaning: "The workspace has reached its limit of requests per minute. Wait `retry_after_seconds`",
  },
  mails_to_address: {
    status: 429,
    text: `This address has already received today's maximum of ${limits.mailsToAddressPerDay} e-mails`,
    code: "rate_limit_exceeded",
    resource: "mails",
    fields: retryAfter,
    alert: mailsUsedUp,
    meaning: "The client's address has reached its daily e-mail limit (UTC). Wait `retry_after_seconds`",
  },
  mails_of_workspace: {
    status: 429,
    text: "Your plan's daily e-mail limit is reached",
    code: "rate_limit_exceeded",
    resource: "mails",
    fields: retryAfter,
    alert: mailsUsedUp,
    meaning: "The workspace has reached its plan's daily e-mail limit (UTC). Wait `retry_after_seconds`",
  },
  unexpected: {
    status: 500,
    text: "Unexpected error",
    meaning: "An unexpected error; contact us with the `X-Request-Id`",
  },
  storage_unavailable: {
    status: 502,
    text: ({ isReading = false }: { isReading?: boolean }) =>
      isReading ? "The image could not be read" : "The image could not be stored. Nothing was created",
    code: "storage_unavailable",
    meaning:
      "The image could not be read, or it could not be stored and nothing was created. Retry with the same key",
  },
  email_send_failed: {
    status: 502,
    text: "The review e-mail could not be sent",
    code: "email_send_failed",
    meaning: "The review e-mail could not be sent. Retry with the same key",
  },
  unavailable: {
    status: 503,
    text: "The service could not reach its database. Try again after Retry-After seconds",
    alert: "This did not work. Try again in a moment.",
    retryAfterSeconds: 5,
    meaning:
      "The database is overloaded, unreachable or not accepting writes. Retry after `Retry-After` seconds with " +
      "the same key. If the first attempt took effect, you get its response",
  },
  storage_full: {
    status: 503,
    text: "The database is full. Nothing can be saved until space is freed",
    code: "storage_full",
    alert:
      "This could not be saved because the service is out of storage. Nothing was changed. Try again in a " +
      "few minutes.",
    retryAfterSeconds: 60,
    meaning:
      "The database is full, so nothing was changed. Reads still work. Retry after `Retry-After` seconds with " +
      "the same key",
  },
  organization_is_moving: {
    status: 503,
    text: "This workspace is being moved. Try again after Retry-After seconds",
    code: "organization_is_moving",
    alert: "This workspace is being moved. Nothing was changed. Try again in a minute.",
    retryAfterSeconds: 10,
    meaning: "The workspace is being moved or imported. Retry after `Retry-After` seconds with the same key",
  },
  service_closed: {
    status: 503,
    text: "The service is closed for maintenance. Try again after Retry-After seconds",
    alert: "We are working on the service. Nothing was lost. Try again in a few minutes.",
    retryAfterSeconds: 60,
    meaning: "The service is closed for maintenance. Retry after `Retry-After` seconds with the same key",
  },
  service_read_only: {
    status: 503,
    text: "The service is read-only for maintenance. Reads still work",
    alert:
      "We are working on the service. You can read everything, but not change anything. Try again in a few " +
      "minutes.",
    retryAfterSeconds: 60,
    meaning: "The service is read-only for maintenance. Retry after `Retry-After` seconds with the same key",
  },
} as const satisfies Record<string, RefusalEntry>;
