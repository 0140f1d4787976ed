"""Copies of the embedded database: whole, of one moment, made while the app runs and put back when it does not."""

import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from scorekeeper.store import backup
from scorekeeper.store.errors import InUse, NotABackup, TooNew

ROOT = Path(__file__).parents[2]
CREATED = {"type": "created"}
BACKUP = """
import sys
from pathlib import Path
from scorekeeper.store import backup
backup.backup(*map(Path, sys.argv[1:]), {})
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "data" / "log.db"


@pytest.fixture
def url(file):
    return f"sqlite:///{file}"


@pytest.fixture
def copy(tmp_path):
    return tmp_path / "copy"


@pytest.fixture
def beside(file):
    return {"secret_key": file.parent / "secret_key"}


def test_what_is_copied_comes_back_with_its_key(open_log, file, copy, beside):
    log = open_log()
    match_id = log.create("ani", [CREATED], "k").match_id
    beside["secret_key"].write_text("our key")
    backup.backup(file, copy, beside)
    log.append(match_id, [{"type": "later"}], expected=1, key="a")
    log.close()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    beside["secret_key"].write_text("another key")
    aside = backup.restore(copy, file, beside)
    assert beside["secret_key"].read_text() == "our key"
    assert stat.S_IMODE(beside["secret_key"].stat().st_mode) == stat.S_IMODE(file.stat().st_mode) == 0o600
    log = open_log()
    assert [each.type for each in log.read(match_id)] == ["created"]
    assert log.append(match_id, [{"type": "x"}], expected=1, key="b").version == 2
    log.close()
    assert aside
    with closing(sqlite3.connect(aside)) as old:
        assert old.execute("SELECT type FROM event ORDER BY version").fetchall() == [("created",), ("later",)]
    assert not list(file.parent.glob("*.half"))


def test_a_copy_comes_up_on_an_empty_machine(open_log, file, copy, beside):
    log = open_log()
    log.create("ani", [CREATED], "k")
    log.close()
    backup.backup(file, copy, beside)  # also while nothing runs
    shutil.rmtree(file.parent)
    assert backup.restore(copy, file, beside) is None
    assert len(open_log().matches_of("ani", 9)) == 1


@pytest.mark.slow
def test_copies_made_in_a_hail_of_appends_are_whole(open_log, file, tmp_path):
    log, over, written = open_log(), threading.Event(), {}

    def hail(name):
        match_id = log.create(name, [CREATED], "k").match_id
        for version in count(1):
            written[name] = version
            if over.is_set():
                return
            log.append(match_id, [{"type": "x", "filler": "x" * 2000}], expected=version, key=f"{version}")

    threads = [threading.Thread(target=hail, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    try:
        for number in range(6):
            before = dict(written)
            copy = tmp_path / str(number)
            subprocess.run([sys.executable, "-c", BACKUP, str(file), str(copy)], cwd=ROOT, check=True)
            with closing(sqlite3.connect(copy)) as made:
                assert made.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                rows = made.execute(
                    "SELECT owner, count(*), max(version) FROM event JOIN match ON id = match_id GROUP BY 1").fetchall()
            found = {owner: newest for owner, events, newest in rows if events == newest}
            assert len(found) == len(rows)
            assert all(found.get(name, 0) >= version for name, version in before.items())
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert min(written.values()) > 6
    log.close()
    assert len(open_log().read(log.matches_of("a", 1)[0])) == written["a"]


def test_nothing_is_written_over(open_log, file, copy, beside):
    open_log()
    copy.write_text("something else")
    with pytest.raises(FileExistsError):
        backup.backup(file, copy, beside)
    assert copy.read_text() == "something else"
    with pytest.raises(FileNotFoundError):
        backup.backup(file.with_name("none"), copy.with_name("other"), beside)
    assert not file.with_name("none").exists()


def test_an_app_that_runs_is_not_restored_under_its_feet(open_log, file, copy, beside):
    log = open_log()
    match_id = log.create("ani", [CREATED], "k").match_id
    backup.backup(file, copy, beside)
    with pytest.raises(InUse):
        backup.restore(copy, file, beside)
    assert log.append(match_id, [{"type": "x"}], expected=1, key="a").version == 2
    assert sorted(path.name for path in file.parent.iterdir()) == [
        "log.db", "log.db-shm", "log.db-wal", "log.db.lock"]


@pytest.mark.parametrize("harm", ["no database", "another database", "cut short", "a page lost", "from tomorrow"])
def test_what_is_no_copy_is_refused(open_log, file, copy, beside, harm):
    log = open_log()
    match_id = log.create("ani", [CREATED], "k").match_id
    log.append(match_id, [{"type": "x", "filler": "x" * 3000}] * 50, expected=1, key="a")
    backup.backup(file, copy, beside)
    log.close()
    if harm == "no database":
        copy.write_text("nothing of the kind" * 1000)
    elif harm == "another database":
        copy.unlink()
        sqlite3.connect(copy).close()
    elif harm == "cut short":
        copy.write_bytes(copy.read_bytes()[:-9000])
    elif harm == "a page lost":
        content = copy.read_bytes()
        copy.write_bytes(content[:8192] + b"\xff" * 4096 + content[12288:])
    else:
        with closing(sqlite3.connect(copy)) as made, made:
            made.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises((NotABackup, TooNew)):
        backup.restore(copy, file, beside)
    assert len(open_log().read(match_id)) == 51


def test_a_damaged_database_can_be_replaced(open_log, file, copy, beside):
    log = open_log()
    match_id = log.create("ani", [CREATED], "k").match_id
    backup.backup(file, copy, beside)
    log.close()
    file.write_bytes(b"\xff" * 5000)
    with pytest.raises(NotABackup):
        backup.backup(file, copy.with_name("other"), beside)
    assert not copy.with_name("other").exists()
    aside = backup.restore(copy, file, beside)
    assert aside and aside.read_bytes() == b"\xff" * 5000
    assert len(open_log().read(match_id)) == 1
