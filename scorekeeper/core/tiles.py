"""The double-six set: 28 tiles, 168 pips. A tile's text form is `2-5`, the low half first."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from .errors import Invalid, shown

HIGHEST = 6


class Tile:
    """One of the 28 tiles. There is one object per tile: `is` and `==` agree, and a set of them is cheap.

    `low` <= `high`; `pips` is their sum; `index` is 0…27 in the order 0-0, 0-1, … 6-6; `bit` is `1 << index`.
    """

    __slots__ = ("bit", "high", "index", "low", "pips", "text")

    def __init__(self, low: int, high: int, index: int) -> None:
        self.low, self.high, self.index = low, high, index
        self.pips = low + high
        self.bit = 1 << index
        self.text = f"{low}-{high}"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Tile({self.text})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return parse, (self.text,)

    @property
    def double(self) -> bool:
        """Whether both halves show the same number."""
        return self.low == self.high

    def has(self, number: int) -> bool:
        """Whether one of the halves shows `number`."""
        return number in (self.low, self.high)

    def other(self, number: int) -> int:
        """The half that is not `number`; a double's other half is the same number."""
        return self.pips - number


SET: tuple[Tile, ...] = tuple(
    Tile(low, high, index)
    for index, (low, high) in enumerate((a, b) for a in range(HIGHEST + 1) for b in range(a, HIGHEST + 1))
)
PIPS = sum(tile.pips for tile in SET)
BY_TEXT: dict[str, Tile] = {tile.text: tile for tile in SET} | {f"{t.high}-{t.low}": t for t in SET}
_HEAVIEST = sorted((tile.pips for tile in SET), reverse=True)
_HEAVIEST_BLANKLESS = sorted((tile.pips for tile in SET if tile.low), reverse=True)


def parse(text: object) -> Tile:
    """The tile that `text` names, either half first. Raises `Invalid("not_a_tile")`."""
    try:
        return BY_TEXT[text]  # type: ignore[index]
    except (KeyError, TypeError):
        raise Invalid("not_a_tile", f"{shown(text)} is not a tile of the double-six set",
                      tile=text[:40] if isinstance(text, str) else shown(text)) from None


def of(one: int, other: int) -> Tile:
    """The tile with these two halves, in either order."""
    return BY_TEXT[f"{one}-{other}"]


def pips(tiles: Iterable[Tile]) -> int:
    """The sum of all pips on `tiles`."""
    return sum([tile.pips for tile in tiles])  # a list: twice as fast as a generator on hands this short


@cache
def heaviest(count: int, *, double_blank: int = 0) -> int:
    """The most pips that `count` tiles can show; with `double_blank` 25 the 0-0 may be among them (G11)."""
    plain = sum(_HEAVIEST[:count])
    if not double_blank or not count:
        return plain
    return max(plain, double_blank + sum(_HEAVIEST_BLANKLESS[: count - 1]))
