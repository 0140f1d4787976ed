"""The command line's commands: JSON in, JSON out, exit status 2 if any input was bad."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from .core import schema
from .core.errors import Invalid
from .core.tally import tally_document

BAD_INPUT = 2
BOM = b"\xef\xbb\xbf"
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def main(arguments: list[str]) -> int:
    """Runs one command. Its exit status is 0, 2 for bad input or usage, 1 if nobody takes the answer."""
    parser = argparse.ArgumentParser(prog="python -m scorekeeper", description="Keeps the score of dominoes.")
    commands = parser.add_subparsers(dest="command", required=True)
    tally = commands.add_parser("tally", help="the tally of match documents, one JSON document or one a line")
    tally.add_argument("file", help="a match document, or - for standard input")
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
        return answer_all(chosen.file, tally_document)
    except OSError as error:  # in writing: reading has its own
        if not isinstance(error, BrokenPipeError):
            print(f"python -m scorekeeper: {error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to flush goes there
        return 1


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
