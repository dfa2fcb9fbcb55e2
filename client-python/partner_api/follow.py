"""Follows the feed, which has every event in order. Long-polls, or else polls; a delivery is only a hint to poll."""

from __future__ import annotations

import queue
import threading
import time
from typing import Any, Callable, Generic, Mapping, Protocol, Sequence, TypeVar

from .errors import PartnerApiError, RefusedError
from .records import FeedEvent, WebhookEvent
from .retry import retry_after_seconds

Transaction = TypeVar("Transaction")
Transaction_co = TypeVar("Transaction_co", covariant=True)
ReadFeed = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Handle = Callable[[FeedEvent, Transaction], object]
Verify = Callable[["bytes | str", Mapping[str, str]], WebhookEvent]


class EventStore(Protocol[Transaction_co]):
    """Records what a follower has handled: in your database, in the same transaction as your work."""

    def cursor(self) -> str | None:
        """The last saved cursor; None before the first one."""

    def once(self, event_id: str, work: Callable[[Transaction_co], object]) -> None:
        """Run `work` and record the event's id in one transaction; do neither if it is already recorded."""

    def advance(self, cursor: str) -> None:
        """Save a cursor. All events before it are handled."""


def catch_up(
    read_feed: ReadFeed,
    store: EventStore[Transaction],
    handle: Handle[Transaction],
    *,
    cursor: str | None = None,
    types: Sequence[str] = (),
    updated_since: str | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Handle every event up to now, in the order in which the service committed them."""
    filters = {"types": ",".join(types) or None, "updated_since": updated_since}
    cursor = store.cursor() or cursor
    while True:
        page = read_feed({**filters, "cursor": cursor})
        for event in page["data"]:
            if is_stopped():
                return
            store.once(event["id"], lambda transaction: handle(event, transaction))
        upto = page["next_cursor"] or page["latest_cursor"]
        if upto != cursor:
            store.advance(upto)
        cursor = upto
        if page["next_cursor"] is None or is_stopped():
            return


# The longest wait that the service accepts, and the time allowed for its response after that.
_WAIT_SECONDS = 25
ANSWER_SECONDS = 10

# The interval between requests that return events, so that a busy feed leaves most of the rate limit free.
_PACE_SECONDS = 3.0


def _pause_after(page: Mapping[str, Any], took: float, poll_seconds: float) -> float:
    """The pause after a long-poll."""
    if page["data"]:
        return min(_PACE_SECONDS, poll_seconds) - took
    # A service that ignores the parameter returns an empty page at once.
    return poll_seconds if took < _WAIT_SECONDS / 2 else 0.0


class _Stopped(Exception):
    """`stop` was called during a request."""


class Follower(Generic[Transaction]):
    """Handles each event exactly once while `run` runs."""

    def __init__(
        self,
        read_feed: ReadFeed,
        catch_up_by: Callable[[ReadFeed, Callable[[], bool]], None],
        verify: Verify,
        poll_seconds: float,
        on_outage: Callable[[PartnerApiError], object],
    ):
        self._read_feed = read_feed
        self._catch_up_by = catch_up_by
        self._verify = verify
        self._poll_seconds = poll_seconds
        self._on_outage = on_outage
        self._stopping = threading.Event()
        self._waking = threading.Event()
        self._waits = True
        self._pause = poll_seconds
        # The result or error of a request; None after `stop`.
        self._answers: queue.SimpleQueue[Mapping[str, Any] | Exception | None] = queue.SimpleQueue()

    def run(self) -> None:
        """Follow until `stop`. Raises errors of `handle` and the store, and refusals that cannot be retried."""
        while not self._stopping.is_set():
            self._waking.clear()
            self._pause = self._poll_seconds
            hint = self._look()
            # A delivery ends the pause, but not before the service's Retry-After.
            if not self._stopping.wait(hint):
                self._waking.wait(max(0.0, self._pause - hint))

    def receive(self, raw_body: bytes | str, headers: Mapping[str, str]) -> WebhookEvent:
        """Call this from your webhook endpoint: verify the delivery and end a pause."""
        event = self._verify(raw_body, headers)
        self._waking.set()
        return event

    def stop(self) -> None:
        """Stop after the current event. Can be called from other threads and from signal handlers."""
        self._stopping.set()
        self._waking.set()
        self._answers.put(None)

    def _look(self) -> float:
        try:
            self._catch_up_by(self._read_waiting, self._stopping.is_set)
        except _Stopped:
            pass
        except PartnerApiError as error:
            if not error.retryable:
                raise
            self._on_outage(error)
            self._pause = self._poll_seconds
            if isinstance(error, RefusedError):
                return min(retry_after_seconds(error.headers, time.time()), threading.TIMEOUT_MAX)
        return 0.0

    def _read_waiting(self, query: Mapping[str, Any]) -> Mapping[str, Any]:
        if not self._waits:
            return self._read_feed(query)
        started = time.monotonic()
        try:
            page = self._read_until_stopped({**query, "wait": _WAIT_SECONDS})
        except RefusedError as error:
            if error.status != 400:
                raise
            # The service does not support the parameter, or will refuse the next request too.
            self._waits = False
            return self._read_feed(query)
        self._pause = _pause_after(page, time.monotonic() - started, self._poll_seconds)
        return page

    def _read_until_stopped(self, query: Mapping[str, Any]) -> Mapping[str, Any]:
        """Read in a thread, because a request cannot be aborted. After `stop`, the thread is abandoned."""

        def read() -> None:
            try:
                self._answers.put(self._read_feed(query))
            except Exception as error:
                self._answers.put(error)

        threading.Thread(target=read, daemon=True).start()
        answer = self._answers.get()
        if answer is None:
            raise _Stopped
        if isinstance(answer, Exception):
            raise answer
        return answer
