"""The tables that the engine is tried at: every variant, every deal, every house rule that changes the play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from scorekeeper.core.documents import Match
from scorekeeper.core.engine.game import begin, deal, new_match
from scorekeeper.core.engine.moves import SIDES
from scorekeeper.core.engine.position import Position
from scorekeeper.core.layout import Layout
from scorekeeper.core.tiles import Tile

# (variant, players, house rules)
TABLES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "block": ("block", 4, {}),
    "gaple": ("gaple", 4, {}),
    "gaple-six": ("gaple", 4, {"tiles_each": 6}),
    "gaple-five": ("gaple", 5, {}),
    "gaple-pass": ("gaple", 4, {"stuck": "pass", "double_blank_25": True}),
    "gaple-random": ("gaple", 4, {"lead": "always_random", "tiles_each": 6}),
    "pontas": ("pontas", 4, {}),
    "pontas-house": ("pontas", 4, {"spinner_order": "any", "spinner_end": "once", "score_35": True, "out_bonus": True,
                                   "pass_bonus": 20}),
    "pontas-four": ("pontas", 4, {"four_ends_required": True, "target": 20}),
    "domeng": ("domeng", 5, {"camats": 1}),
    "domeng-closing": ("domeng", 5, {"camats": 1, "closing_passes": False}),
}


def open_match(table: str) -> Match:
    """A match without rounds at one of the tables."""
    variant, players, rules = TABLES[table]
    return new_match(variant, rules, [f"P{seat}" for seat in range(players)])


def cross(spinner: Tile, arms: Sequence[Sequence[Tile]]) -> Layout:
    """A layout led by `spinner`, each arm played from the inside out: the long sides, then the short ones (P4)."""
    layout = Layout(cross=True, any_order=True).play(spinner, "")
    for side, arm in zip(SIDES, arms, strict=False):
        for tile in arm:
            layout = layout.play(tile, side)
    return layout


def positions(match: Match, seed: int) -> Iterator[Position]:
    """Every position of one random round, the last one over."""
    rng, position = Random(seed), begin(match, deal(match, seed))
    yield position
    while not position.ended:
        position = position.play(rng.choice(position.legal()))
        yield position
