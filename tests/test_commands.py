"""`python app.py backup`, `restore` and `archive`, as they are typed."""

import os
import subprocess
import sys
from pathlib import Path

from scorekeeper.store.archive import OLD
from scorekeeper.store.log import Log, utc_now
from tests.serving import ROOT, serving
from tests.web.asking import API, BLOCK


def do(data: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Types it."""
    settings = {**os.environ, "SCOREKEEPER_DATA": str(data), **env}
    command = [sys.executable, "app.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True)


def test_an_evening_is_copied_while_the_app_runs_and_comes_back(tmp_path: Path) -> None:
    import httpx

    data, copy = tmp_path / "data", tmp_path / "copy"
    phone = httpx.Client(headers={"Sec-Fetch-Site": "same-origin"}, trust_env=False, timeout=30)
    with serving(data) as server:
        match_id = phone.post(f"{server}{API}/matches", json={"document": BLOCK}).json()["id"]
        done = do(data, "backup", str(copy))
        assert (done.returncode, done.stderr) == (0, "")
        assert "exists" in do(data, "backup", str(copy)).stderr
        refused = do(data, "restore", str(copy))
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "already open" in refused.stderr and "Traceback" not in refused.stderr
        assert phone.get(f"{server}/m/{match_id}").status_code == 200
    elsewhere = tmp_path / "another machine"
    assert do(elsewhere, "restore", str(copy)).returncode == 0
    with serving(elsewhere) as server:
        # The cookie is still signed by the right key.
        assert phone.get(f"{server}/m/{match_id}").status_code == 200
        assert do(elsewhere, "archive").returncode == 1


def test_old_matches_are_archived_by_hand_too(tmp_path: Path) -> None:
    log = Log(f"sqlite:///{tmp_path / 'scorekeeper.db'}", lambda existing, new: None, lambda: utc_now() - OLD)
    log.create("ani", [{"type": "created"}], "k")
    log.close()
    assert [do(tmp_path, "archive").stdout.split()[0] for _ in range(2)] == ["1", "0"]


def test_what_cannot_be_is_said_in_a_line(tmp_path: Path) -> None:
    for arguments in (["backup", str(tmp_path / "copy")], ["restore", str(tmp_path / "none")]):
        done = do(tmp_path / "data", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    done = do(tmp_path, "backup", str(tmp_path / "copy"), SCOREKEEPER_DATABASE="postgresql+psycopg://nobody@nowhere/x")
    assert done.returncode == 1 and "pg_dump" in done.stderr
    assert do(tmp_path, "bakup").returncode == 2
