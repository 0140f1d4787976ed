"""Events lost or doubled while servers are killed with phones going off and on: the tests' hail, on each database.

PostgreSQL behind two app processes and nginx, all of them the tests' own (`make services`).
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from bench import Row
from tests import serving
from tests.scale import services
from tests.scale.site import killing, running
from tests.web.test_crash import LIVES, NO_LIMIT, write_through_kills


def bench() -> list[Row]:
    """A figure other than 0 does not come: what finds one stops, and says what it is."""
    services.program("postgres")  # before a minute has gone by
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        home, port = Path(folder), serving.free_port()
        embedded = write_through_kills(port, lambda: serving.start(home / "embedded", port, NO_LIMIT))
        with services.folder() as data, services.folder() as hints:
            postgres, redis = services.Postgres(data), services.Redis(hints)
            postgres.start()
            redis.start()
            try:
                with running(postgres, redis, home / "shared") as site:
                    shared = write_through_kills(site.nginx.port, killing(site))
            finally:
                postgres.stop()
                redis.stop()
    return [
        Row(f"SQLite, {LIVES} × kill -9, {embedded:,} events: lost or doubled", 0, "events", "0"),
        Row(f"PostgreSQL and two processes, {LIVES} × kill -9, {shared:,} events: lost or doubled", 0, "events", "0"),
        Row("time for both", time.monotonic() - began, "s"),
    ]
