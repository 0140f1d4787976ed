"""Block to 100: 4 players, all tiles dealt; the winner takes the pips of the other hands (rules B1-B10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..documents import Match, Round
from ..fields import Hands
from ..options import N_, Option
from .base import Ending, RaceToTarget, Running, Verdict, fewest, pips_of

if TYPE_CHECKING:
    from ..engine.masks import State


class Block(RaceToTarget):
    key = "block"
    title = N_("Block to 100")
    tagline = N_("Go out or hold the fewest pips, and take everyone else's.")
    seats = (4, 3, 2)
    emblem = "6-4"
    counts_passes = True
    played_by = (4,)  # B1
    fields = (Hands(),)
    endings: ClassVar = {
        "domino": Ending(N_("Went out")),
        "blocked": Ending(N_("Blocked"), by="none"),
    }
    options = (
        Option("target", 100, "B9", N_("Play to"), N_("The first total of this many points wins."),
               low=1, high=1000, ends_match=True),
        Option("blocked_points", "all", "B8", N_("A blocked win scores"),
               N_("Whether a winner on a block keeps their own pips out of it or has them taken off."),
               choices={"all": N_("the others' pips"), "net": N_("the others' pips less their own")}),
    )
    opener_rule = "B3"
    unknown_opener = ("highest_double_leads", "B2")

    def check_round(self, round_: Round, match: Match) -> None:
        super().check_round(round_, match)
        if round_.ended is not None:
            self.check_someone_out(round_, match)

    def score_round(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        pips = pips_of(round_.fields["hands"])
        why = verdict["why"]
        if round_.by is not None:
            winner, decided_by = round_.by, "domino"
            why.append({"rule": "B6", "step": "went_out", "seat": winner})
        else:
            lowest = fewest(pips)
            winner, decided_by = lowest[0], "lowest_total"
            if len(lowest) > 1:
                why.append({"rule": "B7", "step": "push", "seats": lowest, "pips": pips[winner]})
                verdict["decided_by"] = "push"
                return
            why.append({"rule": "B7", "step": "fewest_pips", "seat": winner, "pips": pips})
        gained = sum(pips) - pips[winner]
        own = pips[winner] if match.rules["blocked_points"] == "net" else 0
        others = [pips[seat] for seat in range(len(pips)) if seat != winner]
        why.append({"rule": "B8", "step": "takes_pips", "seat": winner, "pips": others, "own": own,
                    "points": gained - own})
        points = [0] * len(pips)
        points[winner] = gained - own
        self.won(match, verdict, winner, decided_by)
        self.award(match, running, verdict, points)

    def next_opener(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        if verdict["winner_seat"] is not None:
            self.set_opener(running, running.last_winner, "winner_leads")
        elif running.last_winner is not None:
            self.set_opener(running, running.last_winner, "last_winner_leads")
        else:
            self.set_opener(running, None, *self.unknown_opener)

    def decide(self, match: Match, running: Running, verdict: Verdict) -> None:
        target, side = match.rules["target"], verdict["winner"]
        if side is not None and running.totals[side] >= target:
            running.finished, running.winners = True, [side]
            verdict["why"].append({"rule": "B9", "step": "reached_target", "side": side,
                                   "total": running.totals[side], "target": target})

    def swift_points(self, state: State) -> list[int]:
        pips, points, winner = state.pips(), [0] * len(state.hands), state.by
        if winner < 0:
            lowest = min(pips)
            if pips.count(lowest) > 1:
                return points
            winner = pips.index(lowest)
        own = pips[winner] if state.table.rules["blocked_points"] == "all" else 2 * pips[winner]
        points[winner] = sum(pips) - own
        return points
