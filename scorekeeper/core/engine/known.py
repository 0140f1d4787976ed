"""A round with all hands known, in numbers: what each move leads to. For searching; `Position` is the readable one.

A hand is what is left of the tiles dealt, so one mask of the tiles still held by anybody says all hands. A layout
that nobody fits ends the round here at once: the passes that close it in some variants are forced, and
`Playing.settle` counts them.
"""

from __future__ import annotations

from typing import NamedTuple

from ..tally import tally
from ..variants.playing import Finish
from .layouts import Layouts
from .masks import bit as bit_of
from .masks import mask_of, tiles_of
from .moves import Move
from .position import Position, start

Points = tuple[int, ...]
# The tiles still in hands; the layout's number; whose turn; the number of what else the variant remembers
# (`Playing.memory`), 0 where it remembers nothing. A plain tuple: there are hundreds of thousands of them.
State = tuple[int, int, int, int]


class Extra(NamedTuple):
    """What a variant may remember beside the hands and the layout; a part it does not ask for stays empty."""

    last: int | None = None
    given: int = 0
    purse: Points = ()


Child = tuple[Points, State | None]  # the points a move brings each side, and what follows: None once the round is over


class Known:
    """One deal, and the states of its round. `position`: any position of it.

    Points are those of this round, by side. Those of a state's children are what is still to come, in a variant
    that remembers the purse nothing before the end and there all of the round's at once.
    """

    def __init__(self, position: Position) -> None:
        self.match = match = position.match
        self.variant = match.variant
        seats = position.seats
        whole = [mask_of(hand) for hand in position.hands]
        for turn, move in enumerate(position.moves):
            whole[(position.opener + turn) % seats] |= bit_of(move.tile) if move.tile else 0
        self.dealt = tuple(whole)
        self.next = tuple((seat + 1) % seats for seat in range(seats))
        self.side_of = match.side_of
        self.nothing: Points = (0,) * len(match.sides)
        self.layouts = Layouts(match)
        self.discarding = self.variant.discards(match)
        self.memory = self.variant.memory(match.rules)
        self.before: Points = tuple(tally(match)["totals"]) if "purse" in self.memory else self.nothing
        first = Extra(purse=self.before if "purse" in self.memory else ())
        self._extras, self._extra_numbers = [first], {first: 0}
        self._passes: dict[tuple[int, int, bool], tuple[Points, int]] = {}
        self._ends: dict[tuple[int, int, int, str | None], Points] = {}
        self.must = bit_of(position.must) if position.must else 0
        self.opening = start(match, position.opener, [tiles_of(hand) for hand in whole], position.must, position.first)
        self.start: State = (sum(whole), self.layouts.number(self.opening.layout), position.opener, 0)

    # -- moves ---------------------------------------------------------------------------------------------------

    def children(self, state: State) -> list[Child]:
        """What each different move leads to: heavy tiles first, which is a good order to search in."""
        held, layout, seat, _ = state
        hand = self.dealt[seat] & held
        fits = hand & self.layouts.fits[layout]
        if held & self.must:  # it is led first
            fits = self.must
        if not fits:
            return self._stuck(state, hand)
        found: list[Child] = []
        layouts, nothing, following, memory = self.layouts, self.nothing, self.next[seat], self.memory
        fitting, ways = layouts.fits, layouts.grown[layout]
        while fits:
            bit = 1 << (fits.bit_length() - 1)
            fits ^= bit
            left = held ^ bit
            for after, gain in ways.get(bit) or layouts.grow(layout, bit):
                if gain or memory or hand == bit or not left & fitting[after]:
                    found.append(self._set(state, hand, bit, after, gain))
                else:  # what `_set` says of the most usual move, without the call
                    found.append((nothing, (left, after, following, 0)))
        return found

    def child(self, state: State, position: Position, move: Move) -> Child:
        """What a legal move of the position that this state stands for leads to."""
        hand = self.dealt[state[2]] & state[0]
        if move.tile is None:
            return self._stuck(state, hand)[0]
        if move.discard:
            return self._discard(state, hand, bit_of(move.tile))
        layout = position.layout.play(move.tile, move.side)
        gain = self.variant.gains(layout, self.match.rules)
        return self._set(state, hand, bit_of(move.tile), self.layouts.number(layout), gain)

    def _set(self, state: State, hand: int, bit: int, layout: int, gain: int) -> Child:
        held, before, seat, extra = state
        held ^= bit
        if self.memory:
            extra = self._remember(extra, last=seat)
        gained = self.nothing
        if gain:
            gained = tuple([gain * (side == self.side_of[seat]) for side in range(len(self.nothing))])
        if hand == bit:
            ends = self.layouts.shown[before].open()
            both = (ends.get("left", -1), ends.get("right", -1))
            ended = self.variant.going_out(tiles_of(bit)[0], both) or "domino"
            return self._over(held, seat, extra, ended, gained), None
        if not held & self.layouts.fits[layout]:
            return self._over(held, seat, extra, None, gained), None
        return gained, (held, layout, self.next[seat], extra)

    def _stuck(self, state: State, hand: int) -> list[Child]:
        if self.discarding:
            return [self._discard(state, hand, bit_of(tile)) for tile in tiles_of(hand)]
        held, layout, seat, extra = state
        if not held & self.layouts.fits[layout]:
            return [(self._over(held, seat, extra, None, self.nothing), None)]
        if not self.memory:
            return [(self.nothing, (held, layout, self.next[seat], 0))]
        gained, extra = self._passed(seat, extra, hand == self.dealt[seat])
        return [(gained, (held, layout, self.next[seat], extra))]

    def _discard(self, state: State, hand: int, bit: int) -> Child:
        held, layout, seat, extra = state
        held ^= bit
        if self.memory:
            extra = self._remember(extra, given=self._extras[extra].given | bit)
        points = self.variant.discard_points(tiles_of(bit)[0])
        gained = tuple([points * (side == self.side_of[seat]) for side in range(len(self.nothing))])
        if hand == bit:
            return self._over(held, seat, extra, "domino", gained), None
        if not held & self.layouts.fits[layout]:
            return self._over(held, seat, extra, None, gained), None
        return gained, (held, layout, self.next[seat], extra)

    # -- what a variant remembers, and the points of passes and ends --------------------------------------------------

    def _number(self, extra: Extra) -> int:
        found = self._extra_numbers.get(extra)
        if found is None:
            found = self._extra_numbers[extra] = len(self._extras)
            self._extras.append(extra)
        return found

    def _remember(self, number: int, last: int | None = None, given: int | None = None) -> int:
        extra = self._extras[number]
        if last is not None and "last" in self.memory:
            extra = extra._replace(last=last)
        if given is not None and "given" in self.memory:
            extra = extra._replace(given=given)
        return self._number(extra)

    def _passed(self, seat: int, number: int, fresh: bool) -> tuple[Points, int]:
        key = (seat, number, fresh)
        found = self._passes.get(key)
        if found is None:
            extra = self._extras[number]
            points = self.variant.pass_points(self.match, seat, extra.last, fresh, extra.purse)
            found = points, number
            if "purse" in self.memory:
                purse = tuple(had + more for had, more in zip(extra.purse, points, strict=True))
                found = self.nothing, self._number(extra._replace(purse=purse))
            self._passes[key] = found
        return found

    def _over(self, held: int, seat: int, extra: int, ended: str | None, gained: Points) -> Points:
        key = (held, seat, extra, ended)
        points = self._ends.get(key)
        if points is None:
            points = self._ends[key] = self._settle(*key)
        return points if gained is self.nothing else add(points, gained)

    def _settle(self, held: int, seat: int, number: int, ended: str | None) -> Points:
        extra = self._extras[number]
        finish = Finish(
            ended, seat, tuple([tuple(tiles_of(hand & held)) for hand in self.dealt]),
            tuple([tuple(tiles_of(hand & extra.given)) for hand in self.dealt]),
            tuple([hand & held == hand for hand in self.dealt]), extra.purse or self.nothing,
        )
        points = self.variant.settle(self.match, finish)
        if "purse" not in self.memory:
            return points
        return tuple(had + more - at_first for had, more, at_first
                     in zip(extra.purse, points, self.before, strict=True))

    # -- from positions ---------------------------------------------------------------------------------------------

    def state(self, position: Position) -> Child:
        """The points of the moves so far and the state that a position of this deal stands for.

        No state where nothing is left to decide; then the points are the round's.
        """
        got, state, replayed = self.nothing, self.start, self.opening
        for move in position.moves:
            points, after = self.child(state, replayed, move)
            got = add(got, points)
            if after is None:
                return got, None
            state, replayed = after, replayed.play(move)
        return got, state


def add(one: Points, other: Points) -> Points:
    """The points of both."""
    return tuple(map(int.__add__, one, other))
