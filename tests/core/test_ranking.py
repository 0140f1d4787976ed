"""What a practice match is worth: B10's points, for a match won outright."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.core import ranking
from scorekeeper.core.bots import LEVELS
from scorekeeper.core.engine import record
from scorekeeper.core.errors import Invalid


def seated(*seats: str, variant: str = "block", **parts: Any) -> dict[str, Any]:
    return {"format": record.FORMAT, "engine": record.ENGINE, "variant": variant, "seed": 1, "seats": list(seats),
            "rules": {}, "moves": []} | parts


def document(variant: str, rounds: list[Any], rules: dict[str, Any]) -> dict[str, Any]:
    return {"format": "scorekeeper/1", "variant": variant, "players": list("ABCD"), "rules": rules, "rounds": rounds}


WON = document("block", [{"ended": "domino", "by": 2, "hands": [30, 30, [], 40]}], {})
LOST = document("block", [{"ended": "domino", "by": 0, "hands": [[], 30, 30, 40]}], {})
SHARED = document("gaple", [{"ended": "domino", "by": 1, "hands": [4, [], 3, 3], "discards": [[], [], [], []]},
                            {"ended": "domino", "by": 0, "hands": [[], 4, 3, 3], "discards": [[], [], [], []]}],
                  {"rounds": 2})


def test_every_level_has_its_points_and_a_stronger_one_more() -> None:
    points = [ranking.POINTS[level] for level in LEVELS]
    assert points == sorted(set(points))
    assert ranking.POINTS == {"easy": 10, "normal": 30, "expert": 100, "master": 300}


@pytest.mark.parametrize(
    ("seats", "points"),
    [
        (("easy", "easy", "human", "easy"), 10),
        (("normal", "normal", "human", "normal"), 30),
        (("expert", "expert", "human", "expert"), 100),
        (("expert", "normal", "human", "expert"), 30),
        (("expert", "expert", "human", "easy"), 10),
    ],
)
def test_points_are_those_of_the_weakest_bot(seats: tuple[str, ...], points: int) -> None:
    assert ranking.judge(ranking.enter(seated(*seats), False), WON) == points


@pytest.mark.parametrize("played", [SHARED, LOST])
def test_a_match_shared_or_lost_is_worth_nothing(played: dict[str, Any]) -> None:
    read = ranking.enter(seated("easy", "human", "easy", "easy", variant=played["variant"]), False)
    with pytest.raises(Invalid) as refused:
        ranking.judge(read, played)
    assert (refused.value.code, refused.value.at) == ("not_won", "record")


def test_partners_win_together() -> None:
    rounds = [{"ended": "domino", "by": 0, "plays": [[0, 25]] * 4}]
    read = ranking.enter(seated("expert", "easy", "human", "easy", variant="pontas"), False)
    assert ranking.judge(read, document("pontas", rounds, {})) == 10


@pytest.mark.parametrize(
    ("raw", "helped", "code", "at"),
    [
        (seated("human", "easy", "easy", "easy"), True, "helped", "helped"),
        (seated("human", "easy", "easy", "easy"), 0, "wrong_type", "helped"),
        (seated("easy", "easy", "easy", "easy"), False, "not_alone", "record.seats"),
        (seated("human", "human", "easy", "easy"), False, "not_alone", "record.seats"),
        (seated("human", "easy", "easy", "easy", points=300), False, "unknown_field", "record"),
        (seated("human", "easy", "easy", "easy", engine=2), False, "other_engine", "record.engine"),
        ([], False, "wrong_type", "record"),
    ],
)
def test_what_is_not_let_in_is_told_with_its_place(raw: Any, helped: Any, code: str, at: str) -> None:
    with pytest.raises(Invalid) as refused:
        ranking.enter(raw, helped)
    assert (refused.value.code, refused.value.at) == (code, at)
