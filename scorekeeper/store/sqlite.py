"""SQLite as this app uses it: write-ahead log, one writer, readers that can do nothing but read."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

from scorekeeper.store.errors import InUse

BUSY_MS = 5_000
# FULL: a commit that was acknowledged survives a power cut, not only a crash of the process.
COMMON = (f"busy_timeout = {BUSY_MS}", "foreign_keys = ON", "synchronous = FULL")
OWNER_ONLY = 0o600


def file_of(url: URL) -> Path:
    """The database file's full path. ValueError for a database in memory or an SQLite `file:` address:
    reader and writer would see two different databases."""
    name = url.database or ""
    if name in ("", ":memory:") or name.startswith("file:"):
        raise ValueError("the log needs an SQLite file: sqlite:///path/to/file.db")
    return Path(name).resolve()


def make_folder(path: Path) -> None:
    """Makes the folder of a database file."""
    path.parent.mkdir(parents=True, exist_ok=True)


def make_file(path: Path) -> None:
    """Makes a new database file that only its owner may read; SQLite gives -wal and -shm the same mode."""
    make_folder(path)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))


def take(path: Path) -> int:
    """Locks `path` against every other `Log`: the file descriptor to close when done.

    The lock is the kernel's: it ends with the process, however that ends. It sits on a file of its own,
    beside the database, because SQLite has its own locks on the database. Raises `InUse`.
    """
    lock = os.open(path.with_name(path.name + ".lock"), os.O_CREAT | os.O_RDWR, OWNER_ONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(lock, 20).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise InUse(
            f"{path} is already open (process {holder}). One process at a time may use an SQLite file: "
            "stop the other one, or choose another file."
        ) from None
    os.ftruncate(lock, 0)
    os.write(lock, f"{os.getpid()}\n".encode("ascii"))
    return lock


def writer(url: URL, **options: Any) -> Engine:
    """The engine that writes: one connection, every transaction takes the write lock at its beginning.

    A transaction that reads first and asks for the lock later can fail with "database is locked" however
    long it waits.
    """
    engine = create_engine(url, pool_size=1, max_overflow=0, **options)
    return _prepare(engine, ("journal_mode = WAL", *COMMON), "BEGIN IMMEDIATE")


def reader(url: URL, **options: Any) -> Engine:
    """The engine that reads: as many connections as there are readers, each transaction one snapshot."""
    engine = create_engine(url, pool_size=8, max_overflow=-1, **options)
    return _prepare(engine, (*COMMON, "query_only = ON"), "BEGIN")


def _prepare(engine: Engine, pragmas: tuple[str, ...], begin: str) -> Engine:
    event.listen(engine, "connect", _opener(pragmas))
    event.listen(engine, "begin", _beginner(begin))
    return engine


def _opener(pragmas: tuple[str, ...]) -> Callable[[Any, Any], None]:
    def on_connect(connection: Any, record: Any) -> None:
        # The driver must not begin transactions by its own lights: it would begin them deferred, and only
        # before some statements. SQLAlchemy begins them, in the event below.
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()

    return on_connect


def _beginner(begin: str) -> Callable[[Connection], None]:
    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return on_begin
