"""The history of the tables, run at start-up: nobody has to remember a command.

A step is a file in versions/, `v0002_what_it_does.py` with `revision = "0002"`, never edited once it has been
released. Written by hand: the test that compares the result with tables.py prints what is missing.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, column, inspect, select, table

from scorekeeper.store.errors import TooNew

HOME = Path(__file__).parent
STEPS = sorted(path.name[1:].partition("_")[0] for path in (HOME / "versions").glob("v*.py"))


def present(connection: Connection) -> str | None:
    """The last step the database has seen; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    step: str | None = connection.scalar(select(column("version_num")).select_from(table("alembic_version")))
    return step


def upgrade(connection: Connection) -> None:
    """Runs the missing steps in the connection's transaction. Raises `TooNew` for unknown ones."""
    step = present(connection)
    if step == STEPS[-1]:
        return
    if step is not None and step not in STEPS:
        raise TooNew(f"the database is at step {step}; this version of the app knows steps up to {STEPS[-1]}")
    # Half a second of imports that most starts can do without.
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(HOME).replace("%", "%%"))
    command.upgrade(config, "head")
