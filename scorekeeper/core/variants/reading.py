"""How a variant's rounds are read, checked, written and described: from the fields and endings it lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from .. import tiles
from ..documents import Match, Round
from ..errors import Invalid, shown, wrong_type
from ..fields import Field, read_seat, seat_schema


@dataclass(frozen=True)
class Ending:
    """One way a round can end. `by`: whether who did it is named (`"needed"`, `"optional"`, `"none"`).

    `asks`: the fields that must be given; `label`: its message id; `gloss`: what that means, where it is a word
    of the game.
    """

    label: str
    by: str = "needed"
    asks: tuple[str, ...] = ("hands",)
    gloss: str = ""


class RoundFormat:
    """The document's side of a variant: who may play it and in which sides, and the form of its rounds.

    `key` is the document's name for it; `seats` the player counts; `start_keys` what a carried-over start may say.
    """

    key: str
    seats: tuple[int, ...] = (4,)
    tiles_each = 7
    endings: ClassVar[Mapping[str, Ending]]
    fields: tuple[Field, ...]
    start_keys: tuple[str, ...] = ("totals",)

    def default_sides(self, players: int) -> tuple[tuple[int, ...], ...]:
        """The sides when a document names none: each player alone."""
        return tuple((seat,) for seat in range(players))

    def all_sides(self, players: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Every way to form sides with so many players, the default first."""
        return (self.default_sides(players),)

    def read_sides(self, raw: Any, players: int) -> tuple[tuple[int, ...], ...]:
        """The sides as tuples of seats. Raises `Invalid("bad_sides")`."""
        if raw is None:
            return self.default_sides(players)
        for sides in self.all_sides(players):
            exact = raw == [list(side) for side in sides]  # 0.0 and false are equal to 0, but no seats
            if exact and all(type(seat) is int for side in raw for seat in side):
                return sides
        raise Invalid("bad_sides", "these sides cannot play this variant", "sides")

    def check_match(self, match: Match) -> None:
        """Checks that need more than one key of the document. Raises `Invalid`."""

    def hand_limit(self, match: Match) -> int:
        """How many tiles one player can hold."""
        return self.tiles_each

    def read_round(self, raw: Any, match: Match) -> Round:
        """One round of a match document, checked. Raises `Invalid` with the place inside the round."""
        if type(raw) is not dict:
            raise wrong_type("a round, a JSON object")
        ended, found = raw.get("ended"), {}
        for part in self.fields:
            if part.name in raw:
                try:
                    found[part.name] = part.read(raw[part.name], match)
                except Invalid as error:
                    raise error.within(part.name) from None
        if len(raw) != len(found) + ("ended" in raw) + ("by" in raw):
            known = {part.name for part in self.fields} | {"ended", "by"}
            wrong = next(key for key in raw if key not in known)
            raise Invalid("unknown_field", f"a round of {self.key} has no {shown(wrong)}", field=wrong[:40])
        round_ = Round(ended, None, found)
        self._read_ending(raw, round_, match)
        self.check_round(round_, match)
        return round_

    def _read_ending(self, raw: dict[str, Any], round_: Round, match: Match) -> None:
        ended, by = round_.ended, raw.get("by")
        if ended is None:
            if by is not None:
                raise Invalid("not_asked", "an unfinished round was ended by nobody", "by")
            return
        if type(ended) is not str or ended not in self.endings:
            raise Invalid("unknown_ending", f"a round of {self.key} ends with {' or '.join(self.endings)}",
                          "ended")
        ending = self.endings[ended]
        if by is not None and ending.by == "none":
            raise Invalid("not_asked", f"{ended} is nobody's doing", "by")
        if by is None and ending.by == "needed":
            raise Invalid("by_missing", f"who ended the round by {ended} is missing", "by")
        round_.by = None if by is None else read_seat(by, match, "by")
        for name in self.asked(ended, match):
            if name not in round_.fields:
                raise Invalid("field_missing", f"{ended} needs {name}", name, field=name)

    def asked(self, ended: str, match: Match) -> tuple[str, ...]:
        """The fields that an ending needs under this match's house rules."""
        return self.endings[ended].asks

    def asks_for(self, part: str, ended: str, match: Match) -> bool:
        """Whether an ending needs this part of a round; not, if there is no such ending."""
        return ended in self.endings and part in self.asked(ended, match)

    def check_round(self, round_: Round, match: Match) -> None:
        """Checks across a round's parts; a variant adds its own. Raises `Invalid`."""
        self.check_tiles(round_, match)

    def check_tiles(self, round_: Round, match: Match, names: tuple[str, ...] = ("hands",),
                    double_blank: int = 0) -> None:
        """A tile appears once and pip counts are possible, over the hands in the fields `names`.

        `double_blank` is what the 0-0 counts where that is not 0. Raises `Invalid`.
        """
        limit, seen, total = self.hand_limit(match), 0, 0
        heaviest = tiles.heaviest(limit, double_blank=double_blank)
        for name in names:
            for seat, hand in enumerate(round_.fields.get(name, ())):
                if hand is None:
                    continue
                if isinstance(hand, int):
                    total += hand
                    if hand > heaviest:
                        raise Invalid("pips_impossible", f"{limit} tiles cannot show {shown(hand)} pips",
                                      f"{name}[{seat}]", pips=hand, seat=seat, tiles=limit)
                    continue
                if len(hand) > limit:
                    raise Invalid("too_many_tiles", f"a hand has at most {limit} tiles, not {len(hand)}",
                                  f"{name}[{seat}]", seat=seat, most=limit)
                for tile in hand:
                    total += tile.pips
                    if seen & tile.bit:
                        raise Invalid("tile_twice", f"{tile} appears twice in this round", f"{name}[{seat}]",
                                      tile=tile.text, seat=seat)
                    seen |= tile.bit
        most = tiles.PIPS + double_blank
        if total > most:
            raise Invalid("pips_impossible", f"{total} pips are more than the {most} of the whole set",
                          names[0], pips=total, most=most)

    def check_someone_out(self, round_: Round, match: Match) -> None:
        """Only the one who went out holds no tile (B6, G6). Raises `Invalid`."""
        given = round_.fields.get("hands", ())
        for seat, hand in enumerate(given):
            if seat == round_.by and hand:
                raise Invalid("hand_not_empty", "who went out holds no tile", f"hands[{seat}]", seat=seat)
            if seat != round_.by and hand == ():
                raise Invalid("hand_empty", "a hand without tiles has gone out", f"hands[{seat}]",
                              seat=seat)

    def write_round(self, round_: Round) -> dict[str, Any]:
        """The JSON form of a round; the inverse of `read_round`."""
        raw: dict[str, Any] = {}
        if round_.ended is not None:
            raw["ended"] = round_.ended
        if round_.by is not None:
            raw["by"] = round_.by
        for part in self.fields:
            if part.name in round_.fields:
                raw[part.name] = part.write(round_.fields[part.name])
        return raw

    def round_schema(self) -> dict[str, Any]:
        """The JSON Schema of one round: its parts, and for each way to end what that asks for."""
        seats = max(self.seats)
        parts: dict[str, Any] = {"ended": True, "by": True}
        parts |= {part.name: part.schema(seats) for part in self.fields}
        seat, nobody = seat_schema(seats), {"type": "null"}
        by = {"needed": seat, "optional": {"anyOf": [seat, nobody]}, "none": nobody}
        ways: list[dict[str, Any]] = [{"properties": {"ended": nobody, "by": nobody}}]
        for name, ending in self.endings.items():
            asked = ["ended", *ending.asks, *(["by"] if ending.by == "needed" else [])]
            ways.append({"properties": {"ended": {"const": name}, "by": by[ending.by]}, "required": asked})
        return {"type": "object", "properties": parts, "anyOf": ways, "additionalProperties": False}
