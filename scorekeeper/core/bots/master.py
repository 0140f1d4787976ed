"""Master: plays out many deals of the hidden tiles and takes the move that does best.

1. It draws deals of the tiles it cannot see that agree with every pass, discard and lead, weighted by how likely the
   others' plays were if they held these hands (`deals.py`, `story.py`).
2. From the weighted deals it picks some in proportion to their weight. For each, every legal move is played out to
   the round's end by the simulation layer, the same deal and the same chance for all moves: the others play as the
   model (Normal's or Expert's rule) under which their plays so far were likely, Master itself and its partner by
   Expert's rule.
3. What a round comes to is judged by what it does for the match: the side's chance to win it from the new totals, as
   the variant reckons it (`prospects`). In Block that is a race to the target that only a round's winner advances in;
   in Quatro Pontas the race of two sides; in Gaple, where the fewest pips win, how far the total is below the others'
   with so many rounds to come, so that it sheds and discards for points and not only to go out; in Domeng, where
   stones are penalties, becoming camat is winning, and else few stones at a table that empties.

The same view, `rng` and number of samples give the same answer everywhere: all arithmetic is exact or in a fixed order.
More samples make it better; `stop` ends it early with what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from math import sqrt
from random import Random

from ..engine.masks import NUMBER, State, Way, advance
from ..engine.moves import Move
from ..engine.playout import COUNTING, HEAVY, Weights, play_out
from .deals import Deal, Deals, sum_of
from .expert import KEPT, OTHERS, OWN
from .story import MODELS, UNIT, Story, story_of
from .view import View, forced

SAMPLES = 2000  # deals drawn for a move
PLAYED = 0.3  # of them played out, after picking by weight
LESSONS = (0.1, 0.3)  # when so many of the samples are drawn, what they show is learnt
BATCH = 50  # deals between two looks at `stop`
TRIES = 40  # draws for one deal, where some fail
MINE = 0.7  # Expert's OWN as Master plays on itself: against Experts worth a point a round in Block
RULES = (HEAVY, COUNTING, COUNTING)  # what each model of a player is played out as

Rated = tuple[Move, float, float]


def choose(view: View, rng: Random) -> Move:
    """The move that does best in a fixed number of samples."""
    return forced(view) or evaluate(view, rng, SAMPLES)[0][0]


def evaluate(view: View, rng: Random, samples: int = SAMPLES, stop: Callable[[], bool] | None = None) -> list[Rated]:
    """Every legal move, the best first: (move, the points that the rest of the round is expected to bring the side
    more than the average other side, their standard error).

    Where the lowest total wins, points count against a side. The order is by the chance to win the match, which may
    differ from that of the points. `stop` is asked now and then and ends the work early when true.
    """
    table = Trial(view, rng)
    deals = table.draw(samples, stop)
    table.play(pick(deals, max(1, int(samples * PLAYED)), rng), stop)
    return table.rated()


def weights_of(view: View) -> Weights:
    """By which weights each seat plays on: Expert's, a partner's unseen tiles counting the other way, or MINE."""
    sides, found = view.side_of, []
    for seat, side in enumerate(sides):
        held = sum([count for other, count in enumerate(view.counts) if other != seat])
        partners = sum([count for other, count in enumerate(view.counts) if other != seat and sides[other] == side])
        share = (held - 2 * partners) / held if held else 0.0
        own = MINE if seat == view.seat else OWN
        found.append((UNIT, round(UNIT * own), round(UNIT * OTHERS * share), round(UNIT * view.variant.pips_matter)))
    return Weights(tuple(found), UNIT, round(UNIT * KEPT))


def pick(deals: Sequence[Deal], count: int, rng: Random) -> list[tuple[Deal, int]]:
    """Deals in proportion to their weight, evenly spaced in their sum: (deal, how many times)."""
    whole = 0.0
    for deal in deals:
        whole += deal.weight
    step, found, passed = whole / count, [], 0.0
    mark = rng.random() * step
    for deal in deals:
        passed += deal.weight
        times = 0
        while mark < passed:
            mark += step
            times += 1
        if times:
            found.append((deal, times))
    return found


@dataclass(slots=True)
class Sum:
    """What a move came to so far: deals, the chance to win, points and their squares."""

    count: int = 0
    chance: float = 0.0
    points: float = 0.0
    squares: float = 0.0

    def add(self, chance: float, points: float, times: int) -> None:
        """Takes in the outcome of one deal."""
        self.count += times
        self.chance += chance * times
        self.points += points * times
        self.squares += points * points * times


@dataclass(slots=True)
class Trial:
    """The legal moves of a view on trial."""

    view: View
    rng: Random
    story: Story = field(init=False)
    weights: Weights = field(init=False)
    ways: list[Way] = field(init=False)
    sums: dict[tuple[int, int], Sum] = field(init=False)
    chances: dict[tuple[tuple[int, ...], int], float] = field(init=False)

    def __post_init__(self) -> None:
        self.story, self.weights, self.chances = story_of(self.view), weights_of(self.view), {}
        self.ways = [self.way(move) for move in self.view.legal]
        self.sums = {key(way): Sum() for way in self.ways}

    def way(self, move: Move) -> Way:
        """A move as the simulation has it."""
        if move.tile is None or move.discard:
            return NUMBER[move.tile] if move.tile else 0, None, 0
        grown = self.view.layout.play(move.tile, move.side)
        return NUMBER[move.tile], self.story.table.graph.node(grown), self.view.variant.gains(grown, self.view.rules)

    def draw(self, samples: int, stop: Callable[[], bool] | None) -> list[Deal]:
        """So many deals; fewer when stopped, but at least one."""
        deals = Deals(self.view, self.story, self.weights, self.rng)
        found: list[Deal] = []
        failed = 0
        lessons = [int(samples * part) for part in LESSONS] if any(self.story.moves) else []
        lessons = [count for count in lessons if count]
        while len(found) < samples:
            if lessons and len(found) == lessons[0]:
                lessons.pop(0)
                deals.learn(found[-2 * len(found) // 3 :])
            deal = deals.draw()
            if deal:
                found.append(deal)
                if stop and not len(found) % BATCH and stop():
                    break
            else:
                failed += 1
                if failed > TRIES * samples and found:
                    break
        return found

    def play(self, picked: list[tuple[Deal, int]], stop: Callable[[], bool] | None) -> None:
        """Plays every move out on each deal."""
        different = {key(way): way for way in self.ways}
        for number, (deal, times) in enumerate(picked):
            if stop and number and not number % BATCH and stop():
                return
            kinds, chance = self.kinds(deal), self.rng.randbytes(32)
            for name, way in different.items():
                state = self.state(deal)
                advance(state, way)
                play_out(state, kinds, cycle(chance), self.weights)
                points = state.sides
                self.sums[name].add(self.chance(state, points), self.ahead(points), times)

    def state(self, deal: Deal) -> State:
        """The round as it stands, with the hidden tiles as dealt."""
        story, view = self.story, self.view
        return State(story.table, deal.hands[:], deal.given[:], deal.away, story.node, view.seat, story.idle,
                     story.last, story.fresh, story.passes[:], story.points[:], view.totals)

    def kinds(self, deal: Deal) -> list[int]:
        """By which rule each seat goes on: a model drawn in proportion to how likely it made the seat's plays."""
        found = []
        for seat, likely in enumerate(deal.likely):
            mark, model = self.rng.random() * sum_of(likely), 0
            while model < MODELS - 1 and mark >= likely[model]:
                mark -= likely[model]
                model += 1
            found.append(COUNTING if seat == self.view.seat else RULES[model])
        return found

    def chance(self, state: State, points: list[int]) -> float:
        """The side's chance to win the match after a round of these points."""
        name = (tuple(points), state.by)
        known = self.chances.get(name)
        if known is None:
            view = self.view
            totals = [total + gained for total, gained in zip(view.totals, points, strict=True)]
            found = view.variant.prospects(view.rules, totals, view.rounds + 1, state.by)
            known = self.chances[name] = found[view.side_of[view.seat]]
        return known

    def ahead(self, points: list[int]) -> float:
        """Points of the side beyond the average of the others, the right way round."""
        mine = points[self.view.side_of[self.view.seat]]
        found = mine - (sum(points) - mine) / (len(points) - 1)
        return -found if self.view.variant.lowest_wins else found

    def rated(self) -> list[Rated]:
        """The moves, the best first."""
        found = []
        for move, way in zip(self.view.legal, self.ways, strict=True):
            total = self.sums[key(way)]
            mean = total.points / total.count
            spread = max(0.0, total.squares / total.count - mean * mean)
            found.append((total.chance / total.count, (move, mean, sqrt(spread / total.count))))
        found.sort(key=lambda each: -each[0])
        return [rated for _, rated in found]


def key(way: Way) -> tuple[int, int]:
    """Tells ways apart: those that come to the same have one key."""
    return way[0], id(way[1])
