"""The tiles on the table as play sees them: which numbers are open on which side, and what each end counts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .errors import Invalid
from .tiles import Tile

LONG = ("left", "right")  # the chain's two ends; for a spinner, its long sides
SHORT = ("up", "down")  # open on a spinner only
OPPOSITE = {"left": "right", "right": "left"}


@dataclass(frozen=True, slots=True)
class End:
    """An open end: the number that fits there and what the end counts (P6)."""

    number: int
    counts: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A chain, or where `cross` a chain whose first double is a spinner with up to four ends (G4, P4).

    `ends` maps a side to its end; `bare` holds the long sides of the spinner that no tile covers yet.
    `any_order`: the spinner's short sides open at once, not after both long ones.
    """

    cross: bool = False
    any_order: bool = False
    ends: tuple[tuple[str, End], ...] = ()
    tiles: int = 0
    spinner: Tile | None = None
    bare: frozenset[str] = frozenset()

    def open(self) -> dict[str, int]:
        """The number that fits on each side that takes a tile now; empty before the first tile."""
        sides = {side: end.number for side, end in self.ends}
        if self.spinner and (self.any_order or not self.bare):
            sides |= {side: self.spinner.low for side in SHORT if side not in sides}
        return sides

    def fits(self, tile: Tile) -> tuple[str, ...]:
        """The sides on which `tile` may go; `("",)` for a first tile, which goes anywhere."""
        if not self.tiles:
            return ("",)
        return tuple(side for side, number in self.open().items() if tile.has(number))

    def play(self, tile: Tile, side: str) -> Layout:
        """The layout with `tile` on `side`. Raises `Invalid("does_not_fit")`."""
        if side not in self.fits(tile):
            raise Invalid("does_not_fit", f"{tile} does not fit {side or 'there'}", tile=tile.text)
        if not self.tiles:
            return self._lead(tile)
        number = tile.other(self.open()[side])
        ends = dict(self.ends) | {side: End(number, tile.pips if tile.double else number)}
        grown = replace(self, ends=tuple(ends.items()), tiles=self.tiles + 1, bare=self.bare - {side})
        if self.cross and tile.double and self.spinner is None:
            return replace(grown, spinner=tile, bare=frozenset({side}))
        return grown

    def _lead(self, tile: Tile) -> Layout:
        ends = (("left", End(tile.low, tile.pips if tile.double else tile.low)), ("right", End(tile.high, tile.high)))
        spins = self.cross and tile.double
        return replace(self, ends=ends, tiles=1, spinner=tile if spins else None,
                       bare=frozenset(LONG) if spins else frozenset())

    def counts(self, spinner_end: str = "twice") -> list[int]:
        """What each open end counts, as scoring sums them (P6).

        The spinner counts until both long sides are covered: both halves while alone, then as `spinner_end` says.
        A short side covered before (P4, `spinner_order: "any"`) does not change that.
        """
        if self.tiles == 1 and self.ends[0][1].number == self.ends[1][1].number:
            return [2 * self.ends[0][1].number]
        ends = [end.counts for side, end in self.ends if side not in self.bare]
        if self.spinner and self.bare:
            return [self.spinner.pips if spinner_end == "twice" else self.spinner.low, *ends]
        return ends
