"""A copy of records: what is new or changed since the last time, oldest change first."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Callable, Mapping, Protocol, TypeVar

Transaction = TypeVar("Transaction")
Transaction_co = TypeVar("Transaction_co", covariant=True)

# As many as the service gives: a copy takes as few requests as possible.
_RECORDS_PER_PAGE = 200


class RecordStore(Protocol[Transaction_co]):
    """Where a copy keeps how far it is: in your database, so that a page and its place are one transaction."""

    def cursor(self) -> str | None:
        """The place kept last; None before the first one."""

    def keep(self, cursor: str, work: Callable[[Transaction_co], object]) -> None:
        """Run `work` and keep the place in one transaction; do neither if `work` raises."""


def sync(
    path: str,
    read_page: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    store: RecordStore[Transaction],
    upsert: Callable[[Any, Transaction], object],
    overlap_seconds: float,
) -> None:
    """Write every new or changed record into a copy.

    `upsert` writes a record over the one that may be there: some come again. Each page moves the
    watermark, so that a process that is killed loses at most the page in hand. The next walk begins
    `overlap_seconds` behind the newest record, for clocks that disagree. Each kind of record needs
    a store of its own name.
    """
    since = _since(path, store.cursor())
    query: dict[str, Any] = {"limit": _RECORDS_PER_PAGE, "updated_since": since}
    while True:
        page = read_page(query)
        data = page["data"]
        if data:
            watermark = _earlier(data[-1]["updated_at"], overlap_seconds)
            # It never moves back; both are UTC in one form, whose order is that of their text.
            place = f"{path} {max(since or watermark, watermark)}"
            store.keep(place, lambda transaction: [upsert(one, transaction) for one in data])
        if page["next_cursor"] is None:
            return
        query["cursor"] = page["next_cursor"]


def _earlier(moment: str, seconds: float) -> str:
    earlier = datetime.fromisoformat(moment) - timedelta(seconds=seconds)
    return f"{earlier:%Y-%m-%dT%H:%M:%S}.{earlier.microsecond // 1000:03}Z"


def _since(path: str, kept: str | None) -> str | None:
    """A store that keeps the place of something else would skip records."""
    if kept is None:
        return None
    kept_path, _, since = kept.partition(" ")
    if kept_path != path:
        raise ValueError(f"This store keeps the place of {kept_path}: name another for {path}")
    return since
