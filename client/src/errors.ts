import { mayRetry } from "./retry.ts";
import type { FieldProblem } from "./schema.ts";

/** Why a call failed. `instanceof` distinguishes the classes; `code` is the contract's, if it has one. */
export class PartnerApiError extends Error {
  /**
   * Whether the same call may succeed later. The client has already retried maxRetries times, unless `Retry-After` asks
   * for more than a minute.
   */
  readonly retryable: boolean = false;
}

/** No response: the network failed, or the timeout passed (`TimeoutError`). A retry may have done the work. */
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

/** The body of a refusal, with the contract's fields that this one has. */
export interface RefusalBody {
  error: string;
  code?: string;
  capability?: string;
  resource?: string;
  required_scope?: string;
  retry_after_seconds?: number;
  errors?: FieldProblem[];
}

/** The `code` of a 400 whose body has none, so that `code` alone tells what to do about it. */
const invalidRequest = "invalid_request";

/** The service refused the request. Quote `requestId` when you ask about it. */
export class RefusedError extends PartnerApiError {
  override readonly retryable: boolean;
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | null;
  readonly body: RefusalBody;
  /** On a 400: everything that is wrong with the request. */
  readonly errors: readonly FieldProblem[];
  readonly headers: Headers;

  constructor(answer: Response, body: RefusalBody) {
    super(`${answer.status} ${body.code ? `${body.code}: ` : ""}${body.error}`);
    this.name = new.target.name;
    const { status, headers } = answer;
    this.retryable = mayRetry(answer);
    this.status = status;
    this.code = body.code ?? (status === 400 ? invalidRequest : undefined);
    this.requestId = headers.get("x-request-id");
    this.body = body;
    this.errors = body.errors ?? [];
    this.headers = headers;
  }
}

/** A parameter or field is not valid: see `errors`. */
export class ValidationError extends RefusedError {}
/** The apikey or the token is missing, wrong, revoked or expired. */
export class AuthenticationError extends RefusedError {}
