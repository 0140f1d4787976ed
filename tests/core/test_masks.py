"""The simulation layer plays as the readable one: the same moves, the same end, the same points, at every table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import repeat
from random import Random

import pytest

from scorekeeper.core import tiles
from scorekeeper.core.documents import Match
from scorekeeper.core.engine import masks, playout
from scorekeeper.core.engine.game import begin, deal, finish
from scorekeeper.core.engine.masks import ALL, NUMBER, State, Way
from scorekeeper.core.engine.moves import Move
from scorekeeper.core.engine.playout import COUNTING, HEAVY, RANDOM, Weights
from scorekeeper.core.engine.position import Position
from scorekeeper.core.tally import tally
from tests.core.tables import TABLES, open_match

ROUNDS = int(os.environ.get("SCOREKEEPER_ROUNDS", "150"))  # per table; 100000 for a long look
OTHERS = (12, 9, 6, 12, 3)
WEIGHTS = Weights(tuple((12, 36, others, 3) for others in OTHERS), 12, 24)


def meant(position: Position, state: State, move: Move) -> Way:
    """A move of the readable layer as the simulation has it."""
    number = NUMBER[move.tile] if move.tile else 0
    if not number or move.discard or not move.tile:
        return number, None, 0
    grown = position.layout.play(move.tile, move.side)
    return number, state.table.graph.node(grown), position.match.variant.gains(grown, position.match.rules)


def distinct(found: list[Way]) -> set[tuple[int, int, int]]:
    """Moves that can be compared: nodes by identity."""
    return {(number, id(node), scored) for number, node, scored in found}


def same(position: Position, state: State) -> bool:
    """Whether both layers hold the same round, down to whose turn it is."""
    held = [masks.mask_of(hand) for hand in position.hands] == state.hands
    given = [masks.mask_of(hand) for hand in position.discards] == state.given
    out = position.by if position.by is not None and not position.hands[position.by] else masks.NOBODY
    return held and given and bool(position.ended) == state.over and (not state.over or out == state.by)


def points(position: Position) -> list[int]:
    """What the scoring module gives each side for a finished round."""
    found: list[int] = tally(finish(position))["rounds"][-1]["points"]
    return found


def matches(table: str) -> Iterator[tuple[Match, tuple[int, ...], int]]:
    """A running match again and again, for rounds from any score: the match, its totals and a seed."""
    match = open_match(table)
    for seed in range(ROUNDS):
        result = tally(match)
        if result["status"] == "finished":
            match = open_match(table)
            result = tally(match)
        yield match, tuple(result["totals"]), seed
        rng, position = Random(seed), begin(match, deal(match, seed))
        while not position.ended:
            position = position.play(rng.choice(position.legal()))
        match = finish(position)


@pytest.mark.parametrize("table", TABLES)
def test_both_layers_have_the_same_moves_the_same_end_and_the_same_points(table: str) -> None:
    for match, totals, seed in matches(table):
        rng, position = Random(seed), begin(match, deal(match, seed))
        state = masks.state_of(position, totals)
        while not position.ended:
            legal = position.legal()
            assert distinct(masks.ways(state)) == distinct([meant(position, state, move) for move in legal])
            move = rng.choice(legal)
            masks.advance(state, meant(position, state, move))
            position = position.play(move)
            assert same(position, state)
        assert not masks.ways(state) and state.sides == points(position)


def told(state: State) -> list[object]:
    """All that a state holds, to be compared."""
    return [id(state.node), *[getattr(state, name) for name in State.__slots__ if name not in ("node", "table")]]


@pytest.mark.parametrize("table", TABLES)
def test_a_state_made_midway_is_the_one_played_to(table: str) -> None:
    match, rng = open_match(table), Random(3)
    for seed in range(min(ROUNDS, 500)):
        position = begin(match, deal(match, seed))
        state = masks.state_of(position, (0,) * len(match.sides))
        while not position.ended:
            assert told(state) == told(masks.state_of(position, (0,) * len(match.sides)))
            move = rng.choice(position.legal())
            masks.advance(state, meant(position, state, move))
            position = position.play(move)


def chosen(position: Position, state: State, kind: int, x: int) -> Move:
    """What a seat of this kind plays with the random byte `x`, found without masks' loops."""
    ways = masks.ways(state)
    by_number: dict[int, list[Way]] = {}
    for way in ways:
        by_number.setdefault(way[0], []).append(way)
    places = sorted(by_number)
    if kind == RANDOM or places == [0]:
        number = places[x % len(places)]
    elif kind == HEAVY:
        number = places[0] if ways[0][1] is None else places[-1]
    else:
        number = max(places, key=lambda place: max(value(position, state, way) for way in by_number[place]))
    found = by_number[number]
    if kind == COUNTING:
        way = max(found, key=lambda one: value(position, state, one))
    else:
        crossed = position.layout.cross
        way = found[(x >> 4) % len(found)] if crossed else found[bool(x & 32) and len(found) - 1]
    return next(move for move in position.legal() if distinct([meant(position, state, move)]) == distinct([way]))


def value(position: Position, state: State, way: Way) -> int:
    """COUNTING's value of a way, from the tiles themselves."""
    number, node, scored = way
    seat = position.seat
    rest = [tile for tile in position.hands[seat] if NUMBER[tile] != number]
    tile = masks.ORDER[number - 1]
    if node is None:
        alone = sum(not any(other.has(half) for other in rest) for half in {tile.low, tile.high})
        return -12 * tile.pips - 24 * alone
    known = {*position.hands[seat], *position.discards[seat], *([position.first] if position.first else [])}
    known |= {move.tile for move in position.moves if move.tile and not move.discard}
    open_numbers = set(node[masks.SHAPE].open().values())
    fits = [one for one in tiles.SET if any(one.has(each) for each in open_numbers)]
    own, unseen = sum(one in rest for one in fits), sum(one not in known for one in fits)
    return 12 * scored + 36 * own - OTHERS[seat] * unseen + 3 * tile.pips


@pytest.mark.parametrize("table", TABLES)
def test_a_round_played_out_at_speed_is_one_of_the_readable_layer(table: str) -> None:
    for match, totals, seed in matches(table):
        rng = Random(seed)
        kinds = [rng.randrange(3) for _ in match.players]
        position, lead = begin(match, deal(match, seed)), rng.randrange(8)
        draws = rng.randbytes(400)
        while lead and not position.ended:
            position, lead = position.play(rng.choice(position.legal())), lead - 1
        if position.ended:
            continue
        swift = playout.play_out(masks.state_of(position, totals), kinds, iter(draws), WEIGHTS)
        if position.must and not position.layout.tiles:
            position = position.play(position.legal()[0])
        for x in draws:
            if position.ended:
                break
            state = masks.state_of(position, totals)
            position = position.play(chosen(position, state, kinds[position.seat], x))
        assert position.ended and swift.over
        assert [masks.mask_of(hand) for hand in position.hands] == swift.hands
        assert swift.sides == points(position)


@pytest.mark.parametrize("table", TABLES)
def test_a_dealer_deals_every_tile_once_and_its_rounds_end(table: str) -> None:
    match = open_match(table)
    size, seats = match.variant.tiles_dealt(match), len(match.players)
    layout = begin(match, deal(match, 1)).layout
    dealer = playout.Dealer(masks.table_of(match, layout), seats, size, Random(1))
    held = [0] * len(tiles.SET)
    for number in range(300):
        state = dealer.deal(number % seats)
        assert [hand.bit_count() for hand in state.hands] == [size] * seats
        assert sum(state.hands) + state.away == ALL
        for place in masks.numbers(state.hands[0]):
            held[place - 1] += 1
        playout.play_out(state, [RANDOM] * seats, playout.draws_of(Random(number)))
        assert state.over and (state.by == masks.NOBODY or not state.hands[state.by])
    expected = 300 * size / len(tiles.SET)
    assert all(expected / 2 < count < expected * 1.6 for count in held)


def test_masks_and_tiles_say_the_same() -> None:
    rng = Random(2)
    for _ in range(200):
        some = rng.sample(tiles.SET, rng.randrange(29))
        mask = masks.mask_of(some)
        assert set(masks.tiles_of(mask)) == set(some) and masks.pips(mask) == tiles.pips(some)
        assert [NUMBER[tile] for tile in masks.tiles_of(mask)] == masks.numbers(mask) == sorted(masks.numbers(mask))


def test_a_forced_lead_is_the_only_way_to_begin() -> None:
    match = open_match("block")
    state = masks.state_of(begin(match, deal(match, 1)), (0, 0, 0, 0))
    assert [number for number, _, _ in masks.ways(state)] == [NUMBER[tiles.of(6, 6)]]
    assert not playout.play_out(state, [RANDOM] * 4, repeat(0)).hands[0] & masks.bit(tiles.of(6, 6))


