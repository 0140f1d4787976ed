"""The command line's `tally`: what it reads, how it answers, and that nothing makes it stumble."""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper import cli
from scorekeeper.core.tally import tally_document
from tests.core import documents

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "scorekeeper", "tally"]
FINE = {"format": "scorekeeper/1", "variant": "block", "players": ["Ani", "Budi"],
        "rounds": [{"ended": "domino", "by": 0, "hands": [[], 7]}]}
BAD = {**FINE, "players": ["Ani", ""]}
REFUSED = {"code": "name_missing", "message": "a player needs a name", "at": "players[1]"}


def run(data: bytes | str, *arguments: str, **options: Any) -> tuple[int, list[Any], bytes]:
    """Exit status, the answers, and what was said on standard error."""
    data = data.encode("utf-8") if isinstance(data, str) else data
    ran = subprocess.run([*COMMAND, *(arguments or ("-",))], input=data, capture_output=True, cwd=ROOT, **options)
    return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()], ran.stderr


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(FINE, indent=2))
    assert run("", str(path)) == (0, [tally_document(FINE)], b"")


@pytest.mark.parametrize("text", [
    json.dumps(FINE), json.dumps(FINE) + "\n\n", json.dumps(FINE, indent=2), "\n\n" + json.dumps(FINE, indent="\t"),
    json.dumps(FINE, indent=2).replace("\n", "\r\n"), "\ufeff" + json.dumps(FINE, indent=2),
], ids=["one line", "empty lines after", "many lines", "tabs", "Windows lines", "a byte order mark"])
def test_one_document(text: str) -> None:
    assert run(text) == (0, [tally_document(FINE)], b"")


def test_json_lines_are_answered_in_order_with_errors_in_their_place() -> None:
    others = [documents.make(Random(seed), variant) for seed, variant in enumerate(documents.MAKERS)]
    text = "\n".join(["\ufeff" + json.dumps(others[0]), json.dumps(BAD), "", "{broken", json.dumps(others[1]), "17",
                      json.dumps(others[2]) + "\r", json.dumps(others[3])])
    status, answers, said = run(text)
    assert (status, said) == (2, b"")
    assert [answers[place] for place in (0, 3, 5, 6)] == [tally_document(other) for other in others]
    assert answers[1] == {"error": REFUSED}
    assert answers[2]["error"]["code"] == "not_json" and answers[2]["error"]["at"] == "line 4 column 2"
    assert answers[4]["error"]["code"] == "wrong_type"


def test_a_broken_first_line_does_not_hide_the_others() -> None:
    status, answers, _ = run("{broken\n" + json.dumps(FINE) + "\n")
    assert status == 2 and [answer.get("status") for answer in answers] == [None, "playing"]
    status, answers, _ = run("{\n" + json.dumps(FINE) + "\n")
    assert status == 2 and [answer.get("status") for answer in answers] == [None, "playing"]
    status, answers, _ = run("broken\nbroken too\n")
    assert status == 2 and [answer["error"]["at"] for answer in answers] == ["line 1 column 1", "line 2 column 1"]


def test_bytes_that_are_no_text_spoil_only_their_own_line() -> None:
    status, answers, _ = run(json.dumps(FINE).encode() + b'\n{"\xff"}\n' + json.dumps(FINE).encode())
    assert status == 2 and answers[0] == answers[2] == tally_document(FINE)
    assert (answers[1]["error"]["code"], answers[1]["error"]["at"]) == ("not_utf8", "line 2 byte 3")


def test_a_broken_document_over_many_lines_is_one_error() -> None:
    text = json.dumps(FINE, indent=2)
    status, answers, _ = run(text.replace('"by": 0,', '"by": 0'))
    assert status == 2 and len(answers) == 1
    assert answers[0]["error"]["code"] == "not_json" and answers[0]["error"]["at"].startswith("line 12 ")
    status, answers, _ = run(text[:-20])
    assert status == 2 and len(answers) == 1


@pytest.mark.parametrize(("data", "code"), [
    (b"", "not_json"), (b"\n \n", "not_json"), (b"NaN", "not_json"), (b"-Infinity", "not_json"),
    (b'{"format": "scorekeeper/1", "x": NaN}', "not_json"), (b"1e999", "wrong_type"), (b"[" * 100_000, "not_json"),
    (b"[" * 100_000 + b"]" * 100_000, "not_json"), (b'{"a":' * 50_000, "not_json"), (b"9" * 5000, "not_json"),
    (b"\xff\xfe{\x00}\x00", "not_utf8"), (b"\x00", "not_json"), (b'"\\ud800"', "wrong_type"), (b"null", "wrong_type"),
    (b'{"\\ud800": 1, "format": "scorekeeper/1"}', "unknown_field"), (b"{'format': 1}", "not_json"),
], ids=lambda value: str(value[:12]))
def test_what_is_no_document(data: bytes, code: str) -> None:
    status, answers, said = run(data)
    assert (status, said) == (2, b"")
    assert [answer["error"]["code"] for answer in answers] == [code]
    assert answers[0]["error"].keys() == {"code", "message", "at"}


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json", tmp_path / "l\udcffst"):
        status, answers, said = run("", os.fsdecode(path))
        assert (status, said, answers[0]["error"]["code"]) == (2, b"", "no_file")
        assert answers[0]["error"]["at"]


@pytest.mark.parametrize("arguments", [(), ("tally",), ("tally", "a", "b"), ("total", "-"), ("tally", "--fast", "-")])
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    ran = subprocess.run([sys.executable, "-m", "scorekeeper", *arguments], capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 2 and ran.stdout == ""
    assert ran.stderr.startswith("usage: python -m scorekeeper")


def test_whoever_reads_may_go_away() -> None:
    data = (json.dumps(FINE) + "\n").encode() * 20_000
    with subprocess.Popen([*COMMAND, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=ROOT) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(data)
        process.stdin.close()
        assert json.loads(process.stdout.readline()) == tally_document(FINE)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [("tally", "-"), ("schema",)])
def test_a_full_disk_is_told_without_a_traceback(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run([sys.executable, "-m", "scorekeeper", *arguments], input=json.dumps(FINE).encode(),
                             stdout=full, stderr=subprocess.PIPE, cwd=ROOT)
    assert ran.returncode == 1
    assert ran.stderr.count(b"\n") == 1 and b"No space left" in ran.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a shell's redirection")
@pytest.mark.parametrize(("redirection", "status"), [("<&-", 2), ("</dev/null >&-", 1)])
def test_closed_streams(redirection: str, status: int) -> None:
    line = f'"{sys.executable}" -m scorekeeper tally - {redirection}'
    ran = subprocess.run(line, shell=True, capture_output=True, cwd=ROOT)
    assert (ran.returncode, ran.stderr) == (status, b"")


def answer(data: bytes, path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[Any]]:
    """The same within this process: much faster than a new Python."""
    path.write_bytes(data)
    status = cli.main(["tally", str(path)])
    printed = capsys.readouterr()
    assert printed.err == ""
    return status, [json.loads(line) for line in printed.out.splitlines()]


@pytest.mark.parametrize("variant", documents.MAKERS)
def test_mutated_documents(variant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for seed in range(500):
        dice = Random(f"cli {variant} {seed}")
        lines.append(json.dumps(documents.mutate(dice, documents.make(dice, variant))))
    status, answers = answer("\n".join(lines).encode(), tmp_path / "lines", capsys)
    errors = [each["error"] for each in answers if "error" in each]
    assert len(answers) == len(lines) and status == 2
    assert 150 < len(errors) < 500
    for error in errors:
        assert error["code"].isidentifier() and error["message"] and isinstance(error["at"], str)
        assert error["at"] or error["code"] in ("wrong_type", "unknown_field")


@pytest.mark.parametrize("variant", documents.MAKERS)
def test_cut_and_flipped_bytes(variant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(200):
        dice = Random(f"bytes {variant} {seed}")
        data = bytearray(json.dumps(documents.make(dice, variant), indent=dice.choice([None, 1])).encode())
        for _ in range(dice.randint(1, 3)):
            place = dice.randrange(len(data))
            if dice.random() < 0.2:
                del data[place:]
            elif data:
                data[place % len(data)] = dice.randrange(256)
        status, answers = answer(bytes(data), tmp_path / "match", capsys)
        assert answers and (status == 2) == any("error" in each for each in answers)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.sampled_from(
        ["format", "variant", "players", "rounds", "ended", "hands", "by", "rules"]), inner, max_size=4),
)


@given(value=JSON, variant=st.sampled_from([*documents.MAKERS, "chess"]), key=st.sampled_from(
    ["players", "sides", "rules", "start", "first_opener", "rounds", "format"]))
def test_any_json_has_an_answer(value: Any, variant: str, key: str) -> None:
    data = json.dumps(documents.make(Random(1), "block") | {"variant": variant, key: value}).encode()
    found = cli.parse(data)
    for each in (found, value):
        if isinstance(each, cli.Invalid):
            assert each.code == "not_json"
            continue
        try:
            assert tally_document(each)["status"] in ("playing", "finished")
        except cli.Invalid as error:
            assert error.code and isinstance(error.at, str) and error.message.isprintable()


@given(data=st.binary() | st.text().map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_have_an_answer(data: bytes) -> None:
    assert not isinstance(cli.parse(data), bytes)


def test_it_runs_on_bare_python() -> None:
    """Without site packages and settings, and importing nothing but the standard library and the core."""
    script = ("import sys; sys.path.insert(0, sys.argv[1]); from scorekeeper import cli; "
              "status = cli.main(['tally', '-']); names = {name.split('.')[0] for name in sys.modules}; "
              "print(sorted(names - set(sys.stdlib_module_names) - {'__main__'})); "
              "print(sorted(name for name in sys.modules if name.startswith('scorekeeper') "
              "and not name.startswith('scorekeeper.core'))); sys.exit(status)")
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", script, str(ROOT)], input=json.dumps(FINE),
                         capture_output=True, text=True, env={}, cwd="/")
    assert (ran.returncode, ran.stderr) == (0, "")
    tallied, foreign, own = ran.stdout.splitlines()
    assert json.loads(tallied) == tally_document(FINE)
    assert foreign == "['scorekeeper']" and own == "['scorekeeper', 'scorekeeper.cli']"


def test_the_module_itself_runs_without_site_packages() -> None:
    ran = subprocess.run([sys.executable, "-S", "-m", "scorekeeper", "tally", "-"], input=json.dumps(FINE),
                         capture_output=True, text=True, env={}, cwd=ROOT)
    assert (ran.returncode, ran.stderr, json.loads(ran.stdout)) == (0, "", tally_document(FINE))
