"""The feed has every event, in order; a delivery only says that it is time to look."""

from __future__ import annotations

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


class Follower(Generic[Transaction]):
    """Handles each event exactly once while `run` runs."""

    def __init__(
        self,
        catch_up_now: Callable[[Callable[[], bool]], None],
        verify: Verify,
        poll_seconds: float,
        on_outage: Callable[[PartnerApiError], object],
    ):
        self._catch_up_now = catch_up_now
        self._verify = verify
        self._poll_seconds = poll_seconds
        self._on_outage = on_outage
        self._stopping = threading.Event()
        self._waking = threading.Event()

    def run(self) -> None:
        """Follow until `stop`. Raises what `handle` or the store raised, or a refusal that no retry helps."""
        while not self._stopping.is_set():
            self._waking.clear()
            hint = self._look()
            # A delivery ends the pause, but no sooner than the service asked.
            if not self._stopping.wait(hint):
                self._waking.wait(max(0.0, self._poll_seconds - hint))

    def receive(self, raw_body: bytes | str, headers: Mapping[str, str]) -> WebhookEvent:
        """For your webhook endpoint: verify the delivery, and have the feed read at once."""
        event = self._verify(raw_body, headers)
        self._waking.set()
        return event

    def stop(self) -> None:
        """Stop after the current event; for other threads and signal handlers."""
        self._stopping.set()
        self._waking.set()

    def _look(self) -> float:
        try:
            self._catch_up_now(self._stopping.is_set)
        except PartnerApiError as error:
            if not error.retryable:
                raise
            self._on_outage(error)
            if isinstance(error, RefusedError):
                return min(retry_after_seconds(error.headers, time.time()), threading.TIMEOUT_MAX)
        return 0.0
