"""The simulation layer: a round in integers, for playing thousands of them. It plays as the readable layer does.

A set of tiles is a mask of 28 bits, the lightest tile in bit 0 (`ORDER`), so that the heaviest of a mask is its
highest bit. A tile's *number* is its bit's place from 1, which is what `bit_length` gives.

A layout is a *node*, a list: `[0]` the mask of the tiles that fit; `[number]` the layouts that setting this tile can
lead to; `[SHAPE]` the readable layout it stands for. Layouts on which the same tiles have the same effects share one
node (left and right are alike to a simulation). Nodes are made from `Layout` when first met: its rules are written
there alone, and what a play scores is what the variant's `gains` says.

- on a chain (`Chain`) `[number]` is one node and `[number | OTHER]` the same, or the other one where the tile fits
  two ends; all 29 nodes are made at once;
- with a spinner (`Cross`) `[number]` is None until asked for (`options`), then a tuple of (node, points).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .. import tiles
from ..layout import Layout
from ..tiles import Tile

if TYPE_CHECKING:
    from .position import Position

Node = list[Any]

ORDER: tuple[Tile, ...] = tuple(sorted(tiles.SET, key=lambda tile: (tile.pips, tile.low)))
NUMBER: dict[Tile, int] = {tile: place + 1 for place, tile in enumerate(ORDER)}
ALL = (1 << len(ORDER)) - 1
OTHER, SHAPE, SIZE = 32, 32, 64
MOST_NODES = 40_000  # of one cross graph: then it is begun anew, to stay small on a phone
NOBODY = -1

_HALF = 14
_LOW = [0] * (1 << _HALF)
_HIGH = [0] * (1 << _HALF)
for _mask in range(1, 1 << _HALF):
    _rest, _place = _mask & (_mask - 1), (_mask & -_mask).bit_length() - 1
    _LOW[_mask] = _LOW[_rest] + ORDER[_place].pips
    _HIGH[_mask] = _HIGH[_rest] + ORDER[_place + _HALF].pips


def bit(tile: Tile) -> int:
    """A tile as a mask."""
    return 1 << NUMBER[tile] - 1


def mask_of(some: Iterable[Tile]) -> int:
    """A set of tiles as a mask."""
    found = 0
    for tile in some:
        found |= 1 << NUMBER[tile] - 1
    return found


def tiles_of(mask: int) -> list[Tile]:
    """The tiles of a mask, the lightest first."""
    return [ORDER[number - 1] for number in numbers(mask)]


def numbers(mask: int) -> list[int]:
    """The numbers of a mask's tiles, the lightest first."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length())
        mask &= mask - 1
    return found


def pips(mask: int) -> int:
    """The pips on a mask's tiles."""
    return _LOW[mask & 0x3FFF] + _HIGH[mask >> _HALF]


FITS = [mask_of(tile for tile in tiles.SET if tile.has(number)) for number in range(tiles.HIGHEST + 1)]
DOUBLES = mask_of(tile for tile in tiles.SET if tile.double)


def shape(layout: Layout) -> Any:
    """What of a layout matters to what follows: equal for layouts that go on alike."""
    ends = sorted((end.number, end.counts) for side, end in layout.ends if side not in layout.bare)
    if layout.spinner is None:
        return tuple([number for number, _ in ends])
    short = [end for side, end in layout.ends if side in ("up", "down")]
    covered = len(short) if layout.bare else 0  # while a long side is bare, it matters which side an end is on
    return (layout.spinner.low, layout.tiles == 1, len(layout.bare), covered, tuple(ends))


class Graph:
    """Nodes by shape, from the empty layout on. `gains` says what a play that leaves a layout scores."""

    def __init__(self, empty: Layout, gains: Callable[[Layout], int]) -> None:
        self.empty, self.gains = empty, gains
        self.nodes: dict[Any, Node] = {}

    def node(self, layout: Layout) -> Node:
        """The node that stands for a layout."""
        key = shape(layout)
        found = self.nodes.get(key)
        if found is None:
            if len(self.nodes) >= MOST_NODES:
                self.nodes.clear()
            found = self.nodes[key] = [0] + [None] * (SIZE - 1)
            found[0] = mask_of(tile for tile in tiles.SET if layout.fits(tile))
            found[SHAPE] = layout
            self.fill(found)
        return found

    def fill(self, node: Node) -> None:
        """Links a new node to those that follow."""

    def options(self, node: Node, number: int) -> tuple[tuple[Node, int], ...]:
        """The different layouts that setting a tile leads to, and what each scores."""
        raise NotImplementedError

    def after(self, node: Node, number: int) -> list[tuple[Node, int]]:
        """All ways to set a tile, alike ones once: the layout and what it scores."""
        layout, tile = node[SHAPE], ORDER[number - 1]
        found: dict[int, tuple[Node, int]] = {}
        for side in layout.fits(tile):
            grown = layout.play(tile, side)
            following = self.node(grown)
            found[id(following)] = (following, self.gains(grown))
        # In an order of their own: the layout that stands for those like it is whichever was met first.
        return sorted(found.values(), key=lambda way: repr(shape(way[0][SHAPE])))


class Chain(Graph):
    """Two ends and nothing scored on the way."""

    def fill(self, node: Node) -> None:
        for number in numbers(node[0]):
            ways = self.after(node, number)
            node[number], node[number | OTHER] = ways[0][0], ways[-1][0]

    def options(self, node: Node, number: int) -> tuple[tuple[Node, int], ...]:
        one, other = node[number], node[number | OTHER]
        return ((one, 0),) if one is other else ((one, 0), (other, 0))


class Cross(Graph):
    """Up to four ends; what a play scores is part of its way."""

    def options(self, node: Node, number: int) -> tuple[tuple[Node, int], ...]:
        known: tuple[tuple[Node, int], ...] | None = node[number]
        if known is None:
            known = node[number] = tuple(self.after(node, number))
        return known


CHAIN = Chain(Layout(), lambda layout: 0)


@lru_cache(maxsize=8)
def _cross(variant: Any, rules: tuple[tuple[str, Any], ...], empty: Layout) -> Graph:
    asked = dict(rules)
    return Cross(empty, lambda layout: int(variant.gains(layout, asked)))


def graph_of(variant: Any, rules: Mapping[str, Any], layout: Layout) -> Graph:
    """The nodes of a table's layouts; `layout` is any of them."""
    if not layout.cross:
        return CHAIN
    empty = replace(layout, ends=(), tiles=0, spinner=None, bare=frozenset())
    return _cross(variant, tuple(sorted(rules.items())), empty)


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
