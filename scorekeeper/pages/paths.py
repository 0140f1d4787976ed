"""What answers a path where no web framework is: the server's own address patterns, read here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

_PART = re.compile(r"<(?:(\w+):)?(\w+)>")


def find(path: str, rules: Mapping[str, str], endpoints: Iterable[str]) -> tuple[str, dict[str, Any]] | None:
    """The endpoint of a path, and the values in it: `/m/x/round/3` and `/m/<match_id>/round/<int:id_>`."""
    for endpoint in endpoints:
        rule = rules.get(endpoint, "")
        kinds = {name: kind for kind, name in _PART.findall(rule)}
        found = re.fullmatch(_pattern(rule), path) if rule else None
        if found:
            values = found.groupdict().items()
            return endpoint, {name: int(text) if kinds[name] == "int" else text for name, text in values}
    return None


def _pattern(rule: str) -> str:
    pattern, rest = "", 0
    for part in _PART.finditer(rule):
        kind = r"\d{1,9}" if part[1] == "int" else "[^/]+"
        pattern += re.escape(rule[rest : part.start()]) + f"(?P<{part[2]}>{kind})"
        rest = part.end()
    return pattern + re.escape(rule[rest:])
