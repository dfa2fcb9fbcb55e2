"""Copies records that are new or have changed since the last run, oldest change first."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Callable, Mapping, Protocol, TypeVar

Transaction = TypeVar("Transaction")
Transaction_co = TypeVar("Transaction_co", covariant=True)

# The service's maximum, to need as few requests as possible.
_RECORDS_PER_PAGE = 200


class RecordStore(Protocol[Transaction_co]):
    """Stores the position of a copy: in your database, in the same transaction as the page."""

    def cursor(self) -> str | None:
        """The last saved position; None before the first one."""

    def keep(self, cursor: str, work: Callable[[Transaction_co], object]) -> None:
        """Run `work` and save the position in one transaction; do neither if `work` raises."""


def sync(
    path: str,
    read_page: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    store: RecordStore[Transaction],
    upsert: Callable[[Any, Transaction], object],
    overlap_seconds: float,
) -> None:
    """Write every new or changed record into a copy.

    `upsert` inserts or overwrites a record; some records are sent again. Each page saves the position, so a
    killed process loses at most the current page. The next run begins `overlap_seconds` before the newest
    record, in case clocks disagree. Each kind of record needs a store with its own name."""
    since = _since(path, store.cursor())
    query: dict[str, Any] = {"limit": _RECORDS_PER_PAGE, "updated_since": since}
    while True:
        page = read_page(query)
        data = page["data"]
        if data:
            watermark = _earlier(data[-1]["updated_at"], overlap_seconds)
            # The position never moves back. Both times are UTC in one format, which sorts as text.
            place = f"{path} {max(since or watermark, watermark)}"
            store.keep(place, lambda transaction: [upsert(one, transaction) for one in data])
        if page["next_cursor"] is None:
            return
        query["cursor"] = page["next_cursor"]


def _earlier(moment: str, seconds: float) -> str:
    earlier = datetime.fromisoformat(moment) - timedelta(seconds=seconds)
    return f"{earlier:%Y-%m-%dT%H:%M:%S}.{earlier.microsecond // 1000:03}Z"


def _since(path: str, kept: str | None) -> str | None:
    """Raise if the store has another path's position, which would skip records."""
    if kept is None:
        return None
    kept_path, _, since = kept.partition(" ")
    if kept_path != path:
        raise ValueError(f"This store holds the position for {kept_path}. Use another store for {path}")
    return since
