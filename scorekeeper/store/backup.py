"""Copies of the embedded database: made while the app writes, put back while it does not run.

A copy is one SQLite file that holds a whole moment, and the key that signs cookies: without it no phone would find
its matches again. Whoever has the copy has both; it is made for its owner's eyes only.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from scorekeeper.store import migrations, sqlite
from scorekeeper.store.errors import NotABackup, TooNew

# In copies only: what belongs to the database and lies beside it.
BESIDE = "beside"
PATIENCE = 30  # seconds for the one moment in which nobody may write


def backup(database: Path, target: Path, beside: dict[str, Path]) -> None:
    """Writes a copy of `database` to `target`, which appears when it is complete and not before.

    Safe while the app runs: it reads one moment and holds up nobody. `beside`: files to go along, by name; those that
    do not exist are left out. Raises FileNotFoundError without a database, FileExistsError for a `target` that is
    there, OSError where it cannot be written, `NotABackup` for a database that is damaged.
    """
    if not database.exists():
        raise FileNotFoundError(f"there is no database at {database}")
    if target.exists():
        raise FileExistsError(f"{target} exists: nothing is written over it")
    with _half(target) as half:
        try:
            _copy(database, half, {name: path.read_bytes() for name, path in beside.items() if path.exists()})
        except sqlite3.DatabaseError as error:
            raise NotABackup(f"{database} cannot be copied: {error}") from None
        _examine(half)
        _keep(half, target)


def restore(source: Path, database: Path, beside: dict[str, Path]) -> Path | None:
    """Puts a copy in the place of `database`: where the one before it is kept; None if there was none.

    Raises `InUse` while the app has the database open, FileNotFoundError, `NotABackup`, `TooNew`; nothing is changed
    then.
    """
    if not source.exists():
        raise FileNotFoundError(f"there is no {source}")
    _examine(source)
    sqlite.make_folder(database)
    lock = sqlite.take(database)
    try:
        with _half(database) as half:
            # Through SQLite, which also takes a copy in that is not tidied up.
            with closing(_open(source, "ro")) as copy, closing(sqlite3.connect(half)) as made:
                copy.backup(made)
                kept = dict(made.execute(f"SELECT name, content FROM {BESIDE}"))
                with made:
                    made.execute(f"DROP TABLE {BESIDE}")
            before = _set_aside(database)
            for name, content in kept.items():
                if name in beside:
                    _write(beside[name], content)
            _keep(half, database)
        return before
    finally:
        os.close(lock)


def _copy(database: Path, target: Path, beside: dict[str, bytes]) -> None:
    # Reads only. SQLite's trouble with several processes begins where two of them write or tidy up the log.
    with closing(_open(database, "ro")) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, whole by itself
        with copy:
            copy.execute(f"CREATE TABLE {BESIDE} (name TEXT PRIMARY KEY, content BLOB NOT NULL)")
            copy.executemany(f"INSERT INTO {BESIDE} VALUES (?, ?)", beside.items())


def _open(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, timeout=PATIENCE)


@contextmanager
def _half(target: Path) -> Iterator[Path]:
    """A name beside `target` to write to, which only its owner may read; gone at the end unless it was kept."""
    half = target.with_name(f"{target.name}.{secrets.token_hex(4)}.half")
    os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_RDWR, sqlite.OWNER_ONLY))
    try:
        yield half
    finally:
        half.unlink(missing_ok=True)


def _keep(half: Path, target: Path) -> None:
    """Gives it its name once it is on the disk, so that a power cut leaves the old or the new, not a part."""
    _sync(half)
    half.replace(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _write(path: Path, content: bytes) -> None:
    with _half(path) as half:
        half.write_bytes(content)
        _keep(half, path)


def _set_aside(database: Path) -> Path | None:
    """Renames the database, with all that its log still holds written into it; a damaged one as it is."""
    if not database.exists():
        return None
    try:
        with closing(_open(database, "rw")) as last:
            last.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            last.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.DatabaseError:
        pass  # what is left of its log goes along
    aside = database.with_name(f"{database.name}.before-{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}")
    for end in ("-wal", "-shm", ""):
        part = database.with_name(database.name + end)
        if part.exists():
            part.rename(aside.with_name(aside.name + end))
    return aside


def _examine(path: Path) -> None:
    """Raises `NotABackup`, `TooNew`."""
    try:
        with closing(_open(path, "ro")) as copy:
            (told,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            if told != "ok":
                raise NotABackup(f"{path} is damaged: {told}")
            if copy.execute("PRAGMA foreign_key_check").fetchone():
                raise NotABackup(f"{path} is damaged: something in it belongs to nothing")
            (step,) = copy.execute("SELECT version_num FROM alembic_version").fetchone()
            copy.execute(f"SELECT count(*) FROM {BESIDE}")
    except (sqlite3.DatabaseError, TypeError) as error:
        raise NotABackup(f"{path} was not made by backup, or is damaged: {error}") from None
    if step not in migrations.STEPS:
        raise TooNew(f"{path} is at step {step}; this version of the app knows steps up to {migrations.STEPS[-1]}")
