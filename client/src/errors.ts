import { mayRetry } from "./retry.ts";
import type { FieldProblem } from "./schema.ts";

/** Why a call failed. `instanceof` tells the classes apart; `code` is the contract's word where it has one. */
export class PartnerApiError extends Error {
  /**
   * Whether the same call may succeed later. The client has tried that already, as often as maxRetries says, unless
   * `Retry-After` asks for more than a minute.
   */
  readonly retryable: boolean = false;
}

/** No answer came: the network failed, or the timeout passed (`TimeoutError`). A retry may have done the work. */
export class ConnectionError extends PartnerApiError {
  override name = "ConnectionError";
  override readonly retryable = true;
}
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}

/** A delivery that is not ours, or not fresh. */
export class WebhookVerificationError extends PartnerApiError {
  override name = "WebhookVerificationError";
}

/** The body of a refusal, with the fields of the contract that this one has. */
export interface RefusalBody {
  error: string;
  code?: string;
  capability?: string;
  resource?: string;
  required_scope?: string;
  retry_after_seconds?: number;
  errors?: FieldProblem[];
}

/** The service answered with a refusal. Quote `requestId` when you ask about it. */
export class RefusedError extends PartnerApiError {
  override readonly retryable: boolean;
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | null;
  readonly body: RefusalBody;
  /** Of a 400: everything that is wrong with the request. */
  readonly errors: readonly FieldProblem[];
  readonly headers: Headers;

  constructor(answer: Response, body: RefusalBody) {
    super(`${answer.status} ${body.code ? `${body.code}: ` : ""}${body.error}`);
    this.name = new.target.name;
    const { status, headers } = answer;
    this.retryable = mayRetry(answer);
    this.status = status;
    this.code = body.code;
    this.requestId = headers.get("x-request-id");
    this.body = body;
    this.errors = body.errors ?? [];
    this.headers = headers;
  }
}

export class ValidationError extends RefusedError {}
export class AuthenticationError extends RefusedError {}
export class UpgradeRequiredError extends RefusedError {}
export class InsufficientScopeError extends RefusedError {}
export class FeatureDisabledError extends RefusedError {}
export class NotFoundError extends RefusedError {}
export class ApiActorUnavailableError extends RefusedError {}
export class IdempotencyKeyReusedError extends RefusedError {}
export class IdempotencyKeyInProgressError extends RefusedError {}
export class DeliverableSignedOffError extends RefusedError {}
export class PayloadTooLargeError extends RefusedError {}
export class RevisionOverBudgetError extends RefusedError {}
export class SampleDataNeverEmailedError extends RefusedError {}
export class ClientEmailMissingError extends RefusedError {}
export class RateLimitError extends RefusedError {}
export class StorageUnavailableError extends RefusedError {}
export class StorageFullError extends RefusedError {}
export class EmailSendFailedError extends RefusedError {}

const byCode: Record<string, typeof RefusedError> = {
  upgrade_required: UpgradeRequiredError,
  insufficient_scope: InsufficientScopeError,
  feature_disabled: FeatureDisabledError,
  not_found: NotFoundError,
  api_actor_unavailable: ApiActorUnavailableError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  idempotency_key_in_progress: IdempotencyKeyInProgressError,
  deliverable_signed_off: DeliverableSignedOffError,
  payload_too_large: PayloadTooLargeError,
  revision_over_budget: RevisionOverBudgetError,
  sample_data_never_emailed: SampleDataNeverEmailedError,
  client_email_missing: ClientEmailMissingError,
  rate_limit_exceeded: RateLimitError,
  storage_unavailable: StorageUnavailableError,
  storage_full: StorageFullError,
  email_send_failed: EmailSendFailedError,
};

/** For the refusals that carry no code. */
const byStatus: Record<number, typeof RefusedError> = { 400: ValidationError, 401: AuthenticationError };

/** The error of an answer that is no success; also of one that something between us and the service made. */
export function refusalOf(answer: Response, text: string): RefusedError {
  const body = refusalIn(text) ?? { error: answer.statusText || text.slice(0, 200) };
  const Class = byCode[body.code ?? ""] ?? byStatus[answer.status] ?? RefusedError;
  return new Class(answer, body);
}

function refusalIn(text: string): RefusalBody | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body?.error === "string" ? body : undefined;
  } catch {
    return undefined;
  }
}
