"""Transactions on whichever database the address names: `read()` and `write()`."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event, make_url

from scorekeeper.store import postgres, sqlite


def to_json(value: Any) -> str:
    """`value` as strict JSON in ASCII. ValueError for what JSON cannot say (NaN)."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


SQLITE, POSTGRESQL = "sqlite", "postgresql"
# PostgreSQL has no NUL in its texts, and no database half a surrogate pair. What people type may hold both.
_UNKNOWN_SIGNS = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text as a database keeps it: a sign that it cannot keep becomes U+FFFD."""
    return _UNKNOWN_SIGNS.sub("\ufffd", text)


def _storable_parameters(_connection: Any, _cursor: Any, statement: str, given: Any, *_: Any) -> tuple[str, Any]:
    def clean(row: Any) -> Any:
        if isinstance(row, dict):
            return {name: storable(each) if isinstance(each, str) else each for name, each in row.items()}
        return tuple(storable(each) if isinstance(each, str) else each for each in row)

    return statement, [clean(row) for row in given] if isinstance(given, list) else clean(given)


def _watched(engine: Engine) -> Engine:
    event.listen(engine, "before_cursor_execute", _storable_parameters, retval=True)
    return engine


def file_of(url: str) -> Path | None:
    """The file of an SQLite database; None for another kind. Raises ValueError for SQLite without a file."""
    address = make_url(url)
    return sqlite.file_of(address) if address.get_backend_name() == SQLITE else None


class Database:
    """The engines behind one address.

    SQLite: one writer behind a lock of this process, readers apart from it, the file locked against other
    processes. PostgreSQL keeps its writers apart itself, by row locks, also those of other processes.
    """

    def __init__(self, url: str) -> None:
        """`url`: as SQLAlchemy writes it. Raises `errors.InUse`; ValueError for SQLite without a file, or any
        database but these two."""
        address = make_url(url)
        # Errors end in logs, and the parameters hold players' names.
        options: dict[str, Any] = {"json_serializer": to_json, "hide_parameters": True}
        self._file_lock: int | None = None
        self._write_lock: AbstractContextManager[Any] = nullcontext()
        self._kind = address.get_backend_name()
        if self._kind == SQLITE:
            path = sqlite.file_of(address)
            sqlite.make_file(path)
            self._file_lock = sqlite.take(path)
            self._write_lock = threading.Lock()
            address = address.set(database=str(path))
            self._writer = _watched(sqlite.writer(address, **options))
            self._reader = _watched(sqlite.reader(address, **options))
        elif self._kind == POSTGRESQL:
            self._writer = self._reader = _watched(postgres.engine(address, **options))
        else:
            raise ValueError(f"no database for this app: {self._kind}. There are {SQLITE} and {POSTGRESQL}")

    @property
    def shared(self) -> bool:
        """Whether other processes may have it open too."""
        return self._kind == POSTGRESQL

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """`write`, for one process at a time: several that start at once migrate once."""
        with self.write() as connection:
            if self.shared:
                postgres.one_at_a_time(connection)
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes: committed at the end, rolled back if anything is raised inside."""
        with self._write_lock, self._writer.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that reads. In SQLite it sees one moment throughout and waits for no writer."""
        with self._reader.begin() as connection:
            yield connection

    def close(self) -> None:
        """Closes the connections and frees the file. May be called twice."""
        self._reader.dispose()
        self._writer.dispose()
        if self._file_lock is not None:
            os.close(self._file_lock)
            self._file_lock = None
