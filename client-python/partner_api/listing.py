"""A list of records, read page by page as you iterate."""

from __future__ import annotations

from itertools import islice
from typing import Any, Callable, Generic, Iterator, TypeVar

Item = TypeVar("Item")


class Listing(Generic[Item]):
    """A list. `for record in listing` iterates over its records and loads pages as needed."""

    def __init__(self, page_at: Callable[[str | None], dict[str, Any]]):
        self._page_at = page_at

    def page(self) -> dict[str, Any]:
        """The first page, or the page of the query's cursor, with `data` and `next_cursor`."""
        return self._page_at(None)

    def pages(self) -> Iterator[dict[str, Any]]:
        """Iterate over pages, for work on many records at once."""
        page = self._page_at(None)
        while True:
            yield page
            if page["next_cursor"] is None:
                return
            page = self._page_at(page["next_cursor"])

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page["data"]

    def all(self, max: int | None = None) -> list[Item]:
        """The records as a list, at most `max`. Loads no more pages than needed."""
        return list(islice(self, max))
