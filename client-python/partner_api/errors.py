"""Why a call failed. `except` distinguishes the classes; `code` is the contract's, if it has one."""

from __future__ import annotations

import builtins
from email.message import Message
from typing import Any

from .records import FieldProblem
from .retry import may_retry


class PartnerApiError(Exception):
    retryable = False
    """Whether the same call may succeed later. The client has already retried max_retries times, unless
    `Retry-After` asks for more than a minute."""


class ConnectionError(PartnerApiError, builtins.ConnectionError):
    """No response: the network failed. A retry may have done the work."""

    retryable = True


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """No response in time."""


class WebhookVerificationError(PartnerApiError):
    """A delivery that is not ours, or not fresh."""


_INVALID_REQUEST = "invalid_request"
"""The `code` of a 400 whose body has none, so that `code` alone tells what to do about it."""


class RefusedError(PartnerApiError):
    """The service refused the request. Quote `request_id` when you ask about it."""

    def __init__(self, status: int, headers: Message, body: dict[str, Any]):
        self.status = status
        self.headers = headers
        self.body = body
        """`error` in words, and the contract's other fields of this refusal."""
        self.errors: list[FieldProblem] = body.get("errors", [])
        """On a 400: everything that is wrong with the request."""
        self.code: str | None = body.get("code", _INVALID_REQUEST if status == 400 else None)
        self.request_id: str | None = headers.get("x-request-id")
        self.retryable = may_retry(status, headers)
        code = body.get("code")
        super().__init__(f"{status} {code + ': ' if code else ''}{body['error']}")


class ValidationError(RefusedError):
    """A parameter or field is not valid: see `errors`."""


class AuthenticationError(RefusedError):
    """The apikey or the token is missing, wrong, revoked or expired."""
