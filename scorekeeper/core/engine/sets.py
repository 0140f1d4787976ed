"""Sets of tiles as masks of 28 bits, the lightest tile in bit 0 (`ORDER`), so that the heaviest is the highest bit.

A tile's *number* is its bit's place from 1, which is what `bit_length` gives.
"""

from __future__ import annotations

from collections.abc import Iterable

from .. import tiles
from ..tiles import Tile

ORDER: tuple[Tile, ...] = tuple(sorted(tiles.SET, key=lambda tile: (tile.pips, tile.low)))
NUMBER: dict[Tile, int] = {tile: place + 1 for place, tile in enumerate(ORDER)}
ALL = (1 << len(ORDER)) - 1

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
