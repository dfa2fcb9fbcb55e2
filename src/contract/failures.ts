import type { Scope } from "./scopes.ts";

/** One way a request can be refused: its status, its text and its machine-readable fields (specification 7). */
export interface Failure {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 416 | 422 | 429 | 500 | 502;
  readonly error: string;
  readonly code?: string;
  readonly capability?: string;
  readonly resource?: string;
  /** What it means, for the OpenAPI document. */
  readonly meaning: string;
}

/** Every refusal of the partner API. A RAISE text of a trigger is the key of its failure here. */
export const failures = {
  validation: {
    status: 400,
    error: "The request is not valid",
    meaning: "A parameter or field is not valid",
  },
  time_entry_already_invoiced: {
    status: 400,
    error: "line_items name a time entry that is already invoiced",
    meaning: "Another invoice took one of the time entries at the same moment",
  },
  invalid_apikey: {
    status: 401,
    error: "Invalid or missing apikey",
    meaning: "The gateway's apikey header is missing or wrong",
  },
  invalid_token: {
    status: 401,
    error: "Invalid or missing API token",
    meaning: "The token is missing, malformed, unknown or revoked",
  },
  https_required: {
    status: 403,
    error: "HTTPS is required: call the same address with https://",
    meaning: "The request came over plain HTTP",
  },
  api_access_required: {
    status: 403,
    error: "API access is a paid feature",
    code: "upgrade_required",
    capability: "api_access",
    meaning: "The organization's plan has no API access",
  },
  insufficient_scope: {
    status: 403,
    error: "This token lacks the scope of this route",
    code: "insufficient_scope",
    meaning: "The token lacks the scope named in required_scope",
  },
  feature_disabled: {
    status: 403,
    error: "Ingesting requests is not enabled in this workspace",
    code: "feature_disabled",
    meaning: "The workspace feature connector_api_ingest is off",
  },
  not_found: {
    status: 404,
    error: "Not found",
    code: "not_found",
    meaning: "There is no such record in this workspace",
  },
  method_not_allowed: {
    status: 405,
    error: "Method not allowed",
    meaning: "The path exists with another method; see Allow",
  },
  api_actor_unavailable: {
    status: 409,
    error: "The admin who minted this token is no longer an admin: mint a new token",
    code: "api_actor_unavailable",
    meaning: "The minting admin is no longer an admin",
  },
  idempotency_key_reused: {
    status: 409,
    error: "This Idempotency-Key was used for a different request: use a new key",
    code: "idempotency_key_reused",
    meaning: "The key belongs to a different request",
  },
  idempotency_key_in_progress: {
    status: 409,
    error: "A request with this Idempotency-Key is still in progress: retry with the same key",
    code: "idempotency_key_in_progress",
    meaning: "The first request with this key has not ended yet; retry after Retry-After seconds",
  },
  deliverable_signed_off: {
    status: 409,
    error: "This deliverable is signed off",
    code: "deliverable_signed_off",
    meaning: "The deliverable is signed off",
  },
  payload_too_large: {
    status: 413,
    error: "image_base64 must be at most 10 MB decoded",
    code: "payload_too_large",
    meaning: "The inline image is over 10 MB decoded, or the body is larger than any valid request",
  },
  range_not_satisfiable: {
    status: 416,
    error: "The range lies outside the image",
    meaning: "The Range header names no byte of the image; Content-Range tells its size",
  },
  plan_deliverable_cap: {
    status: 422,
    error: "Your plan's deliverable limit is reached",
    code: "upgrade_required",
    resource: "deliverables",
    meaning: "The plan's deliverable limit is reached",
  },
  plan_storage_cap: {
    status: 422,
    error: "Your plan's room for images is used up",
    code: "upgrade_required",
    resource: "storage",
    meaning: "The plan's room for images (`storage_mb`) has no place for this one",
  },
  plan_records_cap: {
    status: 422,
    error: "Your plan's room for records is used up",
    code: "upgrade_required",
    resource: "records",
    meaning: "The plan's room for records is used up",
  },
  too_many_versions: {
    status: 422,
    error: "A deliverable has at most 500 versions",
    code: "upgrade_required",
    resource: "versions",
    meaning: "The deliverable has 500 versions: create another one",
  },
  insert_failed: {
    status: 422,
    error: "The deliverable could not be created",
    meaning: "The database refused the deliverable; nothing was created",
  },
  revision_over_budget: {
    status: 422,
    error: "The included revision rounds of this project are used up",
    code: "revision_over_budget",
    meaning: "The project's revision rounds are used up and no override is recorded",
  },
  sample_data_never_emailed: {
    status: 422,
    error: "Sample data is never e-mailed",
    code: "sample_data_never_emailed",
    meaning: "The deliverable or its client is sample data",
  },
  client_email_missing: {
    status: 422,
    error: "This client has no e-mail address",
    code: "client_email_missing",
    meaning: "The client has no e-mail address",
  },
  rate_limit_exceeded: {
    status: 429,
    error: "Rate limit exceeded",
    code: "rate_limit_exceeded",
    meaning: "The organization's requests of this minute are used up; wait retry_after_seconds",
  },
  mails_to_address: {
    status: 429,
    error: "Enough e-mails went to this address today",
    code: "rate_limit_exceeded",
    meaning: "Twenty e-mails went to this address today (UTC); wait retry_after_seconds",
  },
  mails_of_workspace: {
    status: 429,
    error: "Your plan's e-mails of today are used up",
    code: "rate_limit_exceeded",
    meaning: "The plan's e-mails of today (UTC) are used up; wait retry_after_seconds",
  },
  unexpected: { status: 500, error: "Unexpected error", meaning: "An unexpected error; quote X-Request-Id" },
  storage_unavailable: {
    status: 502,
    error: "The image could not be stored; nothing was created",
    code: "storage_unavailable",
    meaning:
      "The image could not be stored, and nothing was created; or it could not be read. Retry, with the " +
      "same key where the route has one",
  },
  email_send_failed: {
    status: 502,
    error: "The review e-mail could not be sent",
    code: "email_send_failed",
    meaning: "The review e-mail could not be sent. Retry with the same key",
  },
} as const satisfies Record<string, Failure>;

export type FailureName = keyof typeof failures;

export const isFailureName = (name: unknown): name is FailureName =>
  typeof name === "string" && Object.hasOwn(failures, name);

/** The fields a refusal may add to its entry. */
interface RefusalDetail {
  error?: string;
  required_scope?: Scope;
  retry_after_seconds?: number;
}

/** A refused request: a value that judgements return, not an exception. */
export class Refusal {
  readonly name: FailureName;
  readonly detail: RefusalDetail;
  readonly headers: Readonly<Record<string, string>>;

  constructor(name: FailureName, detail: RefusalDetail = {}, headers: Record<string, string> = {}) {
    this.name = name;
    this.detail = detail;
    this.headers = headers;
  }

  get status(): Failure["status"] {
    return failures[this.name].status;
  }

  /** The error body of specification 7: `error` and the machine-readable fields, nothing else. */
  body(): Record<string, unknown> {
    const { status: _, meaning: __, ...fields }: Failure = failures[this.name];
    return { ...fields, ...this.detail };
  }
}

export const refuse = (name: FailureName, detail?: RefusalDetail, headers?: Record<string, string>) =>
  new Refusal(name, detail, headers);

/** A 400 whose text names the field first. */
export const invalid = (error: string) => new Refusal("validation", { error });

/** The one-word text that a trigger raised, or undefined for any other error. */
export const textRaised = (error: unknown): string | undefined =>
  /^(?:Error: )?(?:D1_ERROR: )?([a-z_]+): SQLITE_CONSTRAINT/.exec(String(error))?.[1];

/** The refusal behind a text that a trigger raised, or undefined for any other error. */
export function refusalRaised(error: unknown): Refusal | undefined {
  const raised = textRaised(error);
  return isFailureName(raised) ? new Refusal(raised) : undefined;
}
