"""The base class of all resources."""

from __future__ import annotations

from typing import Any, Callable, Mapping, TypeVar
from urllib.parse import quote

from .listing import Listing
from .sync import RecordStore, sync
from .transport import Answer, Options, Transport, WriteOptions

Transaction = TypeVar("Transaction")


class Resource:
    def __init__(self, transport: Transport):
        self._transport = transport

    @staticmethod
    def _segment(value: object) -> str:
        """Encode a value as one path segment."""
        return quote(str(value), safe="")

    def _read(self, path: str, options: Options) -> Any:
        return self._transport.read(path, {}, options)

    def _read_bytes(self, path: str, options: Options) -> Answer:
        return self._transport.read_bytes(path, options)

    def _list(self, path: str, query: Mapping[str, Any], options: Options) -> Listing[Any]:
        return Listing(
            lambda cursor: self._transport.read(
                path, query if cursor is None else {**query, "cursor": cursor}, options
            )
        )

    def _write(self, path: str, body: object, dry_run: bool, options: WriteOptions) -> Any:
        return self._transport.write(path, body or {}, options, dry_run)

    def _sync(
        self,
        path: str,
        store: RecordStore[Transaction],
        upsert: Callable[[Any, Transaction], object],
        overlap_seconds: float,
    ) -> None:
        sync(
            path,
            lambda query: self._transport.read(path, query, {}),
            store,
            upsert,
            overlap_seconds,
        )
