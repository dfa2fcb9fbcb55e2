"""Decides about retries. Every write has an Idempotency-Key, so a repeated request does its work once."""

from __future__ import annotations

import re
from datetime import timezone
from email.message import Message
from email.utils import parsedate_to_datetime

_FIRST_DELAY_SECONDS = 0.5
_LONGEST_DELAY_SECONDS = 8.0

# The rate limit's window is a minute. A longer hint, such as for the daily e-mail limit, is left to the caller.
_LONGEST_HINT_SECONDS = 60.0


def may_retry(status: int, headers: Message) -> bool:
    """The service sets X-Should-Retry. A response without it comes from a proxy."""
    told = headers.get("x-should-retry")
    if told is None:
        return status in (408, 429) or status >= 500
    return told == "true"


def is_waited_for(hint: float) -> bool:
    """Whether a call waits for this Retry-After, or raises its error."""
    return hint <= _LONGEST_HINT_SECONDS


def delay_seconds(retry: int, hint: float, random: float) -> float:
    """Exponential backoff with full jitter, on top of the service's Retry-After. `retry` counts from 1."""
    return hint + random * min(_LONGEST_DELAY_SECONDS, _FIRST_DELAY_SECONDS * 2 ** (retry - 1))


def retry_after_seconds(headers: Message, now: float) -> float:
    """`Retry-After`, in seconds or as a date; 0 without it."""
    text = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]{1,15}", text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    return max(0.0, moment.replace(tzinfo=moment.tzinfo or timezone.utc).timestamp() - now)
