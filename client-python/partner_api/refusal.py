"""The error class of a response."""

from __future__ import annotations

from email.message import Message
from typing import Any

from .errors import AuthenticationError, RefusedError, ValidationError
from .parsed import parsed
from .refusals import BY_CODE

# For refusals without a code.
_BY_STATUS: dict[int, type[RefusedError]] = {400: ValidationError, 401: AuthenticationError}


def refusal(status: int, reason: str, headers: Message, content: bytes) -> RefusedError:
    """Create the error for an unsuccessful response, including one from a proxy in front of the service."""
    text = content.decode(errors="replace")
    body = _refusal_in(text) or {"error": reason or text[:200]}
    error_class = BY_CODE.get(body.get("code", "")) or _BY_STATUS.get(status, RefusedError)
    return error_class(status, headers, body)


def _refusal_in(text: str) -> dict[str, Any] | None:
    """The service's error body. A proxy's JSON can have the same fields with other types."""
    body = parsed(text)
    is_refusal = (
        isinstance(body, dict)
        and isinstance(body.get("error"), str)
        and isinstance(body.get("code", ""), str)
        and isinstance(body.get("errors", []), list)
    )
    return body if is_refusal else None
