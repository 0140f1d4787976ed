"""What a practice match is worth: B10's points, for a match won outright."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.core import ranking
from scorekeeper.core.bots import LEVELS
from scorekeeper.core.engine import record
from scorekeeper.core.errors import Invalid
from scorekeeper.core.options import Option
from scorekeeper.core.variants import VARIANTS


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


# A whole match ----------------------------------------------------------------------------------------------


def whole(variant: str, **rules: Any) -> dict[str, Any]:
    """A record of a match as practice proposes it, but for `rules`."""
    chosen = VARIANTS[variant]
    tables = chosen.played_by or chosen.seats
    return seated("human", *["master"] * (tables[0] - 1), variant=variant, rules={**chosen.played_rules, **rules})


def others(option: Option) -> list[Any]:
    """Values that an option can have besides its default."""
    values = list(option.choices) or [option.low, option.high, *([None] if option.nullable else [])]
    return [value for value in values if value != option.default]


OPTIONS = [(variant, option, value) for variant, chosen in VARIANTS.items() for option in chosen.options
           for value in (*others(option), option.default) if value != chosen.proposed(option)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_says_what_ends_its_matches_and_is_let_in_as_proposed(variant: str) -> None:
    assert any(option.ends_match for option in VARIANTS[variant].options)
    assert ranking.enter(whole(variant), False).variant == variant
    spelled = {option.name: VARIANTS[variant].proposed(option) for option in VARIANTS[variant].options}
    assert ranking.enter(whole(variant, **spelled), False).rules == spelled


@pytest.mark.parametrize(("variant", "option", "value"), OPTIONS, ids=[f"{v}-{o.name}-{x}" for v, o, x in OPTIONS])
def test_house_rules_may_differ_but_for_those_that_end_a_match(variant: str, option: Option, value: Any) -> None:
    raw = whole(variant, **{option.name: value})
    if not option.ends_match:
        assert ranking.enter(raw, False).rules[option.name] == value
        return
    with pytest.raises(Invalid) as refused:
        ranking.enter(raw, False)
    assert (refused.value.code, refused.value.at) == ("other_length", f"record.rules.{option.name}")
    with pytest.raises(Invalid) as refused:
        ranking.judge(record.read(raw), WON)
    assert refused.value.code == "other_length"


def test_the_options_tried_are_of_both_kinds() -> None:
    assert {option.ends_match for _, option, _ in OPTIONS} == {True, False}
    assert ("block", 1) in [(variant, value) for variant, option, value in OPTIONS if option.name == "target"]


def test_a_match_without_an_end_is_none_for_the_ranking() -> None:
    with pytest.raises(Invalid) as refused:
        ranking.enter(whole("domeng") | {"rules": {}}, False)
    assert (refused.value.code, refused.value.at) == ("other_length", "record.rules.camats")


@pytest.mark.parametrize("seats", [("human", "master"), ("human", "easy", "easy")])
def test_only_as_many_as_play_it(seats: tuple[str, ...]) -> None:
    record.read(seated(*seats))  # for practice alone it may be
    with pytest.raises(Invalid) as refused:
        ranking.enter(seated(*seats), False)
    assert (refused.value.code, refused.value.at) == ("seat_count", "record.seats")
