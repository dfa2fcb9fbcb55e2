# Written by npm run openapi.
"""The error of each code."""

from .errors import RefusedError


class UpgradeRequiredError(RefusedError):
    """The workspace's plan does not include API access.
    The plan's deliverable limit is reached.
    The image does not fit in the plan's remaining image storage (`storage_mb`).
    The plan's record limit is reached.
    The deliverable has reached the maximum of 500 versions. Create another deliverable.
    """


class AddressNotAllowedError(RefusedError):
    """The caller's IP address is not in the token's `allowed_ips`."""


class InsufficientScopeError(RefusedError):
    """The token does not have the scope in `required_scope`."""


class FeatureDisabledError(RefusedError):
    """The workspace feature `connector_api_ingest` is off."""


class NotFoundError(RefusedError):
    """The workspace does not have this record."""


class ApiActorUnavailableError(RefusedError):
    """The admin who created the token is no longer an admin."""


class IdempotencyKeyReusedError(RefusedError):
    """The key was used for a different request."""


class IdempotencyKeyInProgressError(RefusedError):
    """The first request with this key is still in progress. Retry after `Retry-After` seconds."""


class DeliverableSignedOffError(RefusedError):
    """The deliverable is signed off."""


class PayloadTooLargeError(RefusedError):
    """The inline image is larger than 10 MB decoded, or the body is larger than any valid request."""


class RevisionOverBudgetError(RefusedError):
    """The project's revision rounds are used up, and no admin has granted additional rounds."""


class SampleDataNeverEmailedError(RefusedError):
    """The deliverable or its client is sample data."""


class ClientEmailMissingError(RefusedError):
    """The client has no e-mail address."""


class RateLimitError(RefusedError):
    """The workspace has reached its limit of requests per minute. Wait `retry_after_seconds`.
    The client's address has reached its daily e-mail limit (UTC). Wait `retry_after_seconds`.
    The workspace has reached its plan's daily e-mail limit (UTC). Wait `retry_after_seconds`.
    """


RateLimitExceededError = RateLimitError


class StorageUnavailableError(RefusedError):
    """The image could not be read, or it could not be stored and nothing was created. Retry with the
    same key.
    """


class EmailSendFailedError(RefusedError):
    """The review e-mail could not be sent. Retry with the same key."""


class StorageFullError(RefusedError):
    """The database is full, so nothing was changed. Reads still work. Retry after `Retry-After`
    seconds with the same key.
    """


class OrganizationIsMovingError(RefusedError):
    """The workspace is being moved or imported. Retry after `Retry-After` seconds with the same key."""


BY_CODE: dict[str, type[RefusedError]] = {
    "upgrade_required": UpgradeRequiredError,
    "address_not_allowed": AddressNotAllowedError,
    "insufficient_scope": InsufficientScopeError,
    "feature_disabled": FeatureDisabledError,
    "not_found": NotFoundError,
    "api_actor_unavailable": ApiActorUnavailableError,
    "idempotency_key_reused": IdempotencyKeyReusedError,
    "idempotency_key_in_progress": IdempotencyKeyInProgressError,
    "deliverable_signed_off": DeliverableSignedOffError,
    "payload_too_large": PayloadTooLargeError,
    "revision_over_budget": RevisionOverBudgetError,
    "sample_data_never_emailed": SampleDataNeverEmailedError,
    "client_email_missing": ClientEmailMissingError,
    "rate_limit_exceeded": RateLimitError,
    "storage_unavailable": StorageUnavailableError,
    "email_send_failed": EmailSendFailedError,
    "storage_full": StorageFullError,
    "organization_is_moving": OrganizationIsMovingError,
}

__all__ = [
    "AddressNotAllowedError",
    "ApiActorUnavailableError",
    "ClientEmailMissingError",
    "DeliverableSignedOffError",
    "EmailSendFailedError",
    "FeatureDisabledError",
    "IdempotencyKeyInProgressError",
    "IdempotencyKeyReusedError",
    "InsufficientScopeError",
    "NotFoundError",
    "OrganizationIsMovingError",
    "PayloadTooLargeError",
    "RateLimitError",
    "RateLimitExceededError",
    "RevisionOverBudgetError",
    "SampleDataNeverEmailedError",
    "StorageFullError",
    "StorageUnavailableError",
    "UpgradeRequiredError",
]
