"""A path finds its endpoint and the values in it, by the patterns that the server has."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.pages.paths import find

ROUND = "/m/<match_id>/round/<int:id_>"
RULES = {"table": "/m/<match_id>", "round": ROUND, "csv": "/m/<match_id>/match.csv", "home": "/"}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/", ("home", {})),
        ("/m/x", ("table", {"match_id": "x"})),
        ("/m/x/round/12", ("round", {"match_id": "x", "id_": 12})),
        ("/m/x/match.csv", ("csv", {"match_id": "x"})),
        ("/m/x/matchXcsv", None),
        ("/m/x/round/one", None),
        ("/m/x/", None),
        ("/other", None),
    ],
)
def test_a_path_is_found(path: str, found: tuple[str, dict[str, Any]] | None) -> None:
    assert find(path, RULES, RULES) == found


def test_only_what_is_asked_for_and_has_a_pattern_is_found() -> None:
    assert find("/m/x", RULES, ["home", "unknown"]) is None
