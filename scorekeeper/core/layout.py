"""The layout's open ends: a chain with two, and a spinner's cross with up to four."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import Invalid
from .tiles import Tile

SIDES = ("left", "right")


def play(ends: tuple[int, int], tile: Tile, side: str) -> tuple[int, int]:
    """The open ends after `tile` goes on `side` of a chain (B4). Raises `Invalid("does_not_fit")`."""
    place = SIDES.index(side)
    if not tile.has(ends[place]):
        raise Invalid("does_not_fit", f"{tile} does not fit {ends[place]} on the {side}")
    grown = list(ends)
    grown[place] = tile.other(ends[place])
    return grown[0], grown[1]


def arm_end(number: int, arm: Sequence[Tile]) -> int:
    """What the outer end of an arm counts; it starts at `number`, its tiles come from the inside out (P6).

    A double there counts both halves. Raises `Invalid("does_not_fit")` where two tiles do not match.
    """
    for tile in arm:
        if not tile.has(number):
            raise Invalid("does_not_fit", f"{tile} does not fit {number}")
        number = tile.other(number)
    return 2 * number if arm[-1].double else number


def cross_ends(spinner: Tile, arms: Sequence[Sequence[Tile]], spinner_end: str = "twice") -> list[int]:
    """What each open end counts round a spinner; the first two arms are its long sides (P6).

    The spinner itself counts until both long sides are covered: both halves while alone, then as
    `spinner_end` says. A short side covered before (P4, `spinner_order: "any"`) does not change that.
    """
    ends = [arm_end(spinner.low, arm) for arm in arms if arm]
    if not ends:
        return [spinner.pips]
    if len(arms) > 1 and arms[0] and arms[1]:
        return ends
    return [spinner.pips if spinner_end == "twice" else spinner.low, *ends]
