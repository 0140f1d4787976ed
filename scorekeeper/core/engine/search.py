"""What a state is worth when all play as well as can be, all hands known: exact, or `Spent` where it takes too long;
or else looked at some moves ahead (`Ahead`).

Two ways to read "as well as can be" where there are more than two sides. `Each`: every side plays for itself
(max^n). `Against`: all others play against one side (alpha-beta). With two sides they are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .known import Child, Known, Points, State, add

INFINITE = 1 << 30
EXACT, LOWER, UPPER = 0, 1, 2
FARTHEST = 30  # choices; no round has so many left
PAUSE = 256  # nodes between two looks at `stop`


class Spent(Exception):
    """The budget is used up, or the search was told to stop."""


@dataclass
class Budget:
    """How many nodes a search may look at; `stop` is asked now and then whether to give up at once."""

    nodes: int
    stop: Callable[[], bool] | None = None
    used: int = 0

    def take(self) -> None:
        """One node more. Raises `Spent`."""
        self.used += 1
        if self.used > self.nodes or (self.stop and self.used % PAUSE == 0 and self.stop()):
            raise Spent


@dataclass
class Worth:
    """What points are worth to a side, in whole numbers: those ahead of the mean of the other sides, times their
    number (so that all sides' worths sum to 0). Where few points win, those are ahead that have fewer."""

    known: Known
    _kept: dict[tuple[Points, int], int] = field(default_factory=dict)

    @property
    def scale(self) -> int:
        """What a worth is divided by to give points."""
        return len(self.known.nothing) - 1

    def __call__(self, points: Points, side: int) -> int:
        found = self._kept.get((points, side))
        if found is None:
            ahead = (self.scale + 1) * points[side] - sum(points)
            found = self._kept[points, side] = -ahead if self.known.variant.lowest_wins else ahead
        return found


class Against:
    """One side against all others. Values are worths to that side."""

    def __init__(self, known: Known, worth: Worth, side: int) -> None:
        self._known, self._worth, self._side = known, worth, side
        self._table: dict[State, tuple[int, int]] = {}
        self._moves_score = bool(known.variant.scores(known.match.rules))
        self.budget = Budget(0)

    def value(self, state: State) -> int:
        """The exact worth of what is still to come. Raises `Spent`."""
        return self._search(state, -INFINITE, INFINITE)

    def better(self, mover: int, one: int, other: int) -> bool:
        """Whether a move worth `one` is better for the seat that makes it than one worth `other`."""
        return one > other if self._known.side_of[mover] == self._side else one < other

    def of(self, points: Points, state: State | None) -> int:
        """The worth of a child."""
        return self._worth(points, self._side) + (self.value(state) if state else 0)

    def _search(self, state: State, alpha: int, beta: int) -> int:
        kept = self._table.get(state)
        if kept:
            value, bound = kept
            if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                return value
        self.budget.take()
        known, side, worth, search = self._known, self._side, self._worth, self._search
        children = known.children(state)
        nothing = known.nothing
        if len(children) == 1:  # nothing to choose: bounds go through as they are
            points, after = children[0]
            gain = 0 if points is nothing else worth(points, side)
            value = gain + (search(after, alpha - gain, beta - gain) if after else 0)
            best = value
            low, high = alpha, beta
        elif known.side_of[state[2]] == side:
            best, low, high = -INFINITE, alpha, beta
            if self._moves_score:
                children.sort(key=lambda child: -worth(child[0], side))
            for points, after in children:
                gain = 0 if points is nothing else worth(points, side)
                floor = max(low, best)
                value = gain + (search(after, floor - gain, high - gain) if after else 0)
                if value > best:
                    best = value
                    if best >= high:
                        break
        else:
            best, low, high = INFINITE, alpha, beta
            if self._moves_score:
                children.sort(key=lambda child: worth(child[0], side))
            for points, after in children:
                gain = 0 if points is nothing else worth(points, side)
                ceiling = min(high, best)
                value = gain + (search(after, low - gain, ceiling - gain) if after else 0)
                if value < best:
                    best = value
                    if best <= low:
                        break
        self._table[state] = best, LOWER if best >= high else UPPER if best <= low else EXACT
        return best


class Each:
    """Every side for itself. Of moves equally good for the mover's side, the one that is worst for `side` is
    expected, so that the value does not hang on the order of the moves."""

    def __init__(self, known: Known, worth: Worth, side: int) -> None:
        self._known, self._worth, self._side = known, worth, side
        self._table: dict[State, Points] = {}
        self.budget = Budget(0)

    def value(self, state: State) -> Points:
        """The points that each side still gets. Raises `Spent`."""
        found = self._table.get(state)
        if found is None:
            self.budget.take()
            children = self._known.children(state)
            found = self.of(*children[0])
            for points, after in children[1:]:
                other = self.of(points, after)
                if self.better(state[2], other, found):
                    found = other
            self._table[state] = found
        return found

    def of(self, points: Points, state: State | None) -> Points:
        """The points of a child: the move's and those that follow."""
        if state is None:
            return points
        if points is self._known.nothing:
            return self.value(state)
        return add(points, self.value(state))

    def better(self, mover: int, one: Points, other: Points) -> bool:
        """Whether `one` is what the seat `mover` is expected to prefer to `other`."""
        if one == other:
            return False
        worth, side = self._worth, self._side
        mine = self._known.side_of[mover]
        return (worth(one, mine), -worth(one, side), one) > (worth(other, mine), -worth(other, side), other)


class Ahead(Each):
    """As `Each`, but only some choices deep; from there on each plays what scores most, of such the heaviest tile."""

    def __init__(self, known: Known, worth: Worth, side: int) -> None:
        super().__init__(known, worth, side)
        self._looked: dict[tuple[State, int], Points] = {}

    def deepen(self, children: Sequence[Child], nodes: int,
               stop: Callable[[], bool] | None) -> tuple[list[Points], list[Points]]:
        """The points of each child, looking as far ahead as the budget allows, and what they were one step before."""
        self.budget = Budget(1 << 60)
        last = before = [self.at(child, 0) for child in children]
        self.budget = Budget(nodes, stop)
        for depth in range(1, FARTHEST):
            try:
                values = [self.at(child, depth) for child in children]
            except Spent:
                break
            before, last = last, values
        return last, before

    def at(self, child: Child, depth: int) -> Points:
        """The points of a child, so many choices deep. Raises `Spent`."""
        points, state = child
        return points if state is None else add(points, self._look(state, depth))

    def _look(self, state: State, depth: int) -> Points:
        key = (state, depth)
        found = self._looked.get(key)
        if found is None:
            self.budget.take()
            children = self._known.children(state)
            if len(children) == 1:
                found = self.at(children[0], depth)
            elif depth == 0:
                side = self._known.side_of[state[2]]
                found = self.at(max(children, key=lambda child: self._worth(child[0], side)), 0)
            else:
                found = self.at(children[0], depth - 1)
                for child in children[1:]:
                    other = self.at(child, depth - 1)
                    if self.better(state[2], other, found):
                        found = other
            self._looked[key] = found
        return found
