"""Master deals hidden tiles only as they can lie, each as likely as it is, and answers the same for the same seed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from scorekeeper.core.arena import bot_move, contest
from scorekeeper.core.bots import View, master, view_of
from scorekeeper.core.bots.deals import Deals
from scorekeeper.core.bots.story import Story, likelihood, story_of
from scorekeeper.core.engine import masks
from scorekeeper.core.engine.game import begin, deal
from scorekeeper.core.engine.masks import mask_of
from scorekeeper.core.engine.playout import Weights
from scorekeeper.core.engine.position import Position
from tests.core.tables import TABLES, open_match, positions

ROOT = Path(__file__).parents[2]


def told(position: Position) -> tuple[View, Story, Weights]:
    """What the seat in turn has seen."""
    view = view_of(position)
    return view, story_of(view), master.weights_of(view)


def turns(table: str, rounds: int) -> Iterator[Position]:
    """Positions of random rounds in which somebody has to move."""
    for seed in range(rounds):
        yield from (position for position in positions(open_match(table), seed) if not position.ended)


def test_as_few_samples_as_one_are_enough() -> None:
    position = next(one for one in turns("block", 1) if len(one.moves) > 3 and len(one.legal()) > 1)
    for samples in range(1, 12):
        assert len(master.evaluate(view_of(position), Random(1), samples)) == len(position.legal())


# In another process, where no layout has been met yet: (table, Master's answers one after another, and eight at once).
AT_ONCE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random
from scorekeeper.core.bots import master, view_of
from tests.core.tables import open_match, positions
views = [view_of(one) for one in positions(open_match(sys.argv[1]), 5) if not one.ended and len(one.legal()) > 1]
sys.setswitchinterval(1e-6)
with ThreadPoolExecutor(8) as pool:
    at_once = list(pool.map(lambda view: master.evaluate(view, Random(1), 30), views * 4))
alone = [master.evaluate(view, Random(1), 30) for view in views]
assert len(views) > 3 and at_once == alone * 4
"""


@pytest.mark.parametrize("table", ["block", "pontas"])
def test_several_at_once_do_not_disturb_each_other(table: str) -> None:
    subprocess.run([sys.executable, "-c", AT_ONCE, table], cwd=ROOT, check=True, timeout=120)


@pytest.mark.parametrize("table", TABLES)
def test_what_was_seen_is_the_round_as_it_stands(table: str) -> None:
    for position in turns(table, 8):
        view, story, _ = told(position)
        state = masks.state_of(position, view.totals)
        seen = (story.node, story.idle, story.last, story.fresh, story.passes, story.points)
        whole = (state.node, state.idle, state.last, state.fresh, state.passes, state.points)
        assert seen[0] is whole[0] and seen[1:] == whole[1:]
        for seat, hand in enumerate(state.hands):
            if seat != position.seat:
                assert not hand & story.bans[seat]
                for tile, banned in zip(position.discards[seat], story.banned_at[seat], strict=True):
                    assert not masks.bit(tile) & banned


@pytest.mark.parametrize("table", TABLES)
def test_a_deal_agrees_with_all_that_was_seen(table: str) -> None:
    for position in turns(table, 4):
        view, story, weights = told(position)
        deals = Deals(view, story, weights, Random(4))
        drawn = [found for found in (deals.draw() for _ in range(12)) if found]
        if drawn and any(story.moves):
            deals.learn(drawn)
            drawn += [found for found in (deals.draw() for _ in range(12)) if found]
        assert drawn
        for found in drawn:
            assert found.weight > 0
            assert [hand.bit_count() for hand in found.hands] == list(view.counts)
            assert found.hands[view.seat] == mask_of(view.hand)
            assert sum(found.hands) + found.away + mask_of(view.set) == masks.ALL
            for seat, hand in enumerate(found.hands):
                assert seat == view.seat or not hand & story.bans[seat]
                assert found.given[seat].bit_count() == len(position.discards[seat])


def late(table: str) -> Position:
    """A position of a round between Experts with seven hidden tiles at most, most of them in hands."""
    for seed in range(60):
        position = begin(open_match(table), deal(open_match(table), seed))
        while not position.ended:
            view = view_of(position)
            stuck = sum(move.tile is None for seat, move in view.history if seat != view.seat)
            if 4 < len(view.unseen) < 8 and stuck and len(position.legal()) > 1:
                return position
            position = position.play(bot_move(position, "expert", seed, (0,) * len(position.match.sides)))
    raise AssertionError("no such position")


def every_deal(view: View, story: Story, weights: Weights) -> dict[tuple[int, ...], float]:
    """The weight of every set of hands, from all ways to deal the hidden tiles one by one."""
    found: dict[tuple[int, ...], float] = {}
    others = [seat for seat in range(len(view.counts)) if seat != view.seat]
    deals = Deals(view, story, weights, Random(1))
    for dealt in permutations([1 << number >> 1 for number in masks.numbers(mask_of(view.unseen))]):
        pile, hands, weight = list(dealt), [0] * len(view.counts), 1.0
        for seat in others:
            hands[seat] = sum(pile[: view.counts[seat]])
            banned = story.banned_at[seat]
            given = tuple(pile[view.counts[seat] : view.counts[seat] + len(banned)])
            del pile[: view.counts[seat] + len(banned)]
            if hands[seat] & story.bans[seat] or any(tile & ban for tile, ban in zip(given, banned, strict=True)):
                weight = 0.0
                break
            weight *= sum(deals._likely(seat, hands[seat], given))
        if weight:
            found[tuple(hands)] = found.get(tuple(hands), 0.0) + weight
    return found


@pytest.mark.parametrize("learning", [False, True])
@pytest.mark.parametrize("table", ["block", "gaple", "pontas"])
def test_deals_come_as_often_as_they_are_likely(table: str, learning: bool) -> None:
    view, story, weights = told(late(table))
    expected, drawn = every_deal(view, story, weights), Deals(view, story, weights, Random(2))
    if learning:
        drawn.learn([found for found in (drawn.draw() for _ in range(200)) if found])
    got: dict[tuple[int, ...], float] = {}
    for found in (drawn.draw() for _ in range(20_000)):
        if found:
            hands = tuple([0 if seat == view.seat else hand for seat, hand in enumerate(found.hands)])
            got[hands] = got.get(hands, 0.0) + found.weight
    assert got.keys() <= expected.keys() and len(expected) > 3
    whole, all_got = sum(expected.values()), sum(got.values())
    for hands, weight in expected.items():
        assert abs(got.get(hands, 0.0) / all_got - weight / whole) < 0.06


@pytest.mark.parametrize("table", ["block", "gaple", "gaple-five", "pontas", "domeng"])
def test_an_experts_play_is_what_its_model_prefers(table: str) -> None:
    right = wrong = 0
    for seed in range(4):
        position = begin(open_match(table), deal(open_match(table), seed))
        while not position.ended:
            before, seat = position, position.seat
            position = position.play(bot_move(position, "expert", seed, (0,) * len(position.match.sides)))
            if position.ended or len(before.legal()) == 1 or before.layout.tiles == 0 or position.discards[seat]:
                continue
            view, story, weights = told(position)
            move = story.moves[seat][-1]
            hand = mask_of(before.hands[seat])
            values = [value + move.each * (hand & fits).bit_count() for tile, fits, value in move.plays if tile & hand]
            mine = move.mine[2] + move.each * (hand & move.mine[1]).bit_count()
            assert view.seat != seat and len(values) > 0
            right, wrong = right + (mine == max(values)), wrong + (mine != max(values))
            like = likelihood(story, seat, mask_of(position.hands[seat]), (), weights)
            assert all(0 < each <= 1 for each in like)
    assert right > 25 and not wrong


def test_it_answers_the_same_for_the_same_seed_and_rates_every_legal_move() -> None:
    for table in TABLES:
        for position in list(turns(table, 1))[2:14:4]:
            view = view_of(position)
            rated = master.evaluate(view, Random(1), 40)
            assert rated == master.evaluate(view, Random(1), 40)
            assert {move for move, _, _ in rated} == set(view.legal)
            assert all(error >= 0 for _, _, error in rated)


def test_it_stops_when_told_and_still_rates_every_move() -> None:
    position = next(each for each in turns("block", 9) if len(each.legal()) > 2 and each.moves)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return True

    rated = master.evaluate(view_of(position), Random(1), 100_000, stop)
    assert len(rated) == len(position.legal()) and 0 < len(asked) < 10


def test_it_beats_normal_with_few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(master, "SAMPLES", 60)
    seats = ["master", "normal", "normal", "normal"]
    won = contest("block", {"target": 60}, seats, 40, 1, clock=lambda: 0.0)["wins"][0]
    assert won >= 18  # by chance alone: one time in two hundred


@pytest.mark.parametrize("table", TABLES)
def test_prospects_are_chances_and_grow_with_a_better_total(table: str) -> None:
    match, rng = open_match(table), Random(1)
    variant, sides = match.variant, len(match.sides)
    better = -1 if variant.lowest_wins else 1
    for _ in range(100):
        totals = [rng.randrange(1, 20 if table == "pontas-four" else 6) for _ in range(sides)]
        chances = variant.prospects(match.rules, totals, 3, -1)
        assert abs(sum(chances) - 1) < 1e-9 and all(0 <= chance <= 1 for chance in chances)
        totals[0] += better
        assert variant.prospects(match.rules, totals, 3, -1)[0] > chances[0]


@pytest.mark.parametrize(("table", "totals", "rounds", "out", "chances"), [
    ("block", [100, 99, 0, 0], 5, 0, [1, 0, 0, 0]),
    ("pontas", [105, 110], 5, 0, [0, 1]),
    ("gaple", [90, 80, 80, 95], 10, 0, [0, 0.5, 0.5, 0]),
    ("domeng", [5, 0, 5, 5, 10], 5, 1, [0, 1, 0, 0, 0]),
])
def test_a_decided_match_is_certain(table: str, totals: list[int], rounds: int, out: int, chances: list[float]) -> None:
    match = open_match(table)
    assert match.variant.prospects(match.rules, totals, rounds, out) == chances
