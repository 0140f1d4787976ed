"""The command line's commands: JSON in, JSON out, exit status 2 if any input was bad."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from .core import arena, schema
from .core.engine import position_json, record
from .core.errors import Invalid
from .core.tally import tally_document

BAD_INPUT = 2
BOM = b"\xef\xbb\xbf"
ANSWERS: dict[str, Callable[[Any], Any]] = {
    "tally": tally_document,
    "replay": lambda raw: record.told(record.replay(record.read(raw))),
    "legal": position_json.answer,
}
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def main(arguments: list[str]) -> int:
    """Runs one command. Its exit status is 0, 2 for bad input or usage, 1 if nobody takes the answer."""
    parser = argparse.ArgumentParser(prog="python -m scorekeeper", description="Keeps the score of dominoes.")
    commands = parser.add_subparsers(dest="command", required=True)
    tally = commands.add_parser("tally", help="the tally of match documents, one JSON document or one a line")
    tally.add_argument("file", help="a match document, or - for standard input")
    replays = commands.add_parser("replay", help="practice records played again: deals, turns, the match document")
    replays.add_argument("file", help="a practice record, or - for standard input")
    legal = commands.add_parser("legal", help="the legal moves of positions, for cross-checks with other engines")
    legal.add_argument("file", help="a position, or - for standard input")
    contest = commands.add_parser("arena", help="matches between bots, who won and how fast")
    contest.add_argument("--variant", required=True)
    contest.add_argument("--seats", required=True, help="a level for each seat, with commas between")
    contest.add_argument("--matches", type=int, default=100)
    contest.add_argument("--seed", type=int, default=1, help="the first match's; each further one has the next")
    contest.add_argument("--rules", default="{}", help="house rules, a JSON object")
    contest.add_argument("--workers", type=int, default=1, help="processes; the result is the same with any number")
    kinds = commands.add_parser("schema", help="the JSON Schema of the match document or the tally")
    kinds.add_argument("of", choices=["match", "tally"], nargs="?", default="match")
    chosen = parser.parse_args(arguments)
    if sys.stdout is None:
        return 1
    try:
        if chosen.command == "schema":
            print(json.dumps(schema.match_document() if chosen.of == "match" else schema.tally(), indent=2))
            sys.stdout.flush()
            return 0
        if chosen.command == "arena":
            return print_arena(chosen)
        return answer_all(chosen.file, ANSWERS[chosen.command])
    except OSError as error:  # in writing: reading has its own
        if not isinstance(error, BrokenPipeError):
            print(f"python -m scorekeeper: {error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to flush goes there
        return 1


def print_arena(chosen: argparse.Namespace) -> int:
    """Plays the matches, with a progress bar on a terminal, and prints the outcome."""
    try:
        rules = parse(chosen.rules.encode())
        if isinstance(rules, Invalid):
            raise rules.within("rules")
        told = Bar(chosen.matches) if sys.stderr.isatty() else None
        outcome = arena.contest(chosen.variant, rules, chosen.seats.split(","), chosen.matches, chosen.seed,
                                workers=chosen.workers, clock=time.perf_counter, progress=told)
    except Invalid as error:
        print(_encode(error.as_dict()))
        return BAD_INPUT
    print(_encode(outcome))
    return 0


class Bar:
    """A progress bar on standard error."""

    def __init__(self, whole: int) -> None:
        self.whole, self.done = whole, 0

    def __call__(self) -> None:
        self.done += 1
        filled = 30 * self.done // self.whole
        end = "\n" if self.done == self.whole else ""
        print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {self.done}/{self.whole}", end=end, file=sys.stderr, flush=True)


def answer_all(path: str, answer: Callable[[Any], Any]) -> int:
    """Prints `answer(document)` for each document in the file, in order, or the error of a bad one."""
    status, out = 0, sys.stdout.buffer
    for document in read_documents(path):
        try:
            if isinstance(document, Invalid):
                raise document
            line = _encode(answer(document))
        except Invalid as error:
            status, line = BAD_INPUT, _encode(error.as_dict())
        out.write(line.encode("utf-8", "backslashreplace") + b"\n")
    out.flush()
    return status


def read_documents(path: str) -> Iterator[Any]:
    """The documents of a file, or `Invalid` in the place of what cannot be read.

    A file is one document over any number of lines, or JSON Lines.
    """
    try:
        data = _read_file(path)
    except OSError as error:
        yield Invalid("no_file", str(error), path)
        return
    data = data.removeprefix(BOM)
    whole = parse(data)
    if not isinstance(whole, Invalid):
        yield whole
        return
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not _is_json_lines([line for _, line in lines]):
        yield whole
        return
    for number, line in lines:
        found = parse(line)
        yield found.within(f"line {number}") if isinstance(found, Invalid) else found


def _read_file(path: str) -> bytes:
    if path == "-":
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def _is_json_lines(lines: list[bytes]) -> bool:
    """Whether lines that make no document together are documents by themselves, some of them broken.

    The first line of a document spread over lines stops short and asks for more. If a broken JSON Line does
    the same, the others still tell: lines of a document are objects at times, but none names its format.
    """
    if len(lines) < 2:
        return False
    return not _stops_short(lines[0]) or any(
        isinstance(found := parse(line), dict) and "format" in found for line in lines)


def _stops_short(line: bytes) -> bool:
    """Whether a line is no JSON yet, but may become some with more text after it."""
    try:
        text = line.decode("utf-8").rstrip()
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text)
    except (ValueError, RecursionError):
        pass
    return False


def parse(data: bytes) -> Any:
    """The JSON value of UTF-8 text, or an `Invalid` (`not_utf8`, `not_json`) that says where it breaks."""
    try:
        text = data.decode("utf-8")
        return json.loads(text, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        return Invalid("not_utf8", f"not UTF-8: {error.reason}", f"byte {error.start + 1}")
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}" if "\n" in text else f"column {error.colno}"
        return Invalid("not_json", f"not JSON: {error.msg}", place)
    except RecursionError:
        return Invalid("not_json", "nested too deeply")
    except ValueError as error:
        return Invalid("not_json", f"not JSON: {error}")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
