"""The JSON in a request's body, read strictly: what two programs could read differently is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from scorekeeper.core.errors import Invalid, shown, wrong_type

MOST_DEPTH = 16  # lists and objects within each other; a match document in a request has seven


class NotJson(Invalid):
    """A body that is no JSON, or JSON that is not to be trusted."""


@dataclass(frozen=True)
class _Flaw:
    """Stands in for a number that JSON does not have, so that its place can be told."""

    message: str


class _Pairs(list[tuple[str, Any]]):
    """An object as it was written, a key given twice included."""


def read() -> Any:
    """The value in the body. Raises `NotJson`; UnsupportedMediaType (415) and its kin from Werkzeug."""
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("the body must be application/json")
    data = request.get_data()
    if request.content_length is None and len(data) >= (request.max_content_length or len(data) + 1):
        raise RequestEntityTooLarge  # a body of unannounced length is cut off there
    return parse(data)


def fields(raw: Any, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """The object `raw`, if it has the needed keys and no others than these. Raises `Invalid`."""
    if type(raw) is not dict:
        raise wrong_type("a JSON object")
    for key in raw:
        if key not in needed + optional:
            raise Invalid("unknown_field", f"the request has no {shown(key)}", key[:40])
    for key in needed:
        if key not in raw:
            raise Invalid("field_missing", f"the request needs {key}", key)
    return raw


def parse(data: bytes) -> Any:
    """The value of a JSON text in UTF-8. Raises `NotJson` with the place, as a path or as a column."""
    try:
        text = data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse, parse_float=_float)
        if not _too_deep(value):
            return value
    except UnicodeDecodeError as error:
        raise NotJson("not_utf8", f"not UTF-8: {error.reason}", f"byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise NotJson("not_json", f"not JSON: {error.msg}", f"line {error.lineno} column {error.colno}") from None
    except RecursionError:
        raise NotJson("too_deep", f"nested more than {MOST_DEPTH} deep") from None
    except ValueError:
        pass
    raise _flaw_of(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


def _refuse(_name: str) -> NoReturn:
    raise ValueError


def _float(digits: str) -> float:
    found = float(digits)
    if found in (float("inf"), float("-inf")):
        raise ValueError
    return found


def _too_deep(value: Any) -> bool:
    """Level by level, so that no depth can exhaust the stack."""
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            child
            for each in level
            if type(each) in (dict, list)
            for child in (each.values() if type(each) is dict else each)
        ]
        if not level:
            return False
    return True


def _flaw_of(text: str) -> NotJson:
    """What is wrong with a JSON text that can be read but must not be, and where: the first such place."""

    def number(kind: Any) -> Any:
        def read_number(digits: str) -> Any:
            try:
                return kind(digits)
            except ValueError:
                return _Flaw("a number too large to be one")

        return read_number

    value = json.loads(
        text,
        object_pairs_hook=_Pairs,
        parse_float=number(_float),
        parse_int=number(int),
        parse_constant=lambda name: _Flaw(f"{name} is no number"),
    )
    for place, depth, each in _walk(value):
        if isinstance(each, _Flaw):
            return NotJson("not_json", f"not JSON: {each.message}", place)
        if depth >= MOST_DEPTH:
            return NotJson("too_deep", f"nested more than {MOST_DEPTH} deep", place)
        seen: set[str] = set()
        for key, _child in each if isinstance(each, _Pairs) else ():
            if key in seen:
                return NotJson("key_twice", f"{shown(key)} is given twice", f"{place}.{key[:40]}".lstrip("."))
            seen.add(key)
    return NotJson("not_json", "not JSON")


def _walk(value: Any) -> Iterator[tuple[str, int, Any]]:
    """Place, depth and value of everything in `value`, in the order of the text."""
    left = [("", 0, value)]
    while left:
        place, depth, each = left.pop()
        yield place, depth, each
        children: list[tuple[str, Any]] = []
        if isinstance(each, _Pairs):
            children = [(f"{place}.{key[:40]}".lstrip("."), child) for key, child in each]
        elif isinstance(each, list):
            children = [(f"{place}[{index}]", child) for index, child in enumerate(each)]
        left += [(where, depth + 1, child) for where, child in reversed(children)]
