"""What one seat may know: its own hand and what was done openly. The other hands are not in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .. import tiles
from ..engine.moves import PASS, Move
from ..engine.position import Hand, Position
from ..layout import Layout
from ..tiles import Tile
from ..variants.base import Variant

FACE_DOWN = Move(discard=True)  # a discard as others see it


@dataclass(frozen=True, slots=True)
class View:
    """A seat's view of a round.

    `hand`: its tiles; `counts`: how many tiles each seat holds; `given`: its own discards; `set`: the tiles on the
    table; `layout`: the open ends; `history`: (seat, move) in order, others' discards without their tile;
    `totals`: the match so far by side (stones in Domeng); `legal`: its moves; `rounds`: how many rounds came before;
    `must`: the tile that had to be led, if any.
    """

    variant: Variant
    rules: Mapping[str, Any]
    side_of: tuple[int, ...]
    seat: int
    hand: Hand
    counts: tuple[int, ...]
    given: Hand
    set: frozenset[Tile]
    layout: Layout
    history: tuple[tuple[int, Move], ...]
    totals: tuple[int, ...]
    played: tuple[int, ...]
    legal: tuple[Move, ...]
    rounds: int
    must: Tile | None

    @property
    def unseen(self) -> list[Tile]:
        """The tiles that are neither on the table nor this seat's own."""
        known = self.set | set(self.hand) | set(self.given)
        return [tile for tile in tiles.SET if tile not in known]


def view_of(position: Position, totals: tuple[int, ...] = ()) -> View:
    """What the seat whose turn it is may know. `totals`: the match so far, by side; without it, nothing yet."""
    seat, match, seats = position.seat, position.match, position.seats
    turns = [((position.opener + turn) % seats, move) for turn, move in enumerate(position.moves)]
    history = tuple([(who, FACE_DOWN if move.discard and who != seat else move) for who, move in turns])
    played = {move.tile for _, move in turns if move.tile and not move.discard}
    return View(
        match.variant, match.rules, match.side_of, seat, position.hands[seat],
        tuple([len(hand) for hand in position.hands]), position.discards[seat],
        frozenset(played | ({position.first} if position.first else set())), position.layout, history,
        totals or (0,) * len(match.sides), position.played, tuple(position.legal()), len(match.rounds), position.must,
    )


def forced(view: View) -> Move | None:
    """The only legal move, if there is just one."""
    return view.legal[0] if len(view.legal) == 1 else None


__all__ = ["FACE_DOWN", "PASS", "View", "forced", "view_of"]
