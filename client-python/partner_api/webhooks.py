"""Verifies deliveries."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Sequence

from .errors import WebhookVerificationError

_TOLERANCE_SECONDS = 300
_SECRET_PREFIX = "whsec_"


def verify_delivery(
    raw_body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    now: float | None = None,
) -> Any:
    """Verify a delivery (Standard Webhooks) and return its event, or raise a WebhookVerificationError.

    `raw_body` is the body as received, before any parsing. While you rotate your secret, pass both."""
    sent = _lowered(headers)
    delivery_id, timestamp, signatures = (
        _header(sent, f"webhook-{part}") for part in ("id", "timestamp", "signature")
    )
    moment = int(timestamp) if re.fullmatch(r"[0-9]{1,15}", timestamp) else None
    age = None if moment is None else (time.time() if now is None else now) - moment
    if age is None or abs(age) > _TOLERANCE_SECONDS:
        wrong = "too old" if age is not None and age > 0 else "in the future or not a number"
        raise WebhookVerificationError(f"webhook-timestamp is {wrong}")
    body = _bytes(raw_body)
    expected = [
        _signature(_key(secret), delivery_id, timestamp, body) for secret in _all(secrets)
    ]
    return _event(body, expected, signatures.split(" "), "webhook-signature")


def verify_legacy_delivery(
    raw_body: bytes | str, headers: Mapping[str, str], secrets: str | Sequence[str]
) -> Any:
    """The same for `X-Svc-Signature`. It has no timestamp, so a replayed delivery passes too."""
    given = _header(_lowered(headers), "x-svc-signature")
    body = _bytes(raw_body)
    expected = [
        f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"
        for secret in _all(secrets)
    ]
    return _event(body, expected, [one.strip() for one in given.split(",")], "x-svc-signature")


def sign_delivery(delivery_id: str, timestamp: int, body: bytes | str, secret: str) -> str:
    """Create the value of `webhook-signature`, for tests of your receiver."""
    return _signature(_key(secret), delivery_id, str(timestamp), _bytes(body))


def _signature(key: bytes, delivery_id: str, timestamp: str, body: bytes) -> str:
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _event(body: bytes, expected: list[str], given: list[str], header: str) -> Any:
    for one in expected:
        for other in given:
            if hmac.compare_digest(one.encode(), other.encode()):
                return json.loads(body)
    raise WebhookVerificationError(f"{header} has no valid signature for this secret")


def _lowered(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"{name} is missing")
    return value


def _key(secret: str) -> bytes:
    encoded = secret.removeprefix(_SECRET_PREFIX)
    try:
        key = base64.b64decode(encoded, validate=True)
    except ValueError:
        key = b""
    if not key or encoded == secret:
        raise ValueError(f"A webhook secret must be {_SECRET_PREFIX} followed by base64")
    return key


def _bytes(body: bytes | str) -> bytes:
    return body.encode() if isinstance(body, str) else body


def _all(secrets: str | Sequence[str]) -> Sequence[str]:
    return [secrets] if isinstance(secrets, str) else secrets
