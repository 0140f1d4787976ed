"""One round in play, immutable: a deal and what was done with it. Every variant plays by these rules.

What differs is asked of the variant: `discards` (or passes), `cross` (a spinner), `note` (what a move leaves in
the round's record) and `over` (when and how the round has ended).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import tiles
from ..documents import Match
from ..errors import Invalid
from ..layout import Layout
from ..tiles import Tile
from .moves import PASS, Move, parse

Hand = tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """A round after some moves. Seats are numbers from 0; `seat` is whose turn it is.

    `must` is the tile that has to be led, if any; `idle` counts the turns in a row without a tile set;
    `last` is who set the last tile; `notes` is what the variant's round will say of the moves (scoring plays,
    passes); `ended` and `by` are set when the round is over; `before` is the layout the last move found; `first`
    the boneyard tile that was set before all moves.
    """

    match: Match
    opener: int
    hands: tuple[Hand, ...]
    must: Tile | None = None
    layout: Layout = field(default_factory=Layout)
    seat: int = 0
    moves: tuple[Move, ...] = ()
    discards: tuple[Hand, ...] = ()
    notes: tuple[Any, ...] = ()
    idle: int = 0
    last: int | None = None
    played: tuple[int, ...] = ()
    before: Layout | None = None
    ended: str | None = None
    by: int | None = None
    first: Tile | None = None

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hands)

    def legal(self) -> list[Move]:
        """The moves of `seat`, in the order of the tiles; a tile that fits two different ends once for each."""
        if self.ended:
            return []
        hand = (self.must,) if self.must and not self.layout.tiles else self.hands[self.seat]
        plays = [Move(tile, side) for tile in hand for side in self._sides(tile)]
        if plays:
            return plays
        if self.match.variant.discards(self.match):
            return [Move(tile, discard=True) for tile in self.hands[self.seat]]
        return [PASS]

    def _sides(self, tile: Tile) -> tuple[str, ...]:
        return self.layout.fits(tile)

    def find(self, move: Move) -> Move:
        """The legal move that `move` means: a side may be left out where it makes no difference. Raises `Invalid`."""
        legal = self.legal()
        if move in legal:
            return move
        same = [each for each in legal if each.tile == move.tile and each.discard == move.discard]
        if same and not move.side:
            ends = {self.layout.open().get(each.side) for each in same}
            if len(same) == 1 or len(ends) == 1:
                return same[0]
            raise Invalid("side_missing", f"{move} fits more than one end", move=str(move))
        raise Invalid("illegal_move", f"{move} is not legal for seat {self.seat}", move=str(move), seat=self.seat)

    def play(self, move: Move) -> Position:
        """The position after a legal move. Raises `Invalid("illegal_move")`, `Invalid("round_over")`."""
        if self.ended:
            raise Invalid("round_over", "the round is over")
        move = self.find(move)
        seat, hands, discards, layout = self.seat, list(self.hands), list(self.discards), self.layout
        if move.tile:
            hands[seat] = tuple([tile for tile in hands[seat] if tile is not move.tile])
        if move.discard and move.tile:
            discards[seat] = (*discards[seat], move.tile)
        sets = move.tile is not None and not move.discard
        if sets and move.tile:
            layout = layout.play(move.tile, move.side)
        played = tuple([count + (sets and place == seat) for place, count in enumerate(self.played)])
        after = replace(
            self, hands=tuple(hands), discards=tuple(discards), layout=layout, before=self.layout, played=played,
            seat=(seat + 1) % self.seats, moves=(*self.moves, move), idle=0 if sets else self.idle + 1,
            last=seat if sets else self.last,
        )
        variant = self.match.variant
        note = variant.note(self, after, move)
        if note is not None:
            after = replace(after, notes=(*self.notes, note))
        over = variant.over(after, seat, move)
        return replace(after, ended=over[0], by=over[1]) if over else after

    def anybody_fits(self) -> bool:
        """Whether some player holds a tile that fits an open end."""
        return any(self.layout.fits(tile) for hand in self.hands for tile in hand)

    def round(self) -> dict[str, Any]:
        """The round in the match document's form, as a person would have entered it."""
        return self.match.variant.round_of(self)


def start(match: Match, opener: int, hands: Iterable[Iterable[Tile]], must: Tile | None = None,
          set_tile: Tile | None = None) -> Position:
    """A round before its first move. `set_tile`: the boneyard tile set first (G3). Raises `Invalid` for a bad deal."""
    dealt = tuple([tuple(sorted(hand, key=lambda tile: tile.index)) for hand in hands])
    _check_deal(match, dealt, set_tile)
    rules = match.rules
    layout = Layout(cross=match.variant.cross, any_order=rules.get("spinner_order") == "any")
    if set_tile:
        layout = layout.play(set_tile, "")
    nothing: tuple[Hand, ...] = ((),) * len(dealt)
    return Position(match, opener, dealt, must, layout, opener, discards=nothing, played=(0,) * len(dealt),
                    first=set_tile)


def _check_deal(match: Match, hands: Sequence[Hand], set_tile: Tile | None) -> None:
    if len(hands) != len(match.players):
        raise Invalid("seat_count", f"{len(hands)} hands for {len(match.players)} players", "hands")
    seen = {set_tile} if set_tile else set()
    for seat, hand in enumerate(hands):
        if not hand or len(hand) > len(tiles.SET) // 2:
            raise Invalid("bad_deal", "a hand needs some tiles", f"hands[{seat}]")
        for tile in hand:
            if tile in seen:
                raise Invalid("tile_twice", f"{tile} appears twice in this deal", f"hands[{seat}]", tile=tile.text)
            seen.add(tile)


def replay(position: Position, moves: Iterable[object]) -> Position:
    """The position after moves in text form. Raises `Invalid` with the place `moves[n]`."""
    for place, text in enumerate(moves):
        try:
            position = position.play(parse(text))
        except Invalid as error:
            raise error.within(f"moves[{place}]") from None
    return position
