"""Layouts by number: each open layout once, with the tiles that fit it and what comes of setting one.

Layouts that go on alike (`masks.shape`) are one: which side is called left makes no difference. Everything is asked of
`Layout` and of the variant once, and kept. Masks are those of `masks.py`.
"""

from __future__ import annotations

from typing import Any

from .. import tiles
from ..documents import Match
from ..layout import Layout
from .masks import mask_of, shape, tiles_of

Grown = tuple[tuple[int, int], ...]  # (layout's number, points of the play) for each different way to set a tile


class Layouts:
    """The layouts met so far. `fits[n]`: the tiles that fit on layout `n`, as a mask; `shown[n]`: one like it;
    `grown[n]`: by a tile's bit what setting it leads to, where that was asked before (`grow`)."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._numbers: dict[Any, int] = {}
        self.grown: list[dict[int, Grown]] = []
        self.fits: list[int] = []
        self.shown: list[Layout] = []

    def number(self, layout: Layout) -> int:
        """The number of a layout; a new one if nothing like it was met before."""
        key = shape(layout)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.shown)
            self.shown.append(layout)
            self.grown.append({})
            self.fits.append(mask_of(tile for tile in tiles.SET if layout.fits(tile)))
        return found

    def grow(self, number: int, bit: int) -> Grown:
        """What setting the tile of this bit on a layout leads to, in the order of the sides."""
        found = self.grown[number].get(bit)
        if found is None:
            layout, tile = self.shown[number], tiles_of(bit)[0]
            variant, rules = self._match.variant, self._match.rules
            after = [layout.play(tile, side) for side in layout.fits(tile)]
            ways = dict.fromkeys((self.number(each), variant.gains(each, rules)) for each in after)
            found = self.grown[number][bit] = tuple(ways)
        return found
