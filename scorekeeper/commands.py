"""What `python app.py` does besides serving: backup, restore, archive."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scorekeeper.store import backup
from scorekeeper.store.archive import OLD
from scorekeeper.store.database import file_of
from scorekeeper.store.errors import InUse, NotABackup, TooNew
from scorekeeper.store.log import Log

ELSEWHERE = "The database is PostgreSQL: use its own tools, pg_dump and pg_restore, and keep SCOREKEEPER_SECRET too."
REFUSED = (InUse, NotABackup, TooNew, OSError)


def run(arguments: Sequence[str], config: Mapping[str, Any], open_log: Callable[[], Log]) -> int:
    """Does what the arguments say; the exit status: 0, 1 where it could not be done, 2 for arguments that are none.

    `config`: as `app.settings` gives it. `open_log`: opens the database as the app does.
    """
    parser = argparse.ArgumentParser(prog="app.py", description="Serves the app; with a command, does that instead.")
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("backup", help="copy the embedded database, also while the app runs")
    made.add_argument("file", type=Path, metavar="FILE", help="where to; must not exist yet")
    back = commands.add_parser("restore", help="put a copy back, while the app does not run")
    back.add_argument("file", type=Path, metavar="FILE", help="what backup wrote")
    commands.add_parser("archive", help=f"archive what nobody has touched for {OLD.days} days; the app does it daily")
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "archive":
            return _archive(open_log)
        return _copy(asked.command, asked.file, config)
    except REFUSED as error:
        print(error, file=sys.stderr)
        return 1


def _copy(command: str, file: Path, config: Mapping[str, Any]) -> int:
    database = file_of(config["DATABASE"])
    if database is None:
        print(ELSEWHERE, file=sys.stderr)
        return 1
    beside = {"secret_key": Path(config["DATA"]) / "secret_key"}
    if command == "backup":
        backup.backup(database, file, beside)
        print(f"{file}: everything up to now, with the key that signs cookies. Keep it where nobody else reads it.")
        return 0
    before = backup.restore(file, database, beside)
    print(f"{database}: as it was in {file}." + (f" What was there before is {before}." if before else ""))
    return 0


def _archive(open_log: Callable[[], Log]) -> int:
    log = open_log()
    try:
        print(f"{log.archive()} matches archived: out of the lists, still at their addresses.")
    finally:
        log.close()
    return 0
