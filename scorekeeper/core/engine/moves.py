"""Moves and their text form: `2-5@left`, `2-5`, `pass`, `discard 2-5`."""

from __future__ import annotations

from dataclasses import dataclass

from .. import tiles
from ..errors import Invalid
from ..tiles import Tile

SIDES = ("left", "right", "up", "down")


@dataclass(frozen=True, slots=True)
class Move:
    """A play (`tile` on `side`, empty where the side does not matter), a discard, or a pass (no tile)."""

    tile: Tile | None = None
    side: str = ""
    discard: bool = False

    def __str__(self) -> str:
        if self.tile is None:
            return "pass"
        if self.discard:
            return f"discard {self.tile}"
        return f"{self.tile}@{self.side}" if self.side else str(self.tile)


PASS = Move()


def parse(text: object) -> Move:
    """The move that `text` names. Raises `Invalid("not_a_move")`, `Invalid("not_a_tile")`."""
    if not isinstance(text, str):
        raise Invalid("not_a_move", "a move is a text such as 2-5@left")
    if text == "pass":
        return PASS
    if text.startswith("discard "):
        return Move(tiles.parse(text.removeprefix("discard ")), discard=True)
    tile, _, side = text.partition("@")
    if (side and side not in SIDES) or text.endswith("@"):
        raise Invalid("not_a_move", f"{text[:40]!r} is not a move")
    return Move(tiles.parse(tile), side)
