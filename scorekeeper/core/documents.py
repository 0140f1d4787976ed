"""The match document, `scorekeeper/1`: read with every check, and written in its canonical form."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .errors import Invalid, shown, wrong_type
from .fields import read_seat
from .options import read_rules, write_rules

if TYPE_CHECKING:
    from .variants.base import Variant

FORMAT = "scorekeeper/1"
NAME_LENGTH = 40
MOST_ROUNDS = 1000
MOST_POINTS = 10_000  # a total to start from
KEYS = {"format", "variant", "players", "sides", "rules", "rounds", "start", "first_opener"}
_BIDI_CONTROLS = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(slots=True)
class Round:
    """How one round went, as entered. `fields` holds the variant's own parts, parsed (`hands`, …)."""

    ended: str | None
    by: int | None
    fields: dict[str, Any]


@dataclass(frozen=True)
class Start:
    """What stood before the first recorded round: a total per side (Domeng: stones per seat), the camat."""

    totals: tuple[int, ...]
    camat: int | None = None


@dataclass(frozen=True)
class Match:
    """A match document, checked. `rules` has every option; `side_of` gives a seat's side."""

    variant: Variant
    players: tuple[str, ...]
    sides: tuple[tuple[int, ...], ...]
    side_of: tuple[int, ...]
    rules: Mapping[str, Any]
    start: Start | None = None
    first_opener: int | None = None
    rounds: tuple[Round, ...] = ()

    def per_side(self, by_seat: list[int]) -> list[int]:
        """Sums of a number per seat, one for each side."""
        if len(self.sides) == len(by_seat):
            return list(by_seat)
        return [sum(by_seat[seat] for seat in side) for side in self.sides]


def read(raw: Any) -> Match:
    """The match that a document (parsed JSON) describes, all of it or none.

    Raises `Invalid` with a code and a place.
    """
    from .variants import find  # here, since each variant module reads documents itself

    if type(raw) is not dict:
        raise wrong_type("a match document, a JSON object")
    if raw.get("format") != FORMAT:
        raise Invalid("unknown_format", f"the format must be {FORMAT!r}", "format")
    for key in raw:
        if key not in KEYS:
            raise Invalid("unknown_field", f"a match document has no {shown(key)}", field=key[:40])
    variant = find(raw.get("variant"))
    players = read_players(raw.get("players"), variant)
    sides = variant.read_sides(raw.get("sides"), len(players))
    side_of = tuple(next(i for i, side in enumerate(sides) if seat in side) for seat in range(len(players)))
    rules = read_rules(variant.options, raw.get("rules", {}))
    match = Match(variant, players, sides, side_of, rules)
    if raw.get("first_opener") is not None:
        match = replace(match, first_opener=read_seat(raw["first_opener"], match, "first_opener"))
    if raw.get("start") is not None:
        match = replace(match, start=_read_start(raw["start"], match))
    variant.check_match(match)
    return replace(match, rounds=_read_rounds(raw.get("rounds", []), match))


def write(match: Match) -> dict[str, Any]:
    """The canonical document: defaults left out, tiles low half first. `read(write(m))` equals `m`."""
    variant = match.variant
    document: dict[str, Any] = {"format": FORMAT, "variant": variant.key, "players": list(match.players)}
    if match.sides != variant.default_sides(len(match.players)):
        document["sides"] = [list(side) for side in match.sides]
    document["rules"] = write_rules(variant.options, match.rules)
    if match.first_opener is not None:
        document["first_opener"] = match.first_opener
    if match.start:
        document["start"] = {"totals": list(match.start.totals)}
        if match.start.camat is not None:
            document["start"]["camat"] = match.start.camat
    document["rounds"] = [variant.write_round(round_) for round_ in match.rounds]
    return document


def read_name(raw: Any, at: str) -> str:
    """A player's name, trimmed: 1…40 characters, some to be seen and none a control. Raises `Invalid`."""
    if type(raw) is not str:
        raise wrong_type("a name", at)
    name = " ".join(raw.split())
    if not any(_seen(sign) for sign in name):
        raise Invalid("name_missing", "a player needs a name", at)
    if len(name) > NAME_LENGTH:
        raise Invalid("name_too_long", f"a name has at most {NAME_LENGTH} characters", at, most=NAME_LENGTH)
    if any(_harmful(sign) for sign in name):
        raise Invalid("name_characters", "a name cannot hold control characters", at)
    return name


def _seen(sign: str) -> bool:
    """Whether a character shows by itself. One unknown to this Python may be a new emoji: it does."""
    return unicodedata.category(sign) not in ("Cf", "Zs", "Mn", "Me")


def _harmful(sign: str) -> bool:
    """Controls, halves of surrogate pairs, private use, noncharacters, and what reorders text around it."""
    if unicodedata.category(sign) in ("Cc", "Cs", "Co") or sign in _BIDI_CONTROLS:
        return True
    return ord(sign) & 0xFFFE == 0xFFFE or "\ufdd0" <= sign <= "\ufdef"


def read_players(raw: Any, variant: Variant) -> tuple[str, ...]:
    """The names in seat order, as many as the variant seats. Raises `Invalid`."""
    if type(raw) is not list:
        raise wrong_type("a list of names in seat order", "players")
    if len(raw) not in variant.seats:
        wanted = " or ".join(str(count) for count in variant.seats)
        raise Invalid("player_count", f"{variant.key} is scored for {wanted} players, not {len(raw)}",
                      "players", wanted=list(variant.seats), count=len(raw))
    return tuple([read_name(name, f"players[{seat}]") for seat, name in enumerate(raw)])


def _read_start(raw: Any, match: Match) -> Start:
    if type(raw) is not dict:
        raise wrong_type("an object with totals", "start")
    for key in raw:
        if key not in match.variant.start_keys:
            raise Invalid("unknown_field", f"a start has no {shown(key)} in this variant", "start",
                          field=key[:40])
    totals, count = raw.get("totals"), len(match.sides)
    if type(totals) is not list or len(totals) != count:
        raise Invalid("side_count", f"a number for each of the {count} sides is needed", "start.totals")
    for side, total in enumerate(totals):
        if type(total) is not int or abs(total) > MOST_POINTS:
            raise wrong_type("a whole number", f"start.totals[{side}]")
    camat = raw.get("camat")
    return Start(tuple(totals), None if camat is None else read_seat(camat, match, "start.camat"))


def _read_rounds(raw: Any, match: Match) -> tuple[Round, ...]:
    if type(raw) is not list:
        raise wrong_type("a list of rounds", "rounds")
    if len(raw) > MOST_ROUNDS:
        raise Invalid("too_many_rounds", f"a match has at most {MOST_ROUNDS} rounds", "rounds",
                      most=MOST_ROUNDS)
    last, found = len(raw) - 1, []
    for number, entry in enumerate(raw):
        try:
            round_ = match.variant.read_round(entry, match)
        except Invalid as error:
            raise error.within(f"rounds[{number}]") from None
        if round_.ended is None and number != last:
            raise Invalid("round_unfinished", "only the last round may be unfinished",
                          f"rounds[{number}].ended")
        found.append(round_)
    return tuple(found)
