"""Plays rounds of the simulation layer to their end, each seat by a simple rule of its own (its *kind*).

- RANDOM: any tile that fits, each as likely, on either of two ends; any tile to discard.
- HEAVY: the heaviest tile that fits; the lightest to discard (level Normal).
- COUNTING: the highest sum of what the play scores, how many of its own tiles then fit, how many it has not seen
  (against it) and the pips shed, as `Weights` says (level Expert).

Chance comes as `draws`, an endless iterator of bytes. The two loops are long on purpose: a call inside them would cost
more than what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain as chained
from itertools import cycle
from operator import itemgetter
from random import Random

from . import masks
from .masks import ALL, CHAIN, FITS, NOBODY, ORDER, OTHER, State, Table

RANDOM, HEAVY, COUNTING = 0, 1, 2
PIPS = (0, *[tile.pips for tile in ORDER])
BLOCK = 4096
SHUFFLES = 1024


@dataclass(frozen=True, slots=True)
class Weights:
    """What COUNTING plays are worth, in whole numbers. By seat: a point scored, an own tile that fits, an unseen one
    (against it), a pip set. For discards: a pip and a number that only this tile keeps alive."""

    seats: tuple[tuple[int, int, int, int], ...]
    pip: int = 0
    kept: int = 0


NO_WEIGHTS = Weights(((0, 0, 0, 0),) * 10)


def draws_of(rng: Random) -> Iterator[int]:
    """Endless random bytes."""
    return chained.from_iterable(iter(lambda: rng.randbytes(BLOCK), b""))


@cache
def turns(seats: int, first: int) -> tuple[int, ...]:
    """The seats in the order of play."""
    return tuple([(first + turn) % seats for turn in range(seats)])


def play_out(state: State, kinds: Sequence[int], draws: Iterable[int], weights: Weights = NO_WEIGHTS) -> State:
    """Plays a round to its end, in place. A dead layout may end it some passes sooner or later than in the readable
    layer; what the round comes to is the same."""
    if state.must:
        masks.advance(state, masks.ways(state)[0])
    if not state.over:
        (chain if state.table.graph is CHAIN else cross)(state, kinds, draws, weights)
        state.over = True
    return state


def chain(state: State, kinds: Sequence[int], draws: Iterable[int], weights: Weights) -> None:
    """A round on a chain."""
    hands, given, node, idle, last = state.hands, state.given, state.node, state.idle, state.last
    seats, fresh, before, passes = len(hands), state.fresh, state.hands[:], state.passes
    discards, away, other = state.table.discards, state.away, OTHER
    weigh = weights.seats
    hidden = away
    for h in hands:
        hidden |= h
    for s, x in zip(cycle(turns(seats, state.seat)), draws, strict=False):
        h = hands[s]
        m = h & node[0]
        if m:
            kind = kinds[s]
            if kind == RANDOM:
                if rest := m & (m - 1):
                    k = x % m.bit_count()
                    while k:
                        m, rest = rest, rest & (rest - 1)
                        k -= 1
                    m ^= rest
                i = m.bit_length()
                following = node[i | x & other]
            elif kind == HEAVY:
                i = m.bit_length()
                m = 1 << i >> 1
                following = node[i | x & other]
            else:
                i = m.bit_length()
                following = node[i]
                if m & (m - 1) or following is not node[i | OTHER]:
                    best, unseen, left = -9999, hidden ^ h ^ given[s], m
                    _, own_weight, other_weight, pip_weight = weigh[s]
                    while left:
                        b = left & -left
                        left ^= b
                        j = b.bit_length()
                        one, two, rest = node[j], node[j | OTHER], h ^ b
                        value = own_weight * (rest & one[0]).bit_count() + pip_weight * PIPS[j] \
                            - other_weight * (unseen & one[0]).bit_count()
                        if value > best:
                            best, m, i, following = value, b, j, one
                        if two is not one:
                            value = own_weight * (rest & two[0]).bit_count() + pip_weight * PIPS[j] \
                                - other_weight * (unseen & two[0]).bit_count()
                            if value > best:
                                best, m, i, following = value, b, j, two
            hidden ^= m
            hands[s] = h = h ^ m
            if not h:
                state.by, state.final = s, i
                break
            node, idle, last = following, 0, s
        elif discards:
            if not (hidden ^ away) & node[0]:
                break
            m = discard(h, kinds[s], x, weights)
            given[s] |= m
            away |= m
            hands[s] = h = h ^ m
            if not h:
                state.by, state.final = s, m.bit_length()
                break
        else:
            idle += 1
            passes.append((s, h == before[s] and fresh >> s & 1 == 1, last))
            if idle == seats:
                break
    state.node, state.idle, state.last, state.away = node, idle, last, away


def discard(hand: int, kind: int, x: int, weights: Weights) -> int:
    """The tile that a player gives up, as a mask."""
    if kind == RANDOM:
        for _ in range(x % hand.bit_count()):
            hand &= hand - 1
        return hand & -hand
    if kind == HEAVY:
        return hand & -hand
    best, chosen, left = -9999, 0, hand
    while left:
        b = left & -left
        left ^= b
        value = discard_value(hand, b.bit_length(), weights)
        if value > best:
            best, chosen = value, b
    return chosen


def discard_value(hand: int, number: int, weights: Weights) -> int:
    """What giving up a tile is worth to COUNTING."""
    tile, rest = ORDER[number - 1], hand & ~(1 << number >> 1)
    alone = sum([not rest & FITS[half] for half in {tile.low, tile.high}])
    return -weights.pip * tile.pips - weights.kept * alone


def cross(state: State, kinds: Sequence[int], draws: Iterable[int], weights: Weights) -> None:
    """A round with a spinner, where plays score."""
    hands, node, idle, last = state.hands, state.node, state.idle, state.last
    seats, points, passes, fresh = len(hands), state.points, state.passes, state.fresh
    options, side_of, pass_gain = state.table.graph.options, state.table.side_of, state.table.pass_gain
    weigh = weights.seats
    hidden = away = state.away
    at_once = not state.table.counts_passes  # then no pass of a dead layout is made, nor paid for
    for h in hands:
        hidden |= h
    for s, x in zip(cycle(turns(seats, state.seat)), draws, strict=False):
        h = hands[s]
        m = h & node[0]
        if m:
            kind = kinds[s]
            if kind == COUNTING:
                best, unseen, left = -99999, hidden ^ h, m
                point_weight, own_weight, other_weight, pip_weight = weigh[s]
                i, following, scored = 0, node, 0
                while left:
                    b = left & -left
                    left ^= b
                    j = b.bit_length()
                    rest, shed = h ^ b, pip_weight * PIPS[j]
                    for one, gain in node[j] or options(node, j):
                        fits = one[0]
                        value = point_weight * gain + own_weight * (rest & fits).bit_count() + shed \
                            - other_weight * (unseen & fits).bit_count()
                        if value > best:
                            best, m, i, following, scored = value, b, j, one, gain
            else:
                if kind == HEAVY:
                    m = 1 << m.bit_length() >> 1
                elif m & (m - 1):
                    k = x % m.bit_count()
                    while k:
                        m &= m - 1
                        k -= 1
                    m &= -m
                i = m.bit_length()
                found = node[i] or options(node, i)
                following, scored = found[0] if len(found) == 1 else found[(x >> 4) % len(found)]
            points[s] += scored
            hidden ^= m
            hands[s] = h = h ^ m
            if not h:
                state.by, state.final = s, i
                break
            node, idle, last, fresh = following, 0, s, fresh & ~(1 << s)
        else:
            if at_once and not (hidden ^ away) & node[0]:
                break
            idle += 1
            passes.append((s, bool(fresh >> s & 1), last))
            if pass_gain and last != NOBODY and side_of[last] != side_of[s]:
                points[last] += pass_gain
            if idle == seats:
                break
    state.node, state.idle, state.last = node, idle, last


@cache
def _shufflers() -> tuple[Callable[[tuple[int, ...]], tuple[int, ...]], ...]:
    rng = Random("shuffles")
    found: list[Callable[[tuple[int, ...]], tuple[int, ...]]] = []
    for _ in range(SHUFFLES):
        order = list(range(len(ORDER)))
        rng.shuffle(order)
        found.append(itemgetter(*order))
    return tuple(found)


class Dealer:
    """Deals random rounds of a table. Each pack is the last one shuffled by one of many fixed shuffles, then any pack
    is as likely: much faster than drawing the tiles one by one."""

    def __init__(self, table: Table, seats: int, size: int, rng: Random) -> None:
        self.table, self.seats, self.size, self.rng = table, seats, size, rng
        pack = [1 << place for place in range(len(ORDER))]
        rng.shuffle(pack)
        self.pack = tuple(pack)
        self.shuffles, self.root = _shufflers(), table.graph.node(table.graph.empty)

    def deal(self, opener: int) -> State:
        """A round before its first move, led by any tile of the opener's."""
        self.pack = pack = self.shuffles[int(self.rng.random() * SHUFFLES)](self.pack)
        size, hands, away = self.size, [], ALL
        for place in range(0, self.seats * size, size):
            hand = sum(pack[place : place + size])
            hands.append(hand)
            away ^= hand
        seats = self.seats
        return State(self.table, hands, [0] * seats, away, self.root, opener, 0, NOBODY, (1 << seats) - 1, [],
                     [0] * seats, (0,) * len(set(self.table.side_of)))
