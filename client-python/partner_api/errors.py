"""Why a call failed. `except` tells the classes apart; `code` is the contract's word where it has one."""

from __future__ import annotations

import builtins
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
    """A parameter or field is not valid: `errors` lists what."""


class AuthenticationError(RefusedError):
    """The apikey or the token is missing, wrong, revoked or expired."""
