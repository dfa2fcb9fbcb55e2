"""The feed has every event, in order. Each request waits for the next one; a service that cannot is polled, and a
delivery only says that it is time to look."""

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
    """Where a follower records what it has handled: in your database, in one transaction with your work."""

    def cursor(self) -> str | None:
        """The last saved cursor; None before the first one."""

    def once(self, event_id: str, work: Callable[[Transaction_co], object]) -> None:
        """Run `work` and record the event's id in one transaction; do neither if it is already recorded."""

    def advance(self, cursor: str) -> None:
        """All events before this cursor are handled."""


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


# The longest wait that the service accepts, and the time that its response may take besides.
_WAIT_SECONDS = 25
ANSWER_SECONDS = 10

# Between two requests that return events: a steady stream of them leaves most of the workspace's rate limit.
_PACE_SECONDS = 3.0


def _pause_after(page: Mapping[str, Any], took: float, poll_seconds: float) -> float:
    """The pause after a page that the service was asked to wait for."""
    if page["data"]:
        return min(_PACE_SECONDS, poll_seconds) - took
    # A service that does not know the parameter may ignore it: it returns an empty page at once.
    return poll_seconds if took < _WAIT_SECONDS / 2 else 0.0


class _Stopped(Exception):
    """`stop` was called while a response was awaited."""


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
        # What a waiting request returned or raised; None: stopped.
        self._answers: queue.SimpleQueue[Mapping[str, Any] | Exception | None] = queue.SimpleQueue()

    def run(self) -> None:
        """Follow until `stop`. Raises what `handle` or the store raised, or a refusal that no retry helps."""
        while not self._stopping.is_set():
            self._waking.clear()
            self._pause = self._poll_seconds
            hint = self._look()
            # A delivery ends the pause, but no sooner than the service asked.
            if not self._stopping.wait(hint):
                self._waking.wait(max(0.0, self._pause - hint))

    def receive(self, raw_body: bytes | str, headers: Mapping[str, str]) -> WebhookEvent:
        """For your webhook endpoint: verify the delivery, and end a pause."""
        event = self._verify(raw_body, headers)
        self._waking.set()
        return event

    def stop(self) -> None:
        """Stop after the current event; for other threads and signal handlers."""
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
            # The service does not know the parameter, or refuses the request with the next one, too.
            self._waits = False
            return self._read_feed(query)
        self._pause = _pause_after(page, time.monotonic() - started, self._poll_seconds)
        return page

    def _read_until_stopped(self, query: Mapping[str, Any]) -> Mapping[str, Any]:
        """Nothing ends a request of the standard library: after a `stop`, its thread is left to itself."""

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
