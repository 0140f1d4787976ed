"""A round entered turn by turn: what the turns tell by themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.core.errors import Invalid
from scorekeeper.pages import turns
from tests.pages.stones_table import Table, pips, refused


def test_turns_tell_passebunge_and_who_played_last() -> None:
    table = Table().tap("track", "opener:3", "play", "skip", "play", "skip", "skip", "skip", "play", "skip")
    assert table.open is not None and table.open.turns == "3p-p---p-"
    assert table.passes == [
        {"seat": 4, "bunge": True, "after": 3},
        {"seat": 1, "bunge": True, "after": 0},
        {"seat": 2, "bunge": True, "after": 0},
        {"seat": 3, "after": 0},
        {"seat": 0, "after": 4},
    ]
    told = table.context()["told"]
    assert (told.seat, told.last, told.played) == (1, 4, [1, 0, 0, 1, 1])


def test_the_opener_is_known_or_asked() -> None:
    table = Table().tap("track")
    assert table.open is not None and table.open.turns == ""
    assert "Who opens?" in table.page() and 'value="opener:3"' in table.page()
    assert refused(table, "play") == ("opener_missing", "op")
    known = Table(first_opener=2).tap("track")
    assert known.open is not None and known.open.turns == "2"
    known.tap("opener:4")  # not so: Eko opens
    assert known.open is not None and known.open.turns == "4"
    known.tap("play")
    assert refused(known, "opener:1") == ("turns_unknown", "op")


def test_the_opener_cannot_pass_before_there_is_a_tile() -> None:
    assert refused(Table(first_opener=0).tap("track"), "skip") == ("bad_turns", "turns")


def test_the_fifth_tile_is_first_cappu_and_nothing_follows_it() -> None:
    table = Table(first_opener=1).tap("track", *["play", "skip", "skip", "skip", "skip"] * 4, "play")
    told = table.context()["told"]
    assert (told.out, told.stuck, told.seat) == (1, None, None)
    assert refused(table, "play") == ("bad_turns", "turns")
    page = table.page()
    assert 'data-by="1"' in page and 'data-ended="pollo"' in page and 'data-ended="manguno"' not in page
    table.tap("end", ended="pollo", by="1")
    assert table.ledger.rounds[-1].turns == "1" + "p----" * 4 + "p"
    assert table.ledger.tally()["rounds"][0]["decided_by"] == "pollo"


def test_when_everyone_passed_the_last_to_play_is_manguno_d5_d8() -> None:
    table = Table(first_opener=0).tap("track", "play", "play", "skip", "skip", "skip", "skip", "skip")
    told = table.context()["told"]
    assert (told.out, told.stuck, told.seat) == (None, 1, None)
    assert 'data-ended="manguno"' in table.page() and 'data-ended="ceki"' not in table.page()
    table.tap("end", ended="manguno", by="1", **pips(9, 9, 10, 11, 12))
    verdict = table.ledger.tally()["rounds"][0]
    assert verdict["points"] == [1, 2, 2, 2, 2]  # Ani passes for 1, three passebunge, Budi 1 and 1 as manguno
    assert verdict["decided_by"] == "mattikkeng"
    assert table.ledger.rounds[0].turns == "0pp-----"


def test_a_table_that_tracked_its_turns_goes_on_so_and_may_stop() -> None:
    table = Table(first_opener=0).tap("track", "play", "skip", "play", "play", "play")
    table.tap("byhand")
    assert table.open is not None and table.open.turns is None
    assert table.passes == [{"seat": 1, "bunge": True, "after": 0}]
    assert refused(table, "play") == refused(table, "track") == ("turns_unknown", "op")
    tracked = Table(first_opener=0).tap("track", "play", *["skip"] * 5)
    tracked.tap("end", ended="manguno", by="0", **pips(5, 6, 7, 8, 9))
    assert tracked.context()["tracked"] and tracked.context()["opener"] == 0
    tracked.tap("play")
    assert tracked.open is not None and tracked.open.turns == "0p"


def test_an_end_that_the_log_does_not_tell_of_leaves_the_log_out() -> None:
    table = Table(first_opener=0).tap("track", "play", *["skip"] * 5)
    table.tap("end", ended="manguno", by="1", **pips(5, 6, 7, 8, 9))
    assert table.ledger.rounds[0].turns is None


def test_a_log_in_another_programs_words_is_no_obstacle() -> None:
    table = Table()
    table.write({"type": "round_entered", "round": {"passes": [{"seat": 1}]}, "turns": "0 6-6, 1 pass"})
    assert 'value="pass:2"' in table.page()
    table.tap("pass:2")
    assert table.passes == [{"seat": 1}, {"seat": 2}]


@pytest.mark.parametrize("log", ["p", "7p", "3pp x", "0-", "0ppp\n", "0" + "p----" * 5, "0p------"])
def test_a_broken_log_is_refused(log: str) -> None:
    with pytest.raises(Invalid) as caught:
        turns.read(log, 5, 5)
    assert (caught.value.code, caught.value.at) == ("bad_turns", "turns")


@given(opener=st.integers(0, 4), wanted=st.lists(st.booleans(), max_size=60))
def test_any_turns_make_a_round_that_the_core_takes(opener: int, wanted: list[bool]) -> None:
    log = f"{opener}p"
    for play in wanted:
        if turns.read(log, 5, 5).seat is None:
            break
        log += "p" if play else "-"
    told = turns.read(log, 5, 5)
    plays = [(opener + turn) % 5 for turn, sign in enumerate(log[1:]) if sign == "p"]
    assert told.played == [plays.count(seat) for seat in range(5)] and told.last == plays[-1]
    assert len(told.passes) == log.count("-")
    assert told.out == (plays[-1] if max(told.played) == 5 else None)
    assert told.stuck == (plays[-1] if log.endswith("-----") else None)
    assert (told.seat is None) == (told.out is not None or told.stuck is not None)
    table = Table()
    table.write({"type": "round_entered", "round": {"passes": told.passes}, "turns": log})
    result = table.ledger.tally()
    assert result["table"] + sum(result["totals"]) == 25 and not result["rounds"][0].get("needs")
