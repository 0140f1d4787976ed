"""The parts of a round: how each is read, checked, written and described. A variant lists those it uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import hands, tiles
from .errors import Invalid, shown, wrong_type

if TYPE_CHECKING:
    from .documents import Match


def hand_schema(most: int) -> dict[str, Any]:
    """The JSON Schema of a hand of at most so many tiles, or of its pips."""
    return {"anyOf": [
        {"type": "integer", "minimum": 0, "maximum": tiles.PIPS},
        {"type": "array", "items": {"$ref": "#/$defs/tile"}, "maxItems": most, "uniqueItems": True},
    ]}


def read_seat(raw: Any, match: Match, at: str = "") -> int:
    """A seat number of this match. Raises `Invalid("not_a_seat")`."""
    return check_seat(raw, len(match.players), at)


def check_seat(raw: Any, seats: int, at: str = "") -> int:
    """A seat number at a table of so many. Raises `Invalid("not_a_seat")`."""
    if type(raw) is not int or not 0 <= raw < seats:
        raise Invalid("not_a_seat", f"{shown(raw)} is not a seat from 0 to {seats - 1}", at)
    return raw


def seat_schema(seats: int) -> dict[str, Any]:
    """The JSON Schema of a seat at a table of up to `seats`."""
    return {"type": "integer", "minimum": 0, "maximum": seats - 1}


class Field:
    """One key of a round. `seats` in a schema is the variant's largest number of players."""

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, raw: Any, match: Match) -> Any:
        """The value from its JSON form. Raises `Invalid` with the place inside the field."""
        raise NotImplementedError

    def write(self, value: Any) -> Any:
        """The JSON form of a value; the inverse of `read`."""
        raise NotImplementedError

    def schema(self, seats: int) -> dict[str, Any]:
        """The JSON Schema of the JSON form."""
        raise NotImplementedError


class Hands(Field):
    """A hand per seat, in seat order: `[[], ["2-2"], 10, ["4-5"]]`.

    `sparse` allows null for a hand that nobody needs.
    """

    def __init__(self, name: str = "hands", *, sparse: bool = False) -> None:
        super().__init__(name)
        self.sparse = sparse

    def read(self, raw: Any, match: Match) -> list[hands.Hand | None]:
        if type(raw) is not list:
            raise wrong_type("a list with a hand for each seat")
        if len(raw) != len(match.players):
            raise Invalid("seat_count", f"{len(raw)} entries for {len(match.players)} players")
        read = self._read_or_none if self.sparse else hands.read
        try:
            return [read(hand) for hand in raw]
        except Invalid:
            for seat, hand in enumerate(raw):
                self._say_wrong(hand, seat)
            raise

    @staticmethod
    def _read_or_none(raw: Any) -> hands.Hand | None:
        return None if raw is None else hands.read(raw)

    def _say_wrong(self, hand: Any, seat: int) -> None:
        """Raises `Invalid` with the seat as its place if this hand is what is wrong."""
        if hand is None:
            if self.sparse:
                return
            raise Invalid("hand_missing", "a hand is missing; blank is not zero", f"[{seat}]", seat=seat)
        try:
            hands.read(hand)
        except Invalid as error:
            raise error.within(f"[{seat}]") from None

    def write(self, value: list[hands.Hand | None]) -> Any:
        return [None if hand is None else hands.write(hand) for hand in value]

    def schema(self, seats: int) -> dict[str, Any]:
        hand: dict[str, Any] = {"$ref": "#/$defs/hand"}
        items = {"anyOf": [hand, {"type": "null"}]} if self.sparse else hand
        return {"type": "array", "items": items, "maxItems": seats}


class Lowest(Field):
    """The lowest tile of seats whose hands were counted, by seat: `{"1": "0-4"}`; null: no tile (G8)."""

    def read(self, raw: Any, match: Match) -> dict[int, tiles.Tile | None]:
        if type(raw) is not dict:
            raise wrong_type("an object from a seat to its lowest tile")
        found: dict[int, tiles.Tile | None] = {}
        for key, text in raw.items():
            if not (key.isascii() and key.isdigit() and len(key) == 1):
                raise Invalid("not_a_seat", f"{shown(key)} is not a seat")
            seat = read_seat(int(key), match)
            try:
                found[seat] = None if text is None else tiles.parse(text)
            except Invalid as error:
                raise error.within(key) from None
        return found

    def write(self, value: dict[int, tiles.Tile | None]) -> Any:
        return {str(seat): tile and tile.text for seat, tile in sorted(value.items())}

    def schema(self, seats: int) -> dict[str, Any]:
        tile = {"anyOf": [{"$ref": "#/$defs/tile"}, {"type": "null"}]}
        by_seat = {f"^[0-{seats - 1}]$": tile}
        return {"type": "object", "patternProperties": by_seat, "additionalProperties": False}
