"""Hands as 28-bit numbers: bit `tile.index` is set where the tile is held. The tables that go with them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from .. import tiles
from ..tiles import Tile

ALL = (1 << len(tiles.SET)) - 1
HAS = tuple(sum(tile.bit for tile in tiles.SET if tile.has(number)) for number in range(tiles.HIGHEST + 1))
_HALF = len(tiles.SET) // 2
_LOW = (1 << _HALF) - 1


def _sums(part: tuple[Tile, ...]) -> tuple[int, ...]:
    sums = [0]
    for tile in part:
        sums += [pips + tile.pips for pips in sums]
    return tuple(sums)


_PIPS_LOW, _PIPS_HIGH = _sums(tiles.SET[:_HALF]), _sums(tiles.SET[_HALF:])


def mask_of(hand: Iterable[Tile]) -> int:
    """The number that stands for these tiles."""
    return sum(tile.bit for tile in hand)


@lru_cache(maxsize=1 << 16)
def tiles_of(mask: int) -> tuple[Tile, ...]:
    """The tiles a number stands for, in the order of their index; the inverse of `mask_of`."""
    return tuple(tile for tile in tiles.SET if mask & tile.bit)


def pips(mask: int) -> int:
    """The pips of a hand."""
    return _PIPS_LOW[mask & _LOW] + _PIPS_HIGH[mask >> _HALF]
