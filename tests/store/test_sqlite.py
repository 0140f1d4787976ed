"""What the log asks of SQLite: durable, one writer, readers that only read and never wait."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from scorekeeper.store.errors import InUse
from scorekeeper.store.log import Log

ROOT = Path(__file__).parents[2]
CREATED = {"type": "created"}
HOLD = """
import sys
from scorekeeper.store.log import Log
log = Log(sys.argv[1], lambda existing, new: None)
print("open", flush=True)
sys.stdin.read()
"""


def hold(url):
    """A process that opens the log and keeps it until its input ends."""
    command = [sys.executable, "-c", HOLD, url]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def setting(connection, name):
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_settings(log):
    with log._database.write() as writer, log._database.read() as reader:
        assert setting(writer, "journal_mode") == "wal"
        for connection in (writer, reader):
            assert setting(connection, "synchronous") == 2
            assert setting(connection, "foreign_keys") == 1
            assert setting(connection, "busy_timeout") == 5000
        assert (setting(writer, "query_only"), setting(reader, "query_only")) == (0, 1)


def test_readers_can_only_read(log):
    log.create("ani", [CREATED], "k")
    with pytest.raises(OperationalError, match="readonly"), log._database.read() as reader:
        reader.execute(text("DELETE FROM event"))


def test_a_writer_holds_the_lock_from_the_beginning(log, tmp_path):
    other = sqlite3.connect(tmp_path / "log.db", timeout=0, isolation_level=None)
    with log._database.write(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    other.execute("BEGIN IMMEDIATE")
    other.close()


def test_reading_does_not_wait_for_the_writer(log):
    match_id = log.create("ani", [CREATED], "k").match_id
    with log._database.write() as writer:
        writer.execute(text("UPDATE event SET type = 'unfinished'"))
        assert [each.type for each in log.read(match_id)] == ["created"]
        assert log.owner_of(match_id) == "ani"
        assert log.matches_of("ani", 5) == [match_id]
        writer.rollback()


def test_a_reader_sees_one_moment_throughout(log):
    match_id = log.create("ani", [CREATED], "k").match_id
    with log._database.read() as reader:
        count = text("SELECT count(*) FROM event")
        assert reader.scalar(count) == 1
        log.append(match_id, [{"type": "x"}], expected=1, key="a")
        assert reader.scalar(count) == 1
    assert len(log.read(match_id)) == 2


def test_events_need_their_match(log):
    with pytest.raises(Exception, match="FOREIGN KEY"), log._database.write() as writer:
        writer.execute(text("INSERT INTO event VALUES ('none', 1, 'k', 'f', 't', '{}', NULL, '2026-11-30')"))


def test_only_the_owner_may_read_the_files(tmp_path):
    path = tmp_path / "deep" / "down" / "log.db"
    before = os.umask(0)
    try:
        log = Log(f"sqlite:///{path}", lambda existing, new: None)
        log.create("ani", [CREATED], "k")
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
        log.close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("log.db", "log.db-wal", "log.db-shm", "log.db.lock"), 0o600)


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:log.db?mode=memory&uri=true"]
)
def test_a_database_in_memory_is_refused(url):
    with pytest.raises(ValueError, match="file"):
        Log(url, lambda existing, new: None)


def test_a_second_log_in_this_process_is_refused_until_the_first_is_closed(log, open_log, tmp_path):
    match_id = log.create("ani", [CREATED], "k").match_id
    with pytest.raises(InUse, match=f"log.db is already open .process {os.getpid()}"):
        open_log()
    (tmp_path / "alias.db").symlink_to(tmp_path / "log.db")
    with pytest.raises(InUse):
        Log(f"sqlite:///{tmp_path / 'alias.db'}", lambda existing, new: None)
    log.close()
    log.close()
    assert open_log().owner_of(match_id) == "ani"


def test_a_second_process_is_refused_and_a_killed_one_leaves_no_lock(open_log, url):
    holder = hold(url)
    try:
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(InUse, match=f"process {holder.pid}"):
            open_log()
        second = hold(url)
        _, complaint = second.communicate("")
        assert second.returncode == 1
        assert "is already open" in complaint
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        open_log().create("ani", [CREATED], "k")
    finally:
        holder.kill()
        holder.communicate()
