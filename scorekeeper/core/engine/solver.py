"""What each move of a position is worth with all hands known: exact where the search ends in its budget.

The unit is points of this round (stones in Domeng), from its deal to its end: those of the asked side less the mean of
the other sides'; where few points win, the others' mean less one's own. So 0 is level, and with two sides it is the
difference. Not in it: who leads next, how the match stands, who becomes camat.

A position is solved in one of three ways, the first that its budget allows, all its moves in the same one:
`each` (exact: every side plays its best for itself), `against` (exact: all others play against the asked side, so
this is what it can be sure of) and `ahead` (an estimate: `each` as many choices deep as can be, then played on simply).
With two sides the first two are one, called `each`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .known import Child, Known, Points, add
from .moves import Move
from .position import Position
from .search import Against, Ahead, Budget, Each, Spent, Worth

NODES = 100_000  # for each way to search exactly
WAYS = ("each", "against", "ahead")
UNSURE = 999.0  # more than a round can bring


@dataclass(frozen=True, slots=True)
class Valued:
    """A move and its value; `error`: how much an estimate still changed with the last step ahead, `UNSURE` where there
    was no time for any, 0 for an exact value."""

    move: Move
    value: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Solution:
    """The legal moves of a position in their order, how they were valued, and the nodes that were looked at."""

    moves: tuple[Valued, ...]
    way: str
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether the values are exact, in the sense of `way`."""
        return self.way != "ahead"

    @property
    def best(self) -> Valued:
        """The move with the highest value, of equals the first."""
        return max(self.moves, key=lambda each: each.value)


class Solver:
    """Solves positions of one deal for one side; what was found for one position is of use to the next.

    `position`: any position of the round; `side`: whose points are asked for.
    """

    def __init__(self, position: Position, side: int) -> None:
        self._known = Known(position)
        self._worth = Worth(self._known)
        self._side = side
        two = len(self._known.nothing) == 2
        against = Against(self._known, self._worth, side)
        self._exact: dict[str, Against | Each] = {"each": against} if two else {
            "each": Each(self._known, self._worth, side), "against": against}

    @property
    def ways(self) -> tuple[str, ...]:
        """The exact ways there are, one with two sides."""
        return tuple(self._exact)

    def solve(self, position: Position, nodes: int = NODES, stop: Callable[[], bool] | None = None,
              ways: Sequence[str] = WAYS) -> Solution:
        """Values every legal move.

        `nodes`: the budget of each exact way, half of it for an estimate; `stop`: asked now and then whether to make do
        with what there is (then the result is no longer the same for the same input); `ways`: those to try.
        """
        before, state = self._known.state(position)
        legal = position.legal()
        children: list[Child] = [(before, None)] * len(legal)  # no choice is left: closing passes
        if state:
            found = [self._known.child(state, position, move) for move in legal]
            children = [(add(before, points), after) for points, after in found]
        used = 0
        for way in [each for each in self.ways if each in ways]:
            search = self._exact[way]
            search.budget = Budget(nodes, stop)
            try:
                values = [search.of(*child) for child in children]
            except Spent:
                used += search.budget.used
                continue
            worths = [value if isinstance(value, int) else self._worth(value, self._side) for value in values]
            moves = [Valued(move, worth / self._worth.scale) for move, worth in zip(legal, worths, strict=True)]
            return Solution(tuple(moves), way, used + search.budget.used)
        ahead = Ahead(self._known, self._worth, self._side)
        lasts, befores = ahead.deepen(children, nodes // 2, stop)
        moves = [Valued(move, self._points(last), abs(self._points(last) - self._points(one_before)))
                 for move, last, one_before in zip(legal, lasts, befores, strict=True)]
        if lasts is befores:  # not one step
            moves = [Valued(each.move, each.value, UNSURE) for each in moves]
        return Solution(tuple(moves), WAYS[-1], used + ahead.budget.used)

    def _points(self, points: Points) -> float:
        return self._worth(points, self._side) / self._worth.scale

    def line(self, position: Position, way: str) -> Position:
        """The round played on from `position` to its end as the exact way `way` expects it. Raises `Spent` never:
        its budget has no end."""
        search = self._exact[way]
        search.budget = Budget(1 << 60)
        while not position.ended:
            _, state = self._known.state(position)
            legal = position.legal()
            best = legal[0]
            if state is not None and len(legal) > 1:
                found = None
                for move in legal:
                    value = search.of(*self._known.child(state, position, move))
                    if found is None or search.better(position.seat, value, found):  # type: ignore[arg-type]
                        best, found = move, value
            position = position.play(best)
        return position
