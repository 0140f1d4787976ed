"""PostgreSQL as this app uses it: several processes at once, kept apart by row locks and one lock for migrations."""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, func, select

# Any number will do, as long as every version of the app takes the same one.
MIGRATIONS = 5_090_119_991
# Seconds. Who waits longer for a row hears of an error, as with SQLite's busy time-out; a process that was stopped in
# the middle of a transaction does not keep its match from the others for good.
LOCK, IDLE, CONNECT, POOL = 5, 60, 5, 10


def engine(url: URL, **options: Any) -> Engine:
    """The engine for reading and writing. What the address itself says (`?connect_timeout=…`) is left as it is."""
    told = {
        "application_name": "scorekeeper",
        "connect_timeout": CONNECT,
        "options": f"-c lock_timeout={LOCK}s -c idle_in_transaction_session_timeout={IDLE}s",
    }
    connect = {name: value for name, value in told.items() if name not in url.query}
    # pre_ping: after a restart of the database the first request finds a new connection, not a dead one.
    return create_engine(
        url, pool_size=10, max_overflow=10, pool_timeout=POOL, pool_pre_ping=True, connect_args=connect, **options
    )


def one_at_a_time(connection: Connection) -> None:
    """Waits until no other process migrates; the others wait from here on to the end of the transaction."""
    # Waiting for the first one's migration is no hang, however long that takes.
    connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
    connection.execute(select(func.pg_advisory_xact_lock(MIGRATIONS)))
