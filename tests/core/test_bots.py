"""Bots play legal moves, the same ones for the same seed, and know nothing that their seat cannot see."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random
from time import perf_counter

import pytest

from scorekeeper.core.arena import contest, play_match, wilson
from scorekeeper.core.bots import LEVELS, master, view_of
from scorekeeper.core.documents import write
from scorekeeper.core.engine.position import Position
from scorekeeper.core.tiles import Tile
from tests.core.tables import TABLES, open_match, positions


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Master thinks for as long as it is told to: here not for long."""
    monkeypatch.setattr(master, "SAMPLES", 24)


def other_hidden(position: Position, rng: Random) -> Position:
    """The same position with the other hands' tiles dealt anew among them: nothing its seat can see differs."""
    pool: list[Tile] = [tile for seat, hand in enumerate(position.hands) if seat != position.seat for tile in hand]
    rng.shuffle(pool)
    hands = []
    for seat, hand in enumerate(position.hands):
        hands.append(hand if seat == position.seat else tuple(pool[: len(hand)]))
        pool = pool if seat == position.seat else pool[len(hand) :]
    return replace(position, hands=tuple(hands))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("table", TABLES)
def test_a_bot_plays_the_same_whatever_the_others_hold(table: str, level: str) -> None:
    match, rng = open_match(table), Random(5)
    for seed in range(4):
        for position in positions(match, seed):
            if position.ended:
                continue
            move = LEVELS[level](view_of(position), Random(9))
            assert move in position.legal()
            assert move == LEVELS[level](view_of(other_hidden(position, rng)), Random(9))


def test_a_view_holds_no_other_hand() -> None:
    for table in TABLES:
        for position in positions(open_match(table), 3):
            if position.ended:
                continue
            view = view_of(position)
            hidden = {tile for seat, hand in enumerate(position.hands) if seat != position.seat for tile in hand}
            hidden |= {tile for seat, given in enumerate(position.discards) if seat != position.seat for tile in given}
            reachable = " ".join(str(getattr(view, each.name)) for each in fields(view) if each.name != "variant")
            assert not hidden & (set(view.hand) | set(view.given) | set(view.set))
            assert not any(str(tile) in reachable for tile in hidden - view.set)
            assert hidden <= set(view.unseen)


def test_the_same_seed_plays_the_same_match_and_another_one_differs() -> None:
    seats = ["expert", "normal", "easy", "expert"]
    assert write(play_match("block", {}, seats, 4)) == write(play_match("block", {}, seats, 4))
    assert write(play_match("block", {}, seats, 4)) != write(play_match("block", {}, seats, 5))


def test_the_arena_says_the_same_with_any_number_of_workers() -> None:
    seats = ["expert", "normal", "normal", "normal"]
    one, two = (contest("block", {}, seats, 6, 1, workers=workers, clock=perf_counter) for workers in (1, 2))
    assert one["wins"] == two["wins"] and sum(one["wins"]) == 6


def test_wilson_is_the_textbook_interval() -> None:
    assert wilson(85, 100) == [0.7672, 0.9069]
    assert wilson(0, 10)[0] == 0 and wilson(10, 10)[1] == 1
