"""Players made of code, by level. Each is a function from what its seat may know, and a source of chance, to a move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ..engine.moves import Move
from . import easy, expert, master, normal
from .view import View, view_of

Bot = Callable[[View, Random], Move]

# The one visible list of levels, weakest first.
LEVELS: dict[str, Bot] = {"easy": easy.choose, "normal": normal.choose, "expert": expert.choose,
                          "master": master.choose}

__all__ = ["LEVELS", "Bot", "View", "view_of"]
