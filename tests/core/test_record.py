"""A practice record plays again to the same match, and a forged one is refused at the place it went wrong."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorekeeper.core import documents
from scorekeeper.core.engine import record
from scorekeeper.core.errors import Invalid
from scorekeeper.core.tally import tally_document
from tests.core.tables import TABLES


def finished(table: str, seed: int, level: str = "normal") -> dict[str, Any]:
    """A whole match of a human who plays at random against bots."""
    variant, players, rules = TABLES[table]
    raw: dict[str, Any] = {"format": record.FORMAT, "engine": 1, "variant": variant, "rules": rules, "seed": seed,
           "seats": ["human", *[level] * (players - 1)], "moves": []}
    rng = Random(seed)
    while (done := record.replay(record.read(raw))).waiting:
        raw["moves"].append(str(rng.choice(done.waiting.legal())))
    return raw


@pytest.mark.parametrize("table", ["gaple-six", "pontas-four", "domeng"])
def test_a_record_plays_again_to_the_same_finished_match(table: str) -> None:
    raw = finished(table, 3)
    told = record.told(record.replay(record.read(raw)))
    assert told == record.told(record.replay(record.read(record.write(record.read(raw)))))
    assert told["status"] == "finished" and told["waiting"] is None
    assert tally_document(told["document"])["status"] == "finished"
    mine = [move for each in told["rounds"] for seat, move in each["turns"] if seat == 0]
    assert len(mine) == len(raw["moves"])
    assert documents.write(documents.read(told["document"])) == told["document"]


def test_an_unfinished_record_waits_for_its_human() -> None:
    raw = finished("pontas-four", 5)
    raw["moves"] = raw["moves"][:-1]
    done = record.replay(record.read(raw))
    assert done.waiting and done.waiting.seat == 0


def test_an_impossible_move_is_named_by_its_place() -> None:
    raw = finished("pontas-four", 5)
    raw["moves"][2] = "0-0" if raw["moves"][2] != "0-0" else "1-1"
    with pytest.raises(Invalid) as caught:
        record.replay(record.read(raw))
    assert caught.value.at == "moves[2]"


def test_moves_after_the_end_are_refused() -> None:
    raw = finished("pontas-four", 5)
    raw["moves"].append("pass")
    with pytest.raises(Invalid) as caught:
        record.replay(record.read(raw))
    assert (caught.value.code, caught.value.at) == ("match_over", f"moves[{len(raw['moves']) - 1}]")


@pytest.mark.parametrize(
    ("change", "code", "at"),
    [
        ({"format": "x"}, "unknown_format", "format"),
        ({"engine": 2}, "other_engine", "engine"),
        ({"engine": True}, "other_engine", "engine"),
        ({"variant": "chess"}, "unknown_variant", "variant"),
        ({"rules": {"x": 1}}, "unknown_option", "rules"),
        ({"seed": -1}, "wrong_type", "seed"),
        ({"seed": 1.5}, "wrong_type", "seed"),
        ({"seats": ["human"]}, "seat_count", "seats"),
        ({"seats": ["human", "easy", "easy", "god"]}, "unknown_level", "seats[3]"),
        ({"moves": [1]}, "wrong_type", "moves"),
        ({"score": 100}, "unknown_field", ""),
    ],
)
def test_a_broken_record_has_a_code_and_a_place(change: dict[str, Any], code: str, at: str) -> None:
    whole = {"format": "scorekeeper-practice/1", "engine": 1, "variant": "block", "rules": {}, "seed": 1,
             "seats": ["human", "easy", "easy", "easy"], "moves": []}
    with pytest.raises(Invalid) as caught:
        record.read({**whole, **change})
    assert (caught.value.code, caught.value.at) == (code, at)
