"""Deals of the hidden tiles that agree with all that a seat has seen, each with how likely it is.

A tile goes to a place that can hold it (a hand, a seat's discards, the boneyard), the most constrained tiles first, a
place being the likelier the more of its free room only few tiles can fill, and the more often the tile was there in
the good ones of some deals drawn before (`learn`). A deal's weight makes up for that choice, so that before the
others' plays are looked at every possible deal counts the same; then it is multiplied with how likely those plays
were (`story.likelihood`), each seat being of one of the models throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..engine.masks import mask_of, numbers
from ..engine.playout import Weights
from .story import MODELS, Likely, Story, likelihood
from .view import View

PRIOR = (0.4, 0.4, 0.2)  # of the models HEAVY, COUNTING, SOFT
TRUST, FLOOR = 10.0, 0.03  # equally weighty deals for learning half of what they say; a share added to every place
FACTORIAL = [1.0]
for _ in range(28):
    FACTORIAL.append(FACTORIAL[-1] * len(FACTORIAL))


@dataclass(slots=True)
class Deal:
    """Hands and discards by seat as masks (the viewer's own among them), tiles in nobody's hand, the weight, and by
    seat how likely its plays were for each model."""

    hands: list[int]
    given: list[int]
    away: int
    weight: float
    likely: list[Likely]
    filled: list[int]


@dataclass(slots=True)
class _Place:
    seat: int
    room: int
    tiles: int  # those that may go here
    discards: bool = False


_Choice = tuple[int, list[tuple[int, float]]]  # a tile, as a mask, and the places it may go to with their pulls


class Deals:
    """Draws deals for a view."""

    def __init__(self, view: View, story: Story, weights: Weights, rng: Random) -> None:
        self.story, self.weights, self.rng, self.seat = story, weights, rng, view.seat
        self.own, self.own_given = mask_of(view.hand), mask_of(view.given)
        self.hidden = mask_of(view.unseen)
        self.places: list[_Place] = []
        for seat, count in enumerate(view.counts):
            if seat != view.seat:
                self._add(seat, count, story.bans[seat], False)
                banned = story.banned_at[seat]
                self._add(seat, len(banned), banned[0] if banned else 0, True)
        self._add(-1, self.hidden.bit_count() - sum([place.room for place in self.places]), 0, False)
        everywhere = self.hidden
        for place in self.places:
            everywhere &= place.tiles
        rooms = {tile: sum([place.room for place in self.places if place.tiles >> tile - 1 & 1])
                 for tile in numbers(self.hidden & ~everywhere)}
        tied = sorted(rooms, key=lambda tile: (rooms[tile], tile))
        self.tied = [self._choice(tile) for tile in tied]
        self.free = [1 << tile >> 1 for tile in numbers(everywhere)]
        self.known: dict[tuple[int, int, tuple[int, ...]], Likely] = {}
        self.seats = len(view.counts)

    def _choice(self, tile: int) -> _Choice:
        """A tile and where it may go, each place with its pull (none yet)."""
        return 1 << tile >> 1, [(at, 1.0) for at, place in enumerate(self.places) if place.tiles >> tile - 1 & 1]

    def learn(self, deals: list[Deal]) -> None:
        """From now on puts tiles where they were in the weightiest of these deals."""
        whole = squares = 0.0
        for deal in deals:
            whole += deal.weight
            squares += deal.weight * deal.weight
        worth = whole * whole / squares  # how many equally weighty deals they amount to
        trust = worth / (worth + TRUST)
        order = [mask for mask, _ in self.tied] + sorted(self.free, reverse=True)
        self.tied, self.free = [], []
        for mask in order:
            choice = self._choice(mask.bit_length())[1]
            pulls = []
            for at, _ in choice:
                there, often = 0.0, 0
                for deal in deals:
                    if deal.filled[at] & mask:
                        there += deal.weight
                        often += 1
                base = often / len(deals)
                pulls.append((at, 1 + trust * ((there / whole + FLOOR) / (base + FLOOR) - 1)))
            self.tied.append((mask, pulls))

    def _add(self, seat: int, room: int, banned: int, discards: bool) -> None:
        if room:
            self.places.append(_Place(seat, room, self.hidden & ~banned, discards))

    def draw(self) -> Deal | None:
        """A deal; None where the tiles drawn first left no place for the others (then draw again)."""
        placed = self._place()
        if placed is None:
            return None
        filled, weight = placed
        hands, given, likely = [0] * self.seats, [0] * self.seats, [(1.0,) * MODELS] * self.seats
        orders: list[tuple[int, ...]] = [()] * self.seats
        away = 0
        for place, mask in zip(self.places, filled, strict=True):
            if place.seat < 0:
                away |= mask
            elif place.discards:
                found = self._order(place.seat, mask)
                if found is None:
                    return None
                orders[place.seat], ways = found
                weight *= ways
                given[place.seat] = mask
                away |= mask
            else:
                hands[place.seat] = mask
        for seat in range(self.seats):
            if seat != self.seat:
                likely[seat] = self._likely(seat, hands[seat], orders[seat])
                weight *= sum_of(likely[seat])
        hands[self.seat], given[self.seat] = self.own, self.own_given
        return Deal(hands, given, away | self.own_given, weight, likely, filled)

    def _place(self) -> tuple[list[int], float] | None:
        """The tiles of each place, and one over how likely this choice was (up to a constant)."""
        random, weight = self.rng.random, FACTORIAL[len(self.free)]
        rooms = [place.room for place in self.places]
        candidates = [place.tiles.bit_count() for place in self.places]
        filled = [0] * len(rooms)
        for tile, open_to in self.tied:
            whole, pulls = 0.0, []
            for at, tilt in open_to:
                room, left = rooms[at], candidates[at]
                if room >= left:
                    if room > left:
                        return None
                    pull = 1e9  # it takes every tile it can get
                else:
                    pull = tilt * room / (left - room)
                whole += pull
                pulls.append(pull)
                candidates[at] = left - 1
            if not whole:
                return None
            mark, chosen = random() * whole, 0
            while mark >= pulls[chosen] and chosen < len(pulls) - 1:
                mark -= pulls[chosen]
                chosen += 1
            at = open_to[chosen][0]
            if not rooms[at]:
                return None
            weight *= whole / pulls[chosen]
            rooms[at] -= 1
            filled[at] |= tile
        free = self.free
        for last in range(len(free) - 1, 0, -1):
            other = int(random() * (last + 1))
            free[last], free[other] = free[other], free[last]
        start = 0
        for at, room in enumerate(rooms):
            filled[at] |= sum(free[start : start + room])
            weight /= FACTORIAL[room]
            start += room
        return filled, weight

    def _order(self, seat: int, mask: int) -> tuple[tuple[int, ...], float] | None:
        """The discards in an order that agrees with what fitted at each, and in how many they do."""
        banned, left = self.story.banned_at[seat], [1 << number >> 1 for number in numbers(mask)]
        order, ways = [0] * len(left), 1.0
        for at in range(len(left) - 1, -1, -1):  # the last discard can be the fewest tiles
            able = [tile for tile in left if not tile & banned[at]]
            if not able:
                return None
            order[at] = able[int(self.rng.random() * len(able))]
            left.remove(order[at])
            ways *= len(able)
        return tuple(order), ways

    def _likely(self, seat: int, hand: int, order: tuple[int, ...]) -> Likely:
        key = (seat, hand, order)
        found = self.known.get(key)
        if found is None:
            each = likelihood(self.story, seat, hand, order, self.weights)
            found = self.known[key] = tuple([PRIOR[model] * each[model] for model in range(MODELS)])
        return found


def sum_of(likely: Likely) -> float:
    """The sum, the same in every version of Python (`sum` is not)."""
    whole = 0.0
    for each in likely:
        whole += each
    return whole
