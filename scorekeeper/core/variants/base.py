"""What all variants share. A variant is one instance of a subclass that states only its differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .. import hands, tiles
from ..documents import Match, Round
from ..errors import Invalid, shown, wrong_type
from ..fields import Field, read_seat, seat_schema
from ..options import N_, Option

Verdict = dict[str, Any]
Step = dict[str, Any]


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


@dataclass
class Running:
    """What the fold carries from one round to the next; `totals` and `winners` are per side, seats elsewhere.

    `opener` leads the coming round (None: not known) and `opener_why` is the step that says so.
    `waiting`: a round needs more than was entered, so nothing is decided yet.
    """

    totals: list[int]
    opener: int | None = None
    opener_why: Step | None = None
    last_winner: int | None = None
    rounds: int = 0
    waiting: bool = False
    finished: bool = False
    winners: list[int] = field(default_factory=list)


class Variant:
    """Defaults for everything but the scoring of a round. See `block.py` for the shortest example.

    `key` is the document's name for it; `seats` the player counts; `title` and `tagline` are message ids;
    `opener_rule` is the rule that says who leads, `unknown_opener` the step and rule while nobody can say;
    `kit` names the way rounds are entered (`hands`: once at the end; `plays`, `stones`: while it is played).
    """

    key: str
    title: str
    tagline: str
    kit = "hands"
    seats: tuple[int, ...] = (4,)
    tiles_each = 7
    options: tuple[Option, ...] = ()
    endings: ClassVar[Mapping[str, Ending]]
    fields: tuple[Field, ...]
    start_keys: tuple[str, ...] = ("totals",)
    lowest_wins = False
    stakes_label = N_("Played for, per point")
    emblem = "6-6"
    opener_rule: str
    unknown_opener: tuple[str, str]

    # -- reading and writing ---------------------------------------------------------------------------------

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
        for name in names:
            for seat, hand in enumerate(round_.fields.get(name, ())):
                if hand is None:
                    continue
                if isinstance(hand, int):
                    total += hand
                    if hand > tiles.heaviest(limit, double_blank=double_blank):
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

    # -- scoring during play (the kit `plays`) ---------------------------------------------------------------

    pass_mark = "pass"  # in a round's plays: points for a pass, not for a tile

    def scores(self, rules: Mapping[str, Any]) -> tuple[int, ...]:
        """The points that a single play can score; none, unless the variant scores during play."""
        return ()

    def score_ends(self, ends: Sequence[int], rules: Mapping[str, Any]) -> int:
        """What a play scores that leaves these open ends, each as it counts."""
        return 0

    # -- scoring ---------------------------------------------------------------------------------------------

    def begin(self, match: Match) -> Running:
        """The state before the first round."""
        running = Running(list(match.start.totals) if match.start else [0] * len(match.sides))
        if match.first_opener is None:
            self.set_opener(running, None, *self.unknown_opener)
        else:
            self.set_opener(running, match.first_opener, "first_opener")
        return running

    def set_opener(self, running: Running, seat: int | None, step: str, rule: str | None = None,
                   **facts: Any) -> None:
        """Notes who leads the coming round and the step that explains it."""
        running.opener = seat
        running.opener_why = {"rule": rule or self.opener_rule, "step": step, "seat": seat, **facts}

    def score(self, match: Match, running: Running, round_: Round) -> Verdict:
        """The round's verdict, as the tally holds it; `running` is moved on past the round."""
        verdict: Verdict = {"points": [0] * len(match.sides), "winner": None, "winner_seat": None,
                            "decided_by": None, "opener": running.opener, "why": []}
        if round_.ended is None:
            self.score_unfinished(match, running, round_, verdict)
            self.set_opener(running, None, "round_open")
        else:
            self.score_round(match, running, round_, verdict)
            running.rounds += 1
            if verdict.get("needs"):
                running.waiting = True
            if verdict["winner_seat"] is not None:
                running.last_winner = verdict["winner_seat"]
            self.next_opener(match, running, round_, verdict)
            if not running.waiting:
                self.decide(match, running, verdict)
        return verdict

    def going_out(self, tile: tiles.Tile, ends: tuple[int, int]) -> str | None:
        """The ending it is to go out with `tile` on these two open ends; None where that makes no difference."""
        return None

    def score_unfinished(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        """Counts an unfinished round as far as it goes: nothing, unless the variant scores during play."""

    def score_round(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        """Fills in the verdict of a finished round and adds its points to `running.totals`."""
        raise NotImplementedError

    def next_opener(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        """Sets who leads the next round."""
        raise NotImplementedError

    def decide(self, match: Match, running: Running, verdict: Verdict) -> None:
        """Ends the match when it is won."""
        raise NotImplementedError

    def award(self, match: Match, running: Running, verdict: Verdict, points: list[int]) -> None:
        """Gives each side its points in this round."""
        verdict["points"] = points
        for side, gained in enumerate(points):
            running.totals[side] += gained

    def won(self, match: Match, verdict: Verdict, seat: int | None, decided_by: str) -> None:
        """Notes the round's winner, a seat and thereby a side."""
        verdict["winner_seat"] = seat
        verdict["winner"] = None if seat is None else match.side_of[seat]
        verdict["decided_by"] = decided_by

    def tally_extras(self, match: Match, running: Running) -> dict[str, Any]:
        """What the tally holds beyond every variant's."""
        return {}

    def progress(self, match: Match, tally: Mapping[str, Any]) -> dict[str, Any]:
        """How far the match has come, for drawing.

        `{"kind": "target", "target": n}`, `{"kind": "rounds", "of": n}` or `{"kind": "stones", …}`.
        """
        raise NotImplementedError


class RaceToTarget(Variant):
    """Variants whose first side at `rules["target"]` points wins."""

    def check_match(self, match: Match) -> None:
        if match.start and max(match.start.totals) >= match.rules["target"]:
            raise Invalid("start_decided", "the match would be over before it starts", "start.totals",
                          target=match.rules["target"])

    def progress(self, match: Match, tally: Mapping[str, Any]) -> dict[str, Any]:
        return {"kind": "target", "target": match.rules["target"]}


def fewest(numbers: list[int]) -> list[int]:
    """The places at which the smallest number stands."""
    least = min(numbers)
    return [place for place, number in enumerate(numbers) if number == least]


def pips_of(given: list[hands.Hand]) -> list[int]:
    """The pips in each hand."""
    return [hands.total(hand) for hand in given]
