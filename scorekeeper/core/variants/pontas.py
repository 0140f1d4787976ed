"""Quatro Pontas: partnerships; a side scores when the open ends sum to a multiple of five (rules P1-P8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from .. import hands, tiles
from ..documents import Match, Round
from ..errors import Invalid, shown, wrong_type
from ..fields import Field, Hands, read_seat, seat_schema
from ..options import N_, Option, switch
from ..tiles import Tile
from .base import Ending, RaceToTarget, Running, Verdict
from .playing import highest_double, texts

if TYPE_CHECKING:
    from ..engine.masks import State
    from ..engine.moves import Move
    from ..engine.position import Hand, Position
    from ..layout import Layout

FIVES = (5, 10, 15, 20, 25, 30)
PASS_BONUS = "pass"


class Plays(Field):
    """Scoring plays in the order made: `[[seat, points], …]`; a pass bonus: `[seat, 20, "pass"]` (P5, P7)."""

    def read(self, raw: Any, match: Match) -> list[tuple[int, int, str]]:
        if type(raw) is not list:
            raise wrong_type("a list of scoring plays")
        if len(raw) > 2 * len(tiles.SET):
            raise Invalid("too_many_plays", "a round has at most 28 plays and as many passes")
        return [self._read_play(play, match, f"[{place}]") for place, play in enumerate(raw)]

    def _read_play(self, raw: Any, match: Match, at: str) -> tuple[int, int, str]:
        if type(raw) is not list or len(raw) not in (2, 3) or (len(raw) == 3 and raw[2] != PASS_BONUS):
            raise wrong_type("a pair of seat and points", at)
        kind = PASS_BONUS if len(raw) == 3 else ""
        allowed = (match.rules["pass_bonus"],) if kind else scores(match.rules)
        if type(raw[1]) is not int or raw[1] not in allowed or not raw[1]:
            raise Invalid("not_a_score", f"{shown(raw[1])} cannot be scored here", at, points=shown(raw[1]))
        return read_seat(raw[0], match, at), raw[1], kind

    def write(self, value: list[tuple[int, int, str]]) -> Any:
        return [[seat, points, kind] if kind else [seat, points] for seat, points, kind in value]

    def schema(self, seats: int) -> dict[str, Any]:
        play = [seat_schema(seats), {"enum": [*FIVES, 35]}, {"const": PASS_BONUS}]
        items = {"type": "array", "prefixItems": play, "minItems": 2, "maxItems": 3}
        return {"type": "array", "items": items, "maxItems": 2 * len(tiles.SET)}


@dataclass
class PontasRunning(Running):
    """`first` is the side that reached the target first, even if the round is still played (P8)."""

    first: int | None = None


class Pontas(RaceToTarget):
    key = "pontas"
    title = N_("Quatro Pontas")
    tagline = N_("Partners score whenever the open ends make a multiple of five.")
    kit = "plays"
    seats = (4,)
    emblem = "5-5"
    cross = True
    fields = (Plays("plays"), Hands(sparse=True))
    endings: ClassVar = {
        "domino": Ending(N_("Went out"), asks=("plays",)),
        "blocked": Ending(N_("Blocked"), by="none", asks=("plays",)),
    }
    options = (
        Option("target", 100, "P8", N_("Play to"),
               N_("The round is played to its end; then the higher total wins."),
               low=5, high=1000, ends_match=True),
        switch("out_bonus", "P7", N_("Bonus for going out"),
               N_("The opponents' pips, rounded down to a multiple of five.")),
        Option("pass_bonus", 0, "P7", N_("Bonus for making an opponent pass"),
               N_("Points to the side that did it."),
               choices={0: N_("none"), 20: N_("20 points")}),
        switch("score_35", "P5", N_("35 scores"), N_("A sum of 35 scores like the smaller fives.")),
        Option("spinner_end", "twice", "P6", N_("The spinner, covered on one side"),
               N_("How many of its halves count."),
               choices={"twice": N_("both halves"), "once": N_("one half")}),
        Option("spinner_order", "sides_first", "P4", N_("The spinner's ends"),
               N_("When its two short sides open."),
               choices={"sides_first": N_("after both long sides"), "any": N_("all four at once")}),
        switch("four_ends_required", "P6", N_("Only four ends score"),
               N_("Nothing scores before there are four ends.")),
    )
    opener_rule = "P2"
    unknown_opener = ("double_six_leads", "P2")

    def default_sides(self, players: int) -> tuple[tuple[int, ...], ...]:
        return ((0, 2), (1, 3))

    def asked(self, ended: str, match: Match) -> tuple[str, ...]:
        bonus = ended == "domino" and match.rules["out_bonus"]
        return ("plays", "hands") if bonus else super().asked(ended, match)

    def check_round(self, round_: Round, match: Match) -> None:
        super().check_round(round_, match)
        if "hands" not in round_.fields or round_.ended is None:
            return
        self.check_someone_out(round_, match)
        if round_.by is not None and match.rules["out_bonus"]:
            for seat, hand in enumerate(round_.fields["hands"]):
                if hand is None and match.side_of[seat] != match.side_of[round_.by]:
                    raise Invalid("hand_missing", "an opponent's hand is missing", f"hands[{seat}]",
                                  seat=seat)

    def scores(self, rules: Mapping[str, Any]) -> tuple[int, ...]:
        return scores(rules)

    def score_ends(self, ends: Sequence[int], rules: Mapping[str, Any]) -> int:
        return score_ends(ends, rules)

    def first_lead(self, match: Match, hands: tuple[Hand, ...], rng: Random) -> tuple[int, Tile | None]:
        """P2: the 6-6 leads itself."""
        return highest_double(hands)

    def gains(self, layout: Layout, rules: Mapping[str, Any]) -> int:
        return score_ends(layout.counts(rules["spinner_end"]), rules)

    def note(self, before: Position, after: Position, move: Move) -> tuple[int, int, str] | None:
        """P5: what the play scores; P7: what a pass earns the side that brought it about, where the table plays so."""
        rules = before.match.rules
        if move.tile:
            points = self.gains(after.layout, rules)
            return (before.seat, points, "") if points else None
        last = before.last
        earned = max(self.pass_points(before.match, before.seat, last, False, ()))
        return (last, earned, PASS_BONUS) if earned and last is not None else None

    def memory(self, rules: Mapping[str, Any]) -> tuple[str, ...]:
        return ("last",) if rules["pass_bonus"] else ()

    def pass_points(self, match: Match, seat: int, last: int | None, fresh: bool,
                    purse: tuple[int, ...]) -> tuple[int, ...]:
        """P7: the bonus, to the side that made an opponent pass."""
        earned = last is not None and match.side_of[last] != match.side_of[seat]
        return tuple(match.rules["pass_bonus"] if earned and last in side else 0 for side in match.sides)

    def parts_of(self, position: Position) -> dict[str, Any]:
        parts: dict[str, Any] = {"plays": self.fields[0].write(list(position.notes))}
        if position.ended == "domino" and position.match.rules["out_bonus"]:
            parts["hands"] = texts(position.hands)
        return parts

    def pass_gain(self, rules: Mapping[str, Any]) -> int:
        return int(rules["pass_bonus"])

    def swift_notes(self, state: State, notes: Sequence[Any]) -> None:
        for seat, points, _ in notes:
            state.points[seat] += points

    def swift_points(self, state: State) -> list[int]:
        side_of, points = state.table.side_of, state.table.per_side(state.points)
        if state.by >= 0 and state.table.rules["out_bonus"]:
            side = side_of[state.by]
            left = [pips for seat, pips in enumerate(state.pips()) if side_of[seat] != side]
            points[side] += out_bonus(sum(left))
        return points

    def begin(self, match: Match) -> PontasRunning:
        return PontasRunning(**vars(super().begin(match)))

    def score_unfinished(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        assert isinstance(running, PontasRunning)
        points = [0] * len(match.sides)
        for seat, scored, kind in round_.fields.get("plays", ()):
            side = match.side_of[seat]
            points[side] += scored
            running.totals[side] += scored
            step = "pass_bonus" if kind else "ends_score"
            verdict["why"].append({"rule": "P7" if kind else "P5", "step": step, "seat": seat, "side": side,
                                   "points": scored})
            self._note_first(match, running, side, verdict)
        verdict["points"] = points

    def _note_first(self, match: Match, running: PontasRunning, side: int, verdict: Verdict) -> None:
        if running.first is None and running.totals[side] >= match.rules["target"]:
            running.first = side
            verdict["why"].append({"rule": "P8", "step": "reached_first", "side": side,
                                   "total": running.totals[side], "target": match.rules["target"]})

    def score_round(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        assert isinstance(running, PontasRunning)
        self.score_unfinished(match, running, round_, verdict)
        self.won(match, verdict, round_.by, "points")
        why = verdict["why"]
        if round_.by is None:
            why.append({"rule": "P7", "step": "blocked"})
            return
        why.append({"rule": "P7", "step": "went_out", "seat": round_.by})
        if match.rules["out_bonus"]:
            side, given = match.side_of[round_.by], round_.fields["hands"]
            left = [hands.total(hand) for seat, hand in enumerate(given)
                    if match.side_of[seat] != side and hand is not None]
            bonus = out_bonus(sum(left))
            why.append({"rule": "P7", "step": "out_bonus", "side": side, "pips": left, "points": bonus})
            verdict["points"][side] += bonus
            running.totals[side] += bonus
            self._note_first(match, running, side, verdict)

    def next_opener(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        if verdict["opener"] is None:
            self.set_opener(running, None, "left_of_last_opener")
        else:
            self.set_opener(running, (verdict["opener"] + 1) % len(match.players), "left_of_last_opener")

    def decide(self, match: Match, running: Running, verdict: Verdict) -> None:
        assert isinstance(running, PontasRunning)
        if running.first is None:
            return
        first, best = running.first, max(running.totals)
        winner = first if running.totals[first] == best else running.totals.index(best)
        running.finished, running.winners = True, [winner]
        step = ("overtaken" if winner != first else
                "stays_with_first" if running.totals.count(best) > 1 else "stays_ahead")
        verdict["why"].append({"rule": "P8", "step": step, "side": winner, "totals": list(running.totals)})


def scores(rules: Mapping[str, Any]) -> tuple[int, ...]:
    """The sums that score (P5)."""
    return (*FIVES, 35) if rules["score_35"] else FIVES


def score_ends(ends: Sequence[int], rules: Mapping[str, Any]) -> int:
    """What a play scores that leaves these open ends, each as it counts (P5, P6)."""
    if rules["four_ends_required"] and len(ends) < 4:
        return 0
    return sum(ends) if sum(ends) in scores(rules) else 0


def out_bonus(pips: int) -> int:
    """The bonus for going out against opponents holding so many pips (P7)."""
    return pips - pips % 5
