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
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def main(arguments: list[str]) -> int:
    """Runs one command and returns its exit status: 0, or 2 for bad input or usage."""
    parser = argparse.ArgumentParser(prog="python -m scorekeeper", description="Keeps the score at a domino table.")
    commands = parser.add_subparsers(dest="command", required=True)
    tally = commands.add_parser("tally", help="the tally of match documents, one JSON document or one a line")
    tally.add_argument("file", help="a match document, or - for standard input")
    kinds = commands.add_parser("schema", help="the JSON Schema of the match document or the tally")
    kinds.add_argument("of", choices=["match", "tally"], nargs="?", default="match")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "schema":
            print(json.dumps(schema.match_document() if chosen.of == "match" else schema.tally(), indent=2))
            return 0
        return answer_all(chosen.file, tally_document)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever read us has gone; exit quietly
        return 1


def answer_all(path: str, answer: Callable[[Any], Any]) -> int:
    """Prints `answer(document)` for each document in the file, in order, an error in the place of a bad one."""
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
        data = sys.stdin.buffer.read() if path == "-" else _read_file(path)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        code = "not_utf8" if isinstance(error, UnicodeDecodeError) else "no_file"
        yield Invalid(code, str(error), path if code == "no_file" else "")
        return
    whole = parse(text)
    if not isinstance(whole, Invalid):
        yield whole
        return
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not _is_json_lines(lines):
        yield whole
        return
    for number, line in lines:
        found = parse(line)
        yield found.within(f"line {number}") if isinstance(found, Invalid) else found


def _read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _is_json_lines(lines: list[tuple[int, str]]) -> bool:
    """Whether lines that make no document together are documents by themselves.

    A broken document spread over lines has lines that are objects too (rounds), but none that names its format.
    """
    if len(lines) < 2:
        return False
    if not isinstance(parse(lines[0][1]), Invalid):
        return True
    return any(isinstance(found := parse(line), dict) and "format" in found for _, line in lines)


def parse(text: str) -> Any:
    """The JSON value of a text, or an `Invalid("not_json")` that says where it breaks."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}" if "\n" in text else f"column {error.colno}"
        return Invalid("not_json", f"not JSON: {error.msg}", place)
    except RecursionError:
        return Invalid("not_json", "nested too deeply")
    except ValueError as error:
        return Invalid("not_json", f"not JSON: {error}")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
