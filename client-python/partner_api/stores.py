"""Stores for the position of followers and copies."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import Callable, Iterator

# Longer than the service keeps events, so no older event is sent again.
_KEPT_DAYS = 31
_BUSY_TIMEOUT_MS = 10_000


class MemoryStore:
    """A store in memory: for experiments, and for work that may be repeated after a restart."""

    def __init__(self) -> None:
        self._cursor: str | None = None
        self._handled: set[str] = set()

    def cursor(self) -> str | None:
        return self._cursor

    def once(self, event_id: str, work: Callable[[None], object]) -> None:
        if event_id not in self._handled:
            work(None)
            self._handled.add(event_id)

    def advance(self, cursor: str) -> None:
        self._cursor = cursor
        self._handled.clear()

    def keep(self, cursor: str, work: Callable[[None], object]) -> None:
        work(None)
        self._cursor = cursor


class SqliteStore:
    """Stores the position in two tables of your database, the same ones as the TypeScript client.

    Use a separate connection, because the store begins and ends transactions. `name` distinguishes followers
    and copies in one database."""

    def __init__(self, connection: sqlite3.Connection, name: str = "events"):
        self._connection = connection
        self._name = name
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS partner_api_cursors (name TEXT PRIMARY KEY, cursor TEXT NOT NULL)"
        )
        connection.execute(
            "CREATE TABLE IF NOT EXISTS partner_api_handled (name TEXT NOT NULL, event_id TEXT NOT NULL,"
            " handled_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (name, event_id))"
        )

    def cursor(self) -> str | None:
        row = self._connection.execute(
            "SELECT cursor FROM partner_api_cursors WHERE name = ?", (self._name,)
        ).fetchone()
        return row[0] if row else None

    def once(self, event_id: str, work: Callable[[sqlite3.Connection], object]) -> None:
        with self._transaction():
            inserted = self._connection.execute(
                "INSERT OR IGNORE INTO partner_api_handled (name, event_id) VALUES (?, ?)",
                (self._name, event_id),
            )
            if inserted.rowcount == 1:
                work(self._connection)

    def advance(self, cursor: str) -> None:
        self._keep_cursor(cursor)
        self._connection.execute(
            "DELETE FROM partner_api_handled WHERE name = ? AND handled_at < datetime('now', ?)",
            (self._name, f"-{_KEPT_DAYS} days"),
        )

    def keep(self, cursor: str, work: Callable[[sqlite3.Connection], object]) -> None:
        with self._transaction():
            work(self._connection)
            self._keep_cursor(cursor)

    def _keep_cursor(self, cursor: str) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO partner_api_cursors VALUES (?, ?)", (self._name, cursor)
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            if not self._connection.in_transaction:
                raise RuntimeError("Your code ended the transaction, which is the store's to end")
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
