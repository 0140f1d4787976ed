"""Layouts of the simulation layer, linked to what setting each tile leads to.

A layout is a *node*, a list: `[0]` the mask of the tiles that fit; `[number]` the layouts that setting this tile can
lead to; `[SHAPE]` the readable layout it stands for. Layouts on which the same tiles have the same effects share one
node (left and right are alike to a simulation). Nodes are made from `Layout` when first met: its rules are written
there alone, and what a play scores is what the variant's `gains` says.

- on a chain (`Chain`) `[number]` is one node and `[number | OTHER]` the same, or the other one where the tile fits
  two ends; all 29 nodes are made at once;
- with a spinner (`Cross`) `[number]` is None until asked for (`options`), then a tuple of (node, points).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import local
from typing import Any

from .. import tiles
from ..layout import Layout
from .sets import ORDER, mask_of, numbers

Node = list[Any]

OTHER, SHAPE, SIZE = 32, 32, 64
MOST_NODES = 15_000  # of one cross graph: then another is begun, to stay small on a phone
MOST_GRAPHS = 8


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
CHAIN.node(CHAIN.empty)  # and all that follow, before two threads can ask for them


class _Graphs(local):
    """A thread's cross graphs: they grow while they are used, and a node must not be met half made or made twice."""

    def __init__(self) -> None:
        self.crosses: dict[tuple[Any, ...], Graph] = {}


_graphs = _Graphs()


def graph_of(variant: Any, rules: Mapping[str, Any], layout: Layout) -> Graph:
    """The nodes of a table's layouts; `layout` is any of them. For the thread that asks, and for no other."""
    if not layout.cross:
        return CHAIN
    empty = replace(layout, ends=(), tiles=0, spinner=None, bare=frozenset())
    key = (variant, tuple(sorted(rules.items())), empty)
    known = _graphs.crosses.pop(key, None)
    if known is None or len(known.nodes) > MOST_NODES:  # whoever has the old one goes on with it
        asked = dict(rules)
        known = Cross(empty, lambda grown: int(variant.gains(grown, asked)))
    _graphs.crosses[key] = known  # the last one asked for is the last one given up
    while len(_graphs.crosses) > MOST_GRAPHS:
        del _graphs.crosses[next(iter(_graphs.crosses))]
    return known
