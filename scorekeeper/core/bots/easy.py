"""Easy: a random legal tile (B10)."""

from __future__ import annotations

from random import Random

from ..engine.moves import Move
from .view import View


def choose(view: View, rng: Random) -> Move:
    """Any legal move, each as likely as the other."""
    return view.legal[rng.randrange(len(view.legal))]
