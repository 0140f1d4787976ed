"""The simulation layer: a round in integers, for playing thousands of them. It plays as the readable layer does.

Hands are masks (`sets.py`), layouts linked nodes (`nodes.py`); `playout.py` plays a round to its end at speed, and
here it goes move by move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..layout import Layout
from ..tiles import Tile
from .nodes import CHAIN, OTHER, SHAPE, Graph, Node, graph_of, shape
from .sets import ALL, FITS, NUMBER, ORDER, bit, mask_of, numbers, pips, tiles_of

if TYPE_CHECKING:
    from .position import Position

__all__ = [
    "ALL",
    "CHAIN",
    "FITS",
    "NOBODY",
    "NUMBER",
    "ORDER",
    "OTHER",
    "SHAPE",
    "Node",
    "State",
    "Table",
    "Way",
    "advance",
    "bit",
    "dead",
    "mask_of",
    "numbers",
    "pips",
    "shape",
    "state_of",
    "table_of",
    "tiles_of",
    "ways",
]

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Table:
    """What does not change in a round: the variant and its rules, the side of each seat, whether who is stuck
    discards, and what a pass brings whoever set the last tile (`pass_gain`)."""

    variant: Any
    rules: Mapping[str, Any]
    side_of: tuple[int, ...]
    graph: Graph
    discards: bool
    pass_gain: int

    def per_side(self, by_seat: list[int]) -> list[int]:
        """Sums of a number per seat, one for each side."""
        found = [0] * (max(self.side_of) + 1)
        for seat, side in enumerate(self.side_of):
            found[side] += by_seat[seat]
        return found

    @property
    def counts_passes(self) -> bool:
        """Whether a dead layout ends the round only after all have passed."""
        return bool(self.variant.counts_passes)


def table_of(seen: Any, layout: Layout) -> Table:
    """The table of a `Match` or of a bot's `View`."""
    variant, rules = seen.variant, seen.rules
    return Table(variant, rules, seen.side_of, graph_of(variant, rules, layout), variant.discards(seen),
                 variant.pass_gain(rules))


@dataclass(slots=True, eq=False, repr=False)  # nodes lead to each other without end
class State:
    """A round after some moves, changed in place. Masks and numbers of seats, as in `Position`.

    `given`: what each seat has discarded; `away`: tiles that are hidden but in nobody's hand (discards, boneyard);
    `fresh`: the seats that have set no tile yet, a bit each; `passes`: (seat, passebunge, who set the last tile) in
    order; `points`: what each seat's moves scored; `by`: who went out, or NOBODY; `final`: the number of the tile
    they went out with, `node` then being the layout it met; `totals`: the match before this round, by side.
    """

    table: Table
    hands: list[int]
    given: list[int]
    away: int
    node: Node
    seat: int
    idle: int
    last: int
    fresh: int
    passes: list[tuple[int, bool, int]]
    points: list[int]
    totals: tuple[int, ...]
    must: int = 0
    over: bool = False
    by: int = NOBODY
    final: int = 0

    def copy(self) -> State:
        """The same round, to be gone on with apart."""
        return State(self.table, self.hands[:], self.given[:], self.away, self.node, self.seat, self.idle, self.last,
                     self.fresh, self.passes[:], self.points[:], self.totals, self.must, self.over, self.by, self.final)

    def pips(self, some: list[int] | None = None) -> list[int]:
        """The pips of each mask, of the hands where none are given."""
        return [pips(mask) for mask in (self.hands if some is None else some)]

    def tiles(self, mask: int) -> list[Tile]:
        """The tiles of a mask."""
        return tiles_of(mask)

    def going_out(self) -> tuple[Tile, tuple[int, int]]:
        """The last tile of whoever went out, and the two open ends it met."""
        ends = self.node[SHAPE].open()
        return ORDER[self.final - 1], (ends["left"], ends["right"])

    @property
    def sides(self) -> list[int]:
        """What each side gains in the finished round, as its verdict will have it: `points` of the tally."""
        found: list[int] = self.table.variant.swift_points(self)
        return found


Way = tuple[int, Node | None, int]  # a move: the number of its tile (0: a pass), where it leads, what it scores


def state_of(position: Position, totals: tuple[int, ...]) -> State:
    """A position of the readable layer; `totals`: the match before its round, by side."""
    match, hands, seats = position.match, [mask_of(hand) for hand in position.hands], position.seats
    table = table_of(match, position.layout)
    given = [mask_of(discarded) for discarded in position.discards]
    state = State(table, hands, given, ALL, table.graph.node(position.layout), position.seat, position.idle, NOBODY,
                  (1 << seats) - 1, [], [0] * seats, totals)
    state.must = bit(position.must) if position.must and not position.layout.tiles else 0
    known = sum(hands) | (bit(position.first) if position.first else 0)
    for turn, move in enumerate(position.moves):
        seat = (position.opener + turn) % seats
        if move.tile is None:
            state.passes.append((seat, bool(state.fresh >> seat & 1), state.last))
        elif not move.discard:
            known |= bit(move.tile)
            state.last, state.fresh = seat, state.fresh & ~(1 << seat)
    state.away ^= known
    match.variant.swift_notes(state, position.notes)
    return state


def ways(state: State) -> list[Way]:
    """The legal moves, those that come to the same once: plays, or where none fits discards, or a pass."""
    if state.over:
        return []
    hand = state.hands[state.seat]
    fitting = state.must or hand & state.node[0]
    if fitting:
        return [(number, *way) for number in numbers(fitting)
                for way in state.table.graph.options(state.node, number)]
    if state.table.discards:
        return [(number, None, 0) for number in numbers(hand)]
    return [(0, None, 0)]


def advance(state: State, way: Way) -> None:
    """Makes one move."""
    number, node, scored = way
    seat, state.must = state.seat, 0
    taken = 1 << number >> 1
    state.hands[seat] &= ~taken
    if node is not None:
        state.points[seat] += scored
        state.idle, state.last, state.fresh = 0, seat, state.fresh & ~(1 << seat)
    else:
        state.idle += 1
        if number:
            state.given[seat] |= taken
            state.away |= taken
        else:
            note_pass(state, seat)
    if number and not state.hands[seat]:
        state.over, state.by, state.final = True, seat, number
        return
    if node is not None:
        state.node = node
    state.seat = (seat + 1) % len(state.hands)
    state.over = state.idle == len(state.hands) if state.table.counts_passes else dead(state)


def note_pass(state: State, seat: int) -> None:
    """What a pass leaves behind: a note of it, and what it brings whoever set the last tile."""
    last, side_of = state.last, state.table.side_of
    state.passes.append((seat, bool(state.fresh >> seat & 1), last))
    if state.table.pass_gain and last >= 0 and side_of[last] != side_of[seat]:
        state.points[last] += state.table.pass_gain


def dead(state: State) -> bool:
    """Whether nobody holds a tile that fits."""
    fits = state.node[0]
    return not any(hand & fits for hand in state.hands)
