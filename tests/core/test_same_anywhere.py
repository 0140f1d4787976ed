"""What a process has played before must not change what it plays: a phone's record is played again on the server."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.core.engine import nodes
from scorekeeper.core.engine.sets import numbers
from scorekeeper.core.layout import Layout
from tests.core.tables import TABLES, open_match, positions


def ways(graph: nodes.Graph, layout: Layout) -> list[list[tuple[Any, int]]]:
    """The ways to go on from a layout, in order, as a player is asked to choose from them."""
    node = graph.node(layout)
    return [[(nodes.shape(after[nodes.SHAPE]), scored) for after, scored in graph.options(node, number)]
            for number in numbers(node[0])]


@pytest.mark.parametrize("table", TABLES)
def test_ways_come_in_one_order_whatever_was_met_before(table: str) -> None:
    match = open_match(table)
    met = [position.layout for seed in range(12) for position in positions(match, seed)]
    shared = nodes.graph_of(match.variant, match.rules, met[0])
    found = []
    for layouts in (met, met[::-1]):
        graph = type(shared)(shared.empty, shared.gains)
        for layout in layouts:
            ways(graph, layout)
        found.append([ways(graph, layout) for layout in met])
    assert found[0] == found[1]
