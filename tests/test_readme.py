"""What the README shows is so: its commands run, its pictures and files exist."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import serving

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
SHELL = [body for language, body in BLOCKS if language == "sh"]


def run(commands: str, folder: Path) -> str:
    """Runs shell commands as a reader would, from a folder of their own, and returns what they print."""
    here = commands.replace("python3 -m scorekeeper", f"PYTHONPATH={ROOT} {sys.executable} -m scorekeeper")
    done = subprocess.run(["bash", "-euc", here], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_two_commands_are_the_makefiles() -> None:
    for target in ("run", "test"):
        assert f"make {target}" in SHELL[0]
        subprocess.run(["make", "-n", target], cwd=ROOT, check=True, capture_output=True)


def test_the_match_document_gives_the_tally_shown(tmp_path: Path) -> None:
    answer = json.loads(run(SHELL[1], tmp_path))
    shown = next(json.loads(body) for language, body in BLOCKS if language == "json")
    assert answer["rounds"][0]["why"][-1] == shown
    assert answer["rounds"][0]["winner"] == 1


def test_the_api_call_answers_with_the_same_tally(tmp_path: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("no curl")
    expected = json.loads(run(SHELL[1], tmp_path))
    with serving(tmp_path / "data") as server:
        answer = run(SHELL[2].replace("localhost:8000", server.url.removeprefix("http://")), tmp_path)
    assert json.loads(answer) == expected


def test_bots_play_and_a_position_has_its_legal_moves(tmp_path: Path) -> None:
    outcome, position = map(json.loads, run(SHELL[3], tmp_path).splitlines())
    assert outcome["matches"] == sum(outcome["wins"]) == 5
    assert position == {"seat": 0, "legal": ["6-6"]}


def test_the_pictures_exist() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert len(pictures) == 3
    for picture in pictures:
        assert (ROOT / picture).read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`([\w/.]+(?:\.py|\.html|/))`", README))))
def test_the_files_it_names_exist(path: str) -> None:
    homes = (ROOT, ROOT / "scorekeeper/core")
    if "yours" not in path and path != "var/":
        assert any((home / path).exists() for home in homes)
