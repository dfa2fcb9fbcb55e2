"""Sends a call and retries it, with the standard library's HTTP client."""

from __future__ import annotations

import builtins
import http.client
import json
import random
import time
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from decimal import Decimal
from email.message import Message
from typing import Any, Callable, Mapping, Sequence, TypedDict

from .errors import ConnectionError, PartnerApiError, RefusedError, TimeoutError
from .parsed import parsed
from .refusal import refusal
from .retry import delay_seconds, is_waited_for, retry_after_seconds

_USER_AGENT = "partner-api-client-python/1.3.0"


@dataclass(frozen=True)
class Retry:
    """A failed attempt that is about to be retried."""

    retry: int
    """1 for the first retry, which is the second attempt."""
    delay: float
    """Seconds."""
    error: PartnerApiError
    """Why the attempt failed."""
    method: str
    path: str


class Options(TypedDict, total=False):
    """The options of every call."""

    timeout: float
    """Seconds per attempt, response body included. Default: 30."""
    max_retries: int
    """Attempts after the first. Default: 3."""
    on_retry: Callable[[Retry], object]
    """Called before the pause of each retry, for logs and metrics."""


class WriteOptions(Options, total=False):
    idempotency_key: str
    """Identifies this piece of work. Default: a new key per call, which its retries repeat. A dry
    run does not use the key up, and has none by default."""


@dataclass(frozen=True)
class Answer:
    """A successful response, unparsed."""

    status: int
    headers: Message
    content: bytes


class _Json(dict[str, Any]):
    """A JSON object with the id of its request."""

    request_id: str | None = None


def request_id_of(answer: Mapping[str, Any]) -> str | None:
    """The `X-Request-Id` of a record, page or result. Include it when you contact support."""
    return answer.request_id if isinstance(answer, _Json) else None


class Transport:
    def __init__(self, base_url: str, apikey: str, token: str, options: Options):
        self._base_url = base_url.rstrip("/")
        self._options = options
        self._headers = {
            "Accept": "application/json, application/problem+json",
            "User-Agent": _USER_AGENT,
            "apikey": apikey,
            "Authorization": f"Bearer {token}",
        }
        # No redirect handler: the token must not be sent to another address.
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.UnknownHandler(),
        ):
            self._opener.add_handler(handler)

    def read(self, path: str, query: Mapping[str, Any], options: Options) -> Any:
        return self._retried(self._request("GET", path, query), _json_of, options)

    def read_bytes(self, path: str, options: Options) -> Answer:
        return self._retried(self._request("GET", path, {}), lambda answer: answer, options)

    def write(
        self, path: str, body: object, options: WriteOptions, dry_run: bool = False
    ) -> Any:
        request = self._request("POST", path, {"dry_run": "true"} if dry_run else {})
        request.data = json.dumps(body, allow_nan=False, default=_plain).encode()
        request.add_header("Content-Type", "application/json")
        key = options.get("idempotency_key") or (None if dry_run else str(uuid.uuid4()))
        if key is not None:
            request.add_header("Idempotency-Key", key)
        return self._retried(request, _json_of, options)

    def _request(
        self, method: str, path: str, query: Mapping[str, Any]
    ) -> urllib.request.Request:
        given = {name: _in_query(value) for name, value in query.items() if value is not None}
        search = f"?{urllib.parse.urlencode(given)}" if given else ""
        return urllib.request.Request(
            self._base_url + path + search, headers=self._headers, method=method
        )

    def _retried(
        self,
        request: urllib.request.Request,
        take: Callable[[Answer], Any],
        options: Options,
    ) -> Any:
        known = Options if request.data is None else WriteOptions
        for name in options.keys() - known.__optional_keys__:
            raise TypeError(f"unexpected keyword argument {name!r}")
        settings: Options = {**self._options, **options}
        retries = settings.get("max_retries", 3)
        retry = 0
        while True:
            try:
                return take(self._attempt(request, settings.get("timeout", 30)))
            except PartnerApiError as error:
                retry += 1
                hint = 0.0
                if isinstance(error, RefusedError):
                    hint = retry_after_seconds(error.headers, time.time())
                if retry > retries or not error.retryable or not is_waited_for(hint):
                    raise
                delay = delay_seconds(retry, hint, random.random())
                if on_retry := settings.get("on_retry"):
                    path = urllib.parse.urlsplit(request.full_url).path
                    on_retry(Retry(retry, delay, error, request.get_method(), path))
            time.sleep(delay)

    def _attempt(self, request: urllib.request.Request, timeout: float) -> Answer:
        deadline = time.monotonic() + timeout
        try:
            with self._opener.open(request, timeout=timeout) as response:
                content = _content(response, deadline)
        except (OSError, http.client.HTTPException) as error:
            # urllib wraps only errors that occur before the response.
            if isinstance(getattr(error, "reason", error), builtins.TimeoutError):
                raise TimeoutError(f"No response within {timeout} seconds") from error
            raise ConnectionError(f"No response: {error!r}") from error
        if 200 <= response.status < 300:
            return Answer(response.status, response.headers, content)
        raise refusal(response.status, response.reason, response.headers, content)


def _content(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """Read the whole body by the attempt's deadline. Raises if the body is truncated."""
    # None if the header is missing, not a number, or overridden by a chunked body.
    expected = response.length
    content = b""
    while expected is None or len(content) < expected:
        part = response.read1(65_536)
        if not part:
            break
        content += part
        if time.monotonic() > deadline:
            raise builtins.TimeoutError
    if expected is not None and len(content) < expected:
        raise http.client.IncompleteRead(content, expected - len(content))
    return content


def _json_of(answer: Answer) -> _Json:
    body = parsed(answer.content)
    if not isinstance(body, dict):
        # The response was truncated, or comes from a proxy in front of the service.
        text = answer.content[:200].decode(errors="replace")
        raise ConnectionError(f"Unreadable response from the service: {text}")
    found = _Json(body)
    found.request_id = answer.headers.get("x-request-id")
    return found


def _plain(value: object) -> float:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def _in_query(value: object) -> str:
    """Format a query value: true or false, and several values separated by commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)
