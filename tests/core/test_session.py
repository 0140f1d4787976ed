"""A practice match under way: kept as JSON, gone on with, taken back; the record made of it plays again to the same."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scorekeeper.core import documents
from scorekeeper.core.engine import record, session
from scorekeeper.core.engine.session import Session
from scorekeeper.core.errors import Invalid
from scorekeeper.core.tally import tally
from tests.core.tables import TABLES

SHORT = {"block": {"target": 20}, "gaple": {"rounds": 2}, "pontas": {"target": 20}, "domeng": {"camats": 1}}


def start(table: str, seed: int = 1, level: str = "easy") -> Session:
    """A short match at one of the tables, the human on the first seat."""
    variant, players, rules = TABLES[table]
    return session.new(variant, {**SHORT[variant], **rules}, seed, ["human", *[level] * (players - 1)])


def again(played: Session) -> Session:
    """The match written, sent somewhere and read again."""
    return session.read(json.loads(json.dumps(session.write(played))))


def round_played(played: Session, rng: Random) -> Session:
    """After a round in which the human plays at random, written and read again at every turn of theirs."""
    played = played.bot_turns()
    while not played.position.ended:
        played = again(played).play(rng.choice(played.position.legal())).bot_turns()
    return played


@pytest.mark.parametrize("table", TABLES)
def test_a_match_kept_as_json_at_every_turn_ends_as_its_record_plays_again(table: str) -> None:
    played = round_played(start(table), Random(1))
    while not played.finished:
        played = round_played(played.next_round(), Random(len(played.rounds)))
    assert tally(played.match)["status"] == "finished"
    replayed = record.replay(record.read(played.record()))
    assert replayed.match == played.match and replayed.waiting is None
    assert documents.read(documents.write(played.match)) == played.match
    with pytest.raises(Invalid) as caught:
        played.next_round()
    assert caught.value.code == "match_over"


@pytest.mark.parametrize("table", TABLES)
def test_reading_back_changes_nothing(table: str) -> None:
    played = round_played(start(table, 2), Random(2))
    assert again(played) == played and session.write(again(played)) == session.write(played)
    begun = played.next_round().bot_turns() if not played.finished else start(table, 3).bot_turns()
    assert again(begun).position == begun.position


def test_bots_move_one_at_a_time_or_all_at_once_to_the_same() -> None:
    single = together = start("gaple", 4)
    while not single.human:
        single = single.bot_turn()
    assert single == together.bot_turns()
    with pytest.raises(Invalid) as caught:
        single.bot_turn()
    assert caught.value.code == "not_your_turn"


def test_undo_goes_back_before_the_humans_last_move_and_marks_the_match() -> None:
    first = start("gaple", 5).bot_turns()
    second = first.play(first.position.legal()[0]).bot_turns()
    third = second.play(second.position.legal()[-1]).bot_turns()
    back = third.undo()
    assert back.helped and not third.helped
    assert back.rounds == second.rounds and back.position == second.position
    assert back.undo().rounds == first.rounds
    with pytest.raises(Invalid) as caught:
        back.undo().undo()
    assert caught.value.code == "nothing_to_undo"


def test_undo_stays_within_the_round() -> None:
    played = round_played(start("gaple", 6), Random(6)).next_round()
    with pytest.raises(Invalid) as caught:
        played.undo()
    assert caught.value.code == "nothing_to_undo"


def test_a_move_that_is_not_legal_or_not_yet_is_refused() -> None:
    played = start("block", 1)
    while played.human:  # the seed decides who leads; with 6-6 in the hand another one does not
        played = start("block", played.table.seed + 1)
    with pytest.raises(Invalid) as caught:
        played.play("6-6")
    assert caught.value.code == "not_your_turn" and caught.value.facts["seat"] == played.position.seat
    mine = played.bot_turns()
    for move, code in (("9-9", "not_a_tile"), ("2-5@nowhere", "not_a_move"), ("discard 1-2", "illegal_move")):
        with pytest.raises(Invalid) as caught:
            mine.play(move)
        assert caught.value.code == code
    over = round_played(played, Random(1))
    with pytest.raises(Invalid) as caught:
        over.play("pass")
    assert caught.value.code == "round_over"
    with pytest.raises(Invalid) as caught:
        mine.next_round()
    assert caught.value.code == "round_open"


def written(**changes: Any) -> dict[str, Any]:
    return {"variant": "block", "rules": {}, "seed": 1, "seats": ["human", "easy", "easy", "easy"], "rounds": [[]],
            **changes}


@pytest.mark.parametrize(
    ("raw", "code", "at"),
    [
        ([], "wrong_type", ""),
        (written(score=3), "unknown_field", ""),
        (written(rounds=[]), "wrong_type", "rounds"),
        (written(rounds=["6-6"]), "wrong_type", "rounds"),
        (written(rounds=[[]] * 501), "wrong_type", "rounds"),
        (written(helped=1), "wrong_type", "helped"),
        (written(seed=-1), "wrong_type", "seed"),
        (written(seats=["human"]), "seat_count", "seats"),
        (written(seats=["human", "easy", "easy", "god"]), "unknown_level", "seats[3]"),
        (written(variant="chess"), "unknown_variant", "variant"),
        (written(rules={"target": 0}), "bad_option", "rules.target"),
        (written(rounds=[[7]]), "not_a_move", "rounds[0].moves[0]"),
        (written(rounds=[["0-0"]]), "illegal_move", "rounds[0].moves[0]"),
        (written(rounds=[["6-6"], []]), "round_open", "rounds[0]"),
    ],
)
def test_a_broken_match_has_a_code_and_a_place(raw: Any, code: str, at: str) -> None:
    with pytest.raises(Invalid) as caught:
        session.read(raw)
    assert (caught.value.code, caught.value.at) == (code, at)


@pytest.mark.parametrize("more", [[[]], [[], "played"]])
def test_a_round_after_the_end_of_the_match_is_refused(more: list[Any]) -> None:
    played = round_played(start("pontas-four", 1), Random(1))
    while not played.finished:
        played = round_played(played.next_round(), Random(len(played.rounds)))
    raw = session.write(played)
    beyond = replace(played, rounds=(*played.rounds, ())).bot_turns()
    while not beyond.position.ended:
        beyond = beyond.play(beyond.position.legal()[0]).bot_turns()
    raw["rounds"] += [list(beyond.rounds[-1]) if each == "played" else each for each in more[-1:]]
    with pytest.raises(Invalid) as caught:
        session.read(raw)
    assert (caught.value.code, caught.value.at) == ("match_over", f"rounds[{len(played.rounds)}]")


def test_a_long_match_is_written_and_told_without_playing_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    under_way = session.new("gaple", {"rounds": 30}, 3, ["human", "easy", "easy", "easy"]).bot_turns()
    made = []
    while not (under_way.finished and under_way.position.ended):
        if under_way.position.ended:
            under_way = under_way.next_round().bot_turns()
        else:
            made.append(str(under_way.position.legal()[0]))
            under_way = under_way.play(made[-1]).bot_turns()
    again = session.read(session.write(under_way))
    assert (again.match, again.position) == (under_way.match, under_way.position)

    def never(*_: object) -> None:
        raise AssertionError("a round was played again")

    monkeypatch.setattr(session, "replay", never)
    assert under_way.record()["moves"] == made
    assert again.record() == under_way.record()
