// Written by npm run openapi.
import { RefusedError } from "./errors.ts";

/**
 * - The workspace's plan does not include API access.
 * - The plan's deliverable limit is reached.
 * - The image does not fit in the plan's remaining image storage (`storage_mb`).
 * - The plan's record limit is reached.
 * - The deliverable has reached the maximum of 500 versions. Create another deliverable.
 */
export class UpgradeRequiredError extends RefusedError {}

/**
 * The caller's IP address is not in the token's `allowed_ips`.
 */
export class AddressNotAllowedError extends RefusedError {}

/**
 * The token does not have the scope in `required_scope`.
 */
export class InsufficientScopeError extends RefusedError {}

/**
 * The workspace feature `connector_api_ingest` is off.
 */
export class FeatureDisabledError extends RefusedError {}

/**
 * The workspace does not have this record.
 */
export class NotFoundError extends RefusedError {}

/**
 * The admin who created the token is no longer an admin.
 */
export class ApiActorUnavailableError extends RefusedError {}

/**
 * The key was used for a different request.
 */
export class IdempotencyKeyReusedError extends RefusedError {}

/**
 * The first request with this key is still in progress. Retry after `Retry-After` seconds.
 */
export class IdempotencyKeyInProgressError extends RefusedError {}

/**
 * The deliverable is signed off.
 */
export class DeliverableSignedOffError extends RefusedError {}

/**
 * The inline image is larger than 10 MB decoded, or the body is larger than any valid request.
 */
export class PayloadTooLargeError extends RefusedError {}

/**
 * The project's revision rounds are used up, and no admin has granted additional rounds.
 */
export class RevisionOverBudgetError extends RefusedError {}

/**
 * The deliverable or its client is sample data.
 */
export class SampleDataNeverEmailedError extends RefusedError {}

/**
 * The client has no e-mail address.
 */
export class ClientEmailMissingError extends RefusedError {}

/**
 * - The workspace has reached its limit of requests per minute. Wait `retry_after_seconds`.
 * - The client's address has reached its daily e-mail limit (UTC). Wait `retry_after_seconds`.
 * - The workspace has reached its plan's daily e-mail limit (UTC). Wait `retry_after_seconds`.
 */
export class RateLimitError extends RefusedError {}
export { RateLimitError as RateLimitExceededError };

/**
 * The image could not be read, or it could not be stored and nothing was created. Retry with the same key.
 */
export class StorageUnavailableError extends RefusedError {}

/**
 * The review e-mail could not be sent. Retry with the same key.
 */
export class EmailSendFailedError extends RefusedError {}

/**
 * The database is full, so nothing was changed. Reads still work. Retry after `Retry-After` seconds with the
 * same key.
 */
export class StorageFullError extends RefusedError {}

/**
 * The workspace is being moved or imported. Retry after `Retry-After` seconds with the same key.
 */
export class OrganizationIsMovingError extends RefusedError {}
