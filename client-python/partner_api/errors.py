"""The errors of a call. Tell them apart by class with `except`, or by `code`."""

from __future__ import annotations

import builtins
from email.message import Message
from typing import Any

from .records import FieldProblem
from .retry import may_retry


class PartnerApiError(Exception):
    retryable = False
    """Whether the same call may succeed later. It was already retried, unless `Retry-After` was over a minute."""


class ConnectionError(PartnerApiError, builtins.ConnectionError):
    """No response: the network failed. The request may have been carried out."""

    retryable = True


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """No response in time."""


class WebhookVerificationError(PartnerApiError):
    """The delivery's signature or timestamp is not valid."""


_INVALID_REQUEST = "invalid_request"
"""The `code` of a 400 without one, so that every refusal can be handled by its `code`."""


class RefusedError(PartnerApiError):
    """The service refused the request. Include `request_id` when you contact support."""

    def __init__(self, status: int, headers: Message, body: dict[str, Any]):
        self.status = status
        self.headers = headers
        self.body = body
        """The message, as `error`, and the other fields of this refusal."""
        self.errors: list[FieldProblem] = body.get("errors", [])
        """Everything that is wrong with the request, for a 400."""
        self.code: str | None = body.get("code", _INVALID_REQUEST if status == 400 else None)
        self.request_id: str | None = headers.get("x-request-id")
        self.retryable = may_retry(status, headers)
        code = body.get("code")
        super().__init__(f"{status} {code + ': ' if code else ''}{body['error']}")


class ValidationError(RefusedError):
    """A parameter or a field is invalid. See `errors`."""


class AuthenticationError(RefusedError):
    """The apikey or the token is missing, wrong, revoked or expired."""
