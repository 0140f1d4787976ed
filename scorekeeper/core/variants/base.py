"""What all variants share. A variant is one instance of a subclass that states only its differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import hands, tiles
from ..documents import Match, Round
from ..errors import Invalid
from ..options import N_, Option
from .playing import Finish, Playing, race
from .reading import Ending, RoundFormat

__all__ = ["Ending", "RaceToTarget", "Running", "Step", "Variant", "Verdict", "fewest", "pips_of"]

Verdict = dict[str, Any]
Step = dict[str, Any]


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


class Variant(RoundFormat, Playing):
    """Defaults for everything but the scoring of a round. See `block.py` for the shortest example.

    `title` and `tagline` are message ids; what a document needs to know is in `RoundFormat`;
    `opener_rule` is the rule that says who leads, `unknown_opener` the step and rule while nobody can say;
    `kit` names the way rounds are entered (`hands`: once at the end; `plays`, `stones`: while it is played).
    """

    title: str
    tagline: str
    kit = "hands"
    options: tuple[Option, ...] = ()
    lowest_wins = False
    stakes_label = N_("Played for, per point")
    emblem = "6-6"
    opener_rule: str
    unknown_opener: tuple[str, str]

    def tiles_dealt(self, match: Match) -> int:
        return self.hand_limit(match)

    # -- a practice match as it is proposed ------------------------------------------------------------------

    def proposed(self, option: Option) -> Any:
        """The value of a house rule that practice proposes."""
        return self.played_rules.get(option.name, option.default)

    def other_length(self, rules: Mapping[str, Any]) -> list[str]:
        """The house rules in which a match is longer or shorter than the one that practice proposes."""
        return [option.name for option in self.options
                if option.ends_match and rules.get(option.name, option.default) != self.proposed(option)]

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
        verdict = self.unscored(match, running)
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

    def unscored(self, match: Match, running: Running) -> Verdict:
        """A verdict before anything was scored."""
        return {"points": [0] * len(match.sides), "winner": None, "winner_seat": None, "decided_by": None,
                "opener": running.opener, "why": []}

    def settle(self, match: Match, finish: Finish) -> tuple[int, ...]:
        """As the scoring of a round does it, told only of the end and of the discards that count for it."""
        points = self.settled(match, finish, finish.ended or "blocked", finish.by if finish.ended else None)
        counted = match.per_side([sum(map(self.discard_points, given)) for given in finish.given])
        return tuple(gained - before for gained, before in zip(points, counted, strict=True))

    def settled(self, match: Match, finish: Finish, ended: str, by: int | None, **fields: Any) -> tuple[int, ...]:
        """What scoring a round gives for the end alone: no plays, no passes but those in `fields`."""
        running = self.begin(match)
        running.totals[:] = finish.purse
        verdict = self.unscored(match, running)
        parts = {"hands": finish.hands, "discards": finish.given, "plays": [], "passes": []} | fields
        self.score_round(match, running, Round(ended, by, parts), verdict)
        return tuple(verdict["points"])

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

    def prospects(self, rules: Mapping[str, Any], totals: Sequence[int], rounds: int, out: int) -> list[float]:
        return race(totals, rules["target"])


def fewest(numbers: list[int]) -> list[int]:
    """The places at which the smallest number stands."""
    least = min(numbers)
    return [place for place, number in enumerate(numbers) if number == least]


def pips_of(given: list[hands.Hand]) -> list[int]:
    """The pips in each hand."""
    return [hands.total(hand) for hand in given]
