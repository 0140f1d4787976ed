"""Normal: the heaviest legal tile (B10); what must be given up is the lightest."""

from __future__ import annotations

from random import Random

from ..engine.moves import Move
from .view import View, forced


def choose(view: View, rng: Random) -> Move:
    """Sets the tile with the most pips, of equal ones a random one. A discard costs its pips whatever happens, and a
    heavy tile may still be set: so the lightest tile is discarded."""
    return forced(view) or max(view.legal, key=lambda move: (weight(move), rng.random()))


def weight(move: Move) -> int:
    """The pips that a move is worth getting rid of: those set count for it, those discarded against it."""
    if move.tile is None:
        return 0
    return -move.tile.pips if move.discard else move.tile.pips
