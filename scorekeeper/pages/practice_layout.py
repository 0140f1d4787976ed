"""Where each tile of a round lies on the drawn table.

Units are those of the tile symbols: a half is 40 wide. A chain starts in the middle and runs to both sides; where an
arm comes to the edge it turns a corner and comes back in the next row, one arm downwards, the other upwards. A spinner
lies in the middle, and each of its four arms turns into a quarter of its own. An arm's next place depends only on the
tiles before it, so that a tile set stays where it is; only when a picture has become too high for its width is the
whole drawn anew for a larger table, and so smaller.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scorekeeper.core.engine.position import Position
from scorekeeper.core.layout import LONG, SHORT
from scorekeeper.core.tiles import Tile, of

HALF, WHOLE, GAP = 40, 80, 2
PITCH = WHOLE + GAP  # from row to row: room for doubles, which stand across
MARGIN = 14  # round the tiles, for the marks on them
LANE = 60  # how near an arm comes to the straight part of its neighbour
TALLEST = 1.15  # a picture's height by its width
LOWEST = 0.5
REACHES = (170, 210, 250, 300, 360, 440, 560)  # from the middle to the edge
CROSS_REACHES = (250, 300, 360, 440, 560, 700)  # a quarter needs room for a corner beside the lane
TURNS = {"right": 0, "down": 1, "left": 2, "up": 3}  # quarter turns of each side's arm


@dataclass(frozen=True, slots=True)
class Place:
    """A tile on the table: its upper left corner, whether it lies, its halves (the left or upper one first), and its
    number in the order of play, from 0."""

    x: int
    y: int
    lies: bool
    first: int
    second: int
    number: int = 0

    @property
    def width(self) -> int:
        """In units."""
        return WHOLE if self.lies else HALF

    @property
    def height(self) -> int:
        """In units."""
        return HALF if self.lies else WHOLE

    @property
    def halves(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Left, top and number of each half, 40 units square."""
        dx, dy = (HALF, 0) if self.lies else (0, HALF)
        return (self.x, self.y, self.first), (self.x + dx, self.y + dy, self.second)


@dataclass(frozen=True, slots=True)
class Mark:
    """An open end: its side, the number that fits, and a point just beyond the tile it belongs to."""

    side: str
    number: int
    x: int
    y: int


class Spot(NamedTuple):
    """Where a tile goes in its arm's own directions: its middle, and the way from its near half to its far one."""

    x: int
    y: int
    dx: int
    dy: int


@dataclass(frozen=True, slots=True)
class Arm:
    """The end of an arm, seen as if it ran to the right and turned downwards: the edge `x` of its last tile, its row
    `y`, which way the row runs, and between which edges rows run. `column`: the middle of a corner just turned."""

    turns: int
    x: int
    far: int
    back: int
    y: int = 0
    ahead: int = 1
    column: int | None = None

    def step(self, double: bool) -> tuple[Spot, Arm]:
        """Where the next tile goes, and the arm's end after it."""
        if self.column is not None:
            ahead, y = -self.ahead, self.y + PITCH
            spot = Spot(self.column + ahead * HALF // 2, y, ahead, 0)
            return spot, replace(self, x=spot.x + ahead * HALF, y=y, ahead=ahead, column=None)
        length = HALF if double else WHOLE
        room = self.far - self.x if self.ahead > 0 else self.x - self.back
        if room >= length + HALF + 2 * GAP:  # and a corner after it
            spot = Spot(self.x + self.ahead * (GAP + length // 2), self.y, *((0, 1) if double else (self.ahead, 0)))
            return spot, replace(self, x=self.x + self.ahead * (GAP + length))
        column = self.x + self.ahead * (GAP + HALF // 2)
        return Spot(column, self.y + HALF // 2, 0, 1), replace(self, column=column)

    def place(self, tile: Tile, near: int, number: int = 0) -> Place:
        """The next tile's place on the table, its half `near` at the arm's end."""
        spot, _ = self.step(tile.double)
        (x, y), (dx, dy) = self._turned(spot.x, spot.y), self._turned(spot.dx, spot.dy)
        lies, far = dx != 0, tile.other(near)
        first, second = (near, far) if dx + dy > 0 else (far, near)
        width, height = (WHOLE, HALF) if lies else (HALF, WHOLE)
        return Place(x - width // 2, y - height // 2, lies, first, second, number)

    def tip(self) -> tuple[int, int]:
        """A point just beyond the last tile, in the middle of the next tile's near half."""
        spot, _ = self.step(False)
        return self._turned(spot.x - spot.dx * HALF // 2, spot.y - spot.dy * HALF // 2)

    def _turned(self, x: int, y: int) -> tuple[int, int]:
        for _ in range(self.turns):
            x, y = -y, x
        return x, y


@dataclass
class Line:
    """The tiles in order from the left end to the right one, each as (left half, right half, number), and the two
    arms on a spinner's short sides, each from the inside out as (near, far, number). `root` lies in the middle."""

    tiles: list[tuple[int, int, int]] = field(default_factory=list)
    short: dict[str, list[tuple[int, int, int]]] = field(default_factory=lambda: {side: [] for side in SHORT})
    root: int = 0
    spinner: bool = False
    count: int = 0

    def add(self, tile: Tile, side: str, cross: bool) -> None:
        """Sets a tile, the first double of a cross as its spinner."""
        spins = cross and tile.double and not self.spinner
        if not self.tiles:
            self.tiles.append((tile.low, tile.high, self.count))
        elif side == "left":
            near = self.tiles[0][0]
            self.tiles.insert(0, (tile.other(near), near, self.count))
            self.root = 0 if spins else self.root + 1
        elif side == "right":
            near = self.tiles[-1][1]
            self.tiles.append((near, tile.other(near), self.count))
            self.root = len(self.tiles) - 1 if spins else self.root
        else:
            arm = self.short[side]
            near = arm[-1][1] if arm else self.tiles[self.root][0]
            arm.append((near, tile.other(near), self.count))
        self.spinner, self.count = self.spinner or spins, self.count + 1

    def arm(self, side: str) -> list[tuple[int, int, int]]:
        """The tiles of an arm from the inside out, as (near, far, number)."""
        if side in self.short:
            return self.short[side]
        if side == "right":
            return self.tiles[self.root + 1 :]
        return [(right, left, number) for left, right, number in self.tiles[: self.root][::-1]]


@dataclass(frozen=True)
class Drawing:
    """The tiles of a round as they lie, in the order of play, the open ends, and the picture's box: x, y, width,
    height."""

    places: tuple[Place, ...] = ()
    marks: tuple[Mark, ...] = ()
    box: tuple[int, int, int, int] = (-REACHES[0], -REACHES[0] // 2, 2 * REACHES[0], REACHES[0])
    arms: tuple[tuple[str, Arm], ...] = ()

    def ghost(self, tile: Tile, side: str) -> Place:
        """Where `tile` would lie on an open end. Raises KeyError for a side that is not open."""
        number = {mark.side: mark.number for mark in self.marks}[side]
        return dict(self.arms)[side].place(tile, number)


def draw(position: Position) -> Drawing:
    """The layout of a round."""
    line, cross = Line(), position.layout.cross
    if position.first:
        line.add(position.first, "", cross)
    for move in position.moves:
        if move.tile and not move.discard:
            line.add(move.tile, move.side, cross)
    if not line.tiles:
        return Drawing()
    for reach in CROSS_REACHES if line.spinner else REACHES:
        drawing = _drawn(line, reach, position.layout.open())
        if drawing.box[2] <= 2 * (reach + MARGIN) and drawing.box[3] <= TALLEST * drawing.box[2]:
            break
    return drawing


def _drawn(line: Line, reach: int, open_ends: dict[str, int]) -> Drawing:
    """The layout on a table of this size, with the ends that take a tile now."""
    low, high, number = line.tiles[line.root]
    upright = low == high
    width, height = (HALF, WHOLE) if upright else (WHOLE, HALF)
    places = [Place(-width // 2, -height // 2, not upright, low, high, number)]
    back = LANE if line.spinner else -reach
    arms: dict[str, Arm] = {}
    for side in (*LONG, *SHORT) if line.spinner else LONG:
        arm = Arm(TURNS[side], (width if side in LONG else height) // 2, reach, back)
        for near, far, number in line.arm(side):
            tile = of(near, far)
            places.append(arm.place(tile, near, number))
            arm = arm.step(tile.double)[1]
        arms[side] = arm
    marks = tuple([Mark(side, number, *arms[side].tip()) for side, number in open_ends.items()])
    ghosts = [arms[mark.side].place(tile, mark.number) for mark in marks
              for tile in (of(mark.number, mark.number), of(mark.number, (mark.number + 1) % 7))]
    box = _box([*places, *ghosts], reach)
    return Drawing(tuple(sorted(places, key=lambda place: place.number)), marks, box, tuple(arms.items()))


def _box(places: Iterable[Place], reach: int) -> tuple[int, int, int, int]:
    """What shows all places, at least as wide as the table and not too low."""
    found = list(places)
    left = min(-reach, *(place.x for place in found)) - MARGIN
    right = max(reach, *(place.x + place.width for place in found)) + MARGIN
    top = min(place.y for place in found) - MARGIN
    bottom = max(place.y + place.height for place in found) + MARGIN
    missing = int(LOWEST * (right - left)) - (bottom - top)
    if missing > 0:
        top, bottom = top - missing // 2, bottom + (missing + 1) // 2
    return left, top, right - left, bottom - top
