"""Why a call failed. `except` tells the classes apart; `code` is the contract's word where it has one."""

from __future__ import annotations

import builtins
import json
from email.message import Message
from typing import Any

from .records import FieldProblem
from .retry import may_retry


class PartnerApiError(Exception):
    retryable = False
    """Whether the same call may succeed later. The client has tried that already, as often as
    max_retries says, unless `Retry-After` asks for more than a minute."""


class ConnectionError(PartnerApiError, builtins.ConnectionError):
    """No answer came: the network failed. A retry may have done the work."""

    retryable = True


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """No answer came in time."""


class WebhookVerificationError(PartnerApiError):
    """A delivery that is not ours, or not fresh."""


class RefusedError(PartnerApiError):
    """The service answered with a refusal. Quote `request_id` when you ask about it."""

    def __init__(self, status: int, headers: Message, body: dict[str, Any]):
        self.status = status
        self.headers = headers
        self.body = body
        """`error` in words, and the other fields of the contract that this refusal has."""
        self.errors: list[FieldProblem] = body.get("errors", [])
        """Of a 400: everything that is wrong with the request."""
        self.code: str | None = body.get("code")
        self.request_id: str | None = headers.get("x-request-id")
        self.retryable = may_retry(status, headers)
        super().__init__(f"{status} {self.code + ': ' if self.code else ''}{body['error']}")


class ValidationError(RefusedError):
    pass


class AuthenticationError(RefusedError):
    pass


class UpgradeRequiredError(RefusedError):
    pass


class InsufficientScopeError(RefusedError):
    pass


class FeatureDisabledError(RefusedError):
    pass


class NotFoundError(RefusedError):
    pass


class ApiActorUnavailableError(RefusedError):
    pass


class IdempotencyKeyReusedError(RefusedError):
    pass


class IdempotencyKeyInProgressError(RefusedError):
    pass


class DeliverableSignedOffError(RefusedError):
    pass


class PayloadTooLargeError(RefusedError):
    pass


class RevisionOverBudgetError(RefusedError):
    pass


class SampleDataNeverEmailedError(RefusedError):
    pass


class ClientEmailMissingError(RefusedError):
    pass


class RateLimitError(RefusedError):
    pass


RateLimitExceededError = RateLimitError


class StorageUnavailableError(RefusedError):
    pass


class StorageFullError(RefusedError):
    pass


class EmailSendFailedError(RefusedError):
    pass


_BY_CODE: dict[str | None, type[RefusedError]] = {
    "upgrade_required": UpgradeRequiredError,
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
    "storage_full": StorageFullError,
    "email_send_failed": EmailSendFailedError,
}

# For the refusals that carry no code.
_BY_STATUS: dict[int, type[RefusedError]] = {400: ValidationError, 401: AuthenticationError}


def refusal(status: int, reason: str, headers: Message, content: bytes) -> RefusedError:
    """The error of an answer that is no success; also of one that something between us made."""
    text = content.decode(errors="replace")
    body = _refusal_in(text) or {"error": reason or text[:200]}
    error_class = _BY_CODE.get(body.get("code")) or _BY_STATUS.get(status, RefusedError)
    return error_class(status, headers, body)


def _refusal_in(text: str) -> dict[str, Any] | None:
    try:
        body = json.loads(text)
    except ValueError:
        return None
    return body if isinstance(body, dict) and isinstance(body.get("error"), str) else None
