import { mayRetry } from "./retry.ts";
import type { FieldProblem } from "./schema.ts";

/** The base of all errors. Tell them apart by class with `instanceof`, or by `code`. */
export class PartnerApiError extends Error {
  /** Whether the same call may succeed later. It was already retried, unless `Retry-After` was over a minute. */
  readonly retryable: boolean = false;
}

/** No response: the network failed, or the timeout passed (`TimeoutError`). The request may have been carried out. */
export class ConnectionError extends PartnerApiError {
  override name = "ConnectionError";
  override readonly retryable = true;
}
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}

/** The delivery's signature or timestamp is not valid. */
export class WebhookVerificationError extends PartnerApiError {
  override name = "WebhookVerificationError";
}

/** The body of an error response. */
export interface RefusalBody {
  error: string;
  code?: string;
  capability?: string;
  resource?: string;
  required_scope?: string;
  retry_after_seconds?: number;
  errors?: FieldProblem[];
}

/** The `code` of a 400 without one, so that every error can be handled by its `code`. */
const invalidRequest = "invalid_request";

/** The service rejected the request. Include `requestId` when you contact support. */
export class RefusedError extends PartnerApiError {
  override readonly retryable: boolean;
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | null;
  readonly body: RefusalBody;
  /** Everything that is wrong with the request, for a 400. */
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

/** A parameter or a field is invalid. See `errors`. */
export class ValidationError extends RefusedError {}
/** The apikey or the token is missing, wrong, revoked or expired. */
export class AuthenticationError extends RefusedError {}
