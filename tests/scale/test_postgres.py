"""What the log asks of PostgreSQL: rows locked by who appends, one migration however many start, a way back to it."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import inspect, text
from sqlalchemy.exc import OperationalError

from scorekeeper.store import migrations
from scorekeeper.store.log import Log
from tests.scale import services

ROOT = Path(__file__).parents[2]
CREATED = {"type": "created"}
OPEN = "import sys; from scorekeeper.store.log import Log; Log(sys.argv[1], print).close()"


def check(existing, new):
    """Anything goes."""


@pytest.fixture
def address(postgres):
    return postgres.fresh()


@pytest.fixture
def log(address):
    log = Log(address, check)
    yield log
    log.close()


def test_processes_that_start_at_once_migrate_once(address):
    command = [sys.executable, "-c", OPEN, address]
    starts = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) for _ in range(6)]
    assert [(start.communicate()[1], start.returncode) for start in starts] == [(b"", 0)] * 6
    log = Log(address, check)
    with log.database.read() as db:
        assert migrations.present(db) == migrations.STEPS[-1]
        assert inspect(db).has_table("event")
    log.close()


def test_an_append_waits_for_the_one_before_it_and_for_no_other_match(log, address):
    ours, theirs = (log.create("ani", [CREATED], key).match_id for key in "ab")
    other, done = Log(address, check), []

    def append():
        done.append(other.append(ours, [{"type": "x"}], expected=1, key="k").version)

    waiting = threading.Thread(target=append)
    with log.database.write() as db:
        db.execute(text("SELECT id FROM match WHERE id = :id FOR UPDATE"), {"id": ours})
        waiting.start()
        while not db.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")):
            pass
        assert other.append(theirs, [{"type": "x"}], expected=1, key="k").version == 2
        assert other.read(ours)[-1].version == 1
        assert done == []
    waiting.join()
    assert done == [2]
    other.close()


def test_who_waits_too_long_hears_of_it(log, address):
    match_id = log.create("ani", [CREATED], "k").match_id
    other = Log(f"{address}?options=-c%20lock_timeout%3D50ms", check)
    with log.database.write() as db:
        db.execute(text("SELECT id FROM match FOR UPDATE"))
        with pytest.raises(OperationalError, match="lock timeout"):
            other.append(match_id, [{"type": "x"}], expected=1, key="a")
    assert other.append(match_id, [{"type": "x"}], expected=1, key="a").version == 2
    other.close()


def test_a_database_that_was_away_is_found_again():
    with services.folder() as home:
        postgres = services.Postgres(home)
        postgres.start()
        log = Log(postgres.fresh(), check)
        match_id = log.create("ani", [CREATED], "k").match_id
        log.append(match_id, [{"type": "x"}], expected=1, key="a")
        postgres.kill()
        with pytest.raises(OperationalError):
            log.append(match_id, [{"type": "x"}], expected=2, key="b")
        postgres.start()
        assert log.append(match_id, [{"type": "x"}], expected=1, key="a").replayed
        assert log.append(match_id, [{"type": "x"}], expected=2, key="b").version == 3
        log.close()
        postgres.stop()
