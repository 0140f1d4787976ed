"""Gaple with discards: who cannot play gives up a tile; the fewest pips held and discarded win (rules G1-G13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import hands, tiles
from ..documents import Match, Round
from ..errors import Invalid
from ..fields import Hands, Lowest
from ..options import N_, Option, switch
from ..tiles import Tile
from .base import Ending, Running, Variant, Verdict, fewest

NOTHING = (-1, -1)  # the rank of a player without any tile, below every tile's (G8)
DOUBLE_BLANK = tiles.of(0, 0)


class Gaple(Variant):
    key = "gaple"
    title = N_("Gaple with discards")
    tagline = N_("Cannot play? Give up a tile. The fewest pips win the round.")
    seats = (4, 5)
    emblem = "0-0"
    lowest_wins = True
    fields = (Hands(), Hands("discards"), Lowest("lowest"))
    endings = {
        "domino": Ending(N_("Went out"), by="optional", asks=("hands", "discards")),
        "blocked": Ending(N_("Nobody can play"), by="none", asks=("hands", "discards")),
    }
    options = (
        Option("rounds", 10, "G10", N_("Rounds"), N_("After so many rounds the lowest total wins."), low=1, high=100),
        Option("tiles_each", 7, "G2", N_("Tiles each"), N_("With four players; five players always hold five."),
               choices={7: N_("seven, none left over"), 6: N_("six, four left over")}),
        Option("lead", "winner", "G3", N_("Who leads later rounds"), N_("Round 1 is led by the 0-0 or a random player."),
               choices={"winner": N_("the last winner"), "always_random": N_("always a random player")}),
        Option("stuck", "discard", "G5", N_("Cannot play"), N_("What a player does who has no tile that fits."),
               choices={"discard": N_("discard a tile"), "pass": N_("pass")}),
        switch("double_blank_25", "G11", N_("0-0 counts 25"),
               N_("Unless the same player has another tile with a blank: then it counts 0.")),
        Option("tied_match", "joint", "G10", N_("Tied at the end"), N_("What happens when the lowest totals are equal."),
               choices={"joint": N_("joint winners"), "extra_round": N_("play on until decided")}),
    )
    opener_rule = "G3"
    unknown_opener = ("set_decides_lead", "G3")

    def all_sides(self, players: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
        partners = (((0, 2), (1, 3)),) if players == 4 else ()
        return (self.default_sides(players), *partners)

    def hand_limit(self, match: Match) -> int:
        return 5 if len(match.players) == 5 else int(match.rules["tiles_each"])

    def check_round(self, round_: Round, match: Match) -> None:
        double_blank = 25 if match.rules["double_blank_25"] else 0
        self.check_tiles(round_, match, ("hands", "discards"), double_blank)
        given, limit = round_.fields, self.hand_limit(match)
        for seat, (hand, discards) in enumerate(zip(given.get("hands", ()), given.get("discards", ()), strict=False)):
            if isinstance(hand, tuple) and isinstance(discards, tuple) and len(hand) + len(discards) > limit:
                raise Invalid("too_many_tiles", f"a player has at most {limit} tiles, discards included",
                              f"discards[{seat}]", seat=seat, most=limit)
        if round_.ended == "domino":
            self._find_out(round_)
        if round_.ended is not None:
            self.check_someone_out(round_, match)
            self._check_lowest(round_, match)

    def _find_out(self, round_: Round) -> None:
        empty = [seat for seat, hand in enumerate(round_.fields["hands"]) if hand == ()]
        if round_.by is None and len(empty) == 1:
            round_.by = empty[0]

    def _check_lowest(self, round_: Round, match: Match) -> None:
        """A typed lowest tile must be one the player can have. Raises `Invalid("lowest_impossible")`."""
        named: set[Tile] = set()
        for seat, tile in round_.fields.get("lowest", {}).items():
            points, own = seat_points(round_, match, seat), seat_tiles(round_, seat)
            elsewhere = {other for place in range(len(match.players)) if place != seat for other in seat_tiles(round_, place)}
            least = worth(tile, own, match) if tile else 0
            if (tile is None and (points or own)) or least > points or tile in elsewhere or tile in named:
                raise Invalid("lowest_impossible", f"{tile or 'no tile'} cannot be the lowest of seat {seat}",
                              f"lowest.{seat}", seat=seat, tile=str(tile))
            if tile:
                named.add(tile)

    def score_round(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        seats = range(len(match.players))
        points = [seat_points(round_, match, seat) for seat in seats]
        why = verdict["why"]
        if round_.by is not None:
            why.append({"rule": "G6", "step": "went_out", "seat": round_.by})
        why.append({"rule": "G7", "step": "hand_and_discards",
                    "hands": [hand_points(round_, match, seat) for seat in seats],
                    "discards": [points[seat] - hand_points(round_, match, seat) for seat in seats], "points": points})
        self._say_double_blank(match, round_, why)
        self._settle(match, round_, points, verdict)
        self._warn(match, running, round_, verdict)
        self.award(match, running, verdict, match.per_side(points))
        if len(match.sides) < len(match.players):
            why.append({"rule": "G12", "step": "sides_sum", "points": verdict["points"], "side": verdict["winner"]})

    def _say_double_blank(self, match: Match, round_: Round, why: list[dict[str, Any]]) -> None:
        if not match.rules["double_blank_25"]:
            return
        for seat in range(len(match.players)):
            own = seat_tiles(round_, seat)
            if DOUBLE_BLANK in own:
                why.append({"rule": "G11", "step": "double_blank", "seat": seat, "counts": worth(DOUBLE_BLANK, own, match)})

    def _settle(self, match: Match, round_: Round, points: list[int], verdict: Verdict) -> None:
        """Finds the round's winner: the fewest points, then G8 and G9."""
        tied, why = fewest(points), verdict["why"]
        if len(tied) == 1:
            why.append({"rule": "G7", "step": "fewest_points", "seat": tied[0], "points": points[tied[0]]})
            return self.won(match, verdict, tied[0], "lowest_total")
        ranks = {seat: rank(round_, match, seat) for seat in tied}
        why.append({"rule": "G8", "step": "tied", "seats": tied, "points": points[tied[0]]})
        unknown = [seat for seat in tied if ranks[seat] is None]
        if unknown:
            verdict["needs"] = {"lowest": unknown}
            return None
        return self._break_tie({seat: found for seat, found in ranks.items() if found}, verdict, match)

    def _break_tie(self, ranks: Mapping[int, tuple[int, int, str]], verdict: Verdict, match: Match) -> None:
        shown = {str(seat): found[2] or None for seat, found in ranks.items()}
        least = min(found[0] for found in ranks.values())
        left = [seat for seat, found in ranks.items() if found[0] == least]
        rule, step, decided_by = "G8", "lowest_tile", "lowest_tile"
        if len(left) > 1:
            verdict["why"].append({"rule": "G8", "step": "still_tied", "seats": left, "pips": least})
            rule, step, decided_by = "G9", "lowest_end", "lowest_end"
            left.sort(key=lambda seat: ranks[seat][1])
        winner = left[0]
        verdict["why"].append({"rule": rule, "step": step, "seat": winner, "tiles": shown,
                               "against": [seat for seat in left[1:]] or [seat for seat in ranks if seat != winner]})
        self.won(match, verdict, winner, decided_by)

    def _warn(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        """G13: in the discard form the round's first player goes out, and all others then hold one tile."""
        if match.rules["stuck"] != "discard" or round_.ended != "domino" or round_.by is None:
            return
        odd = [seat for seat, hand in enumerate(round_.fields["hands"]) if seat != round_.by
               and (hand > 2 * tiles.HIGHEST if isinstance(hand, int) else len(hand) != 1)]
        warnings = [{"rule": "G13", "step": "one_tile_left", "seats": odd}] if odd else []
        if running.opener not in (None, round_.by):
            warnings.append({"rule": "G13", "step": "opener_goes_out", "seat": round_.by, "opener": running.opener})
        if warnings:
            verdict["warnings"] = warnings

    def next_opener(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        if match.rules["lead"] == "always_random":
            self.set_opener(running, None, "random_leads")
        elif verdict["winner_seat"] is None:
            self.set_opener(running, None, "tie_open")
        else:
            self.set_opener(running, verdict["winner_seat"], "winner_leads")

    def decide(self, match: Match, running: Running, verdict: Verdict) -> None:
        if running.rounds < match.rules["rounds"]:
            return
        leaders = fewest(running.totals)
        if len(leaders) > 1 and match.rules["tied_match"] == "extra_round":
            verdict["why"].append({"rule": "G10", "step": "extra_round", "sides": leaders})
            return
        running.finished, running.winners = True, leaders
        step = "joint_winners" if len(leaders) > 1 else "lowest_total_wins"
        verdict["why"].append({"rule": "G10", "step": step, "sides": leaders, "total": running.totals[leaders[0]],
                               "rounds": running.rounds})

    def progress(self, match: Match, tally: Mapping[str, Any]) -> dict[str, Any]:
        return {"kind": "rounds", "of": match.rules["rounds"]}


def worth(tile: Tile, own: list[Tile], match: Match) -> int:
    """A tile's points for a player who has the tiles `own` (G7, G11)."""
    if tile is DOUBLE_BLANK and match.rules["double_blank_25"]:
        return 0 if any(other.low == 0 for other in own if other is not tile) else 25
    return tile.pips


def seat_tiles(round_: Round, seat: int) -> list[Tile]:
    """The tiles a player is known to have, held and discarded."""
    parts = (round_.fields["hands"][seat], round_.fields["discards"][seat])
    return [tile for part in parts if not isinstance(part, int) for tile in part]


def hand_points(round_: Round, match: Match, seat: int, part: str = "hands") -> int:
    """The points of one part of a player's tiles, `hands` or `discards`."""
    hand = round_.fields[part][seat]
    if isinstance(hand, int) or not match.rules["double_blank_25"]:
        return hands.total(hand)
    own = seat_tiles(round_, seat)
    return sum(worth(tile, own, match) for tile in hand)


def seat_points(round_: Round, match: Match, seat: int) -> int:
    """A player's points: pips held and discarded (G7)."""
    return hand_points(round_, match, seat) + hand_points(round_, match, seat, "discards")


def rank(round_: Round, match: Match, seat: int) -> tuple[int, int, str] | None:
    """(worth, lower half, text) of a player's lowest tile, comparable between players; None: not known (G8, G9)."""
    named = round_.fields.get("lowest", {})
    out = round_.by == seat
    parts = [round_.fields["discards"][seat]] if out else [round_.fields["hands"][seat], round_.fields["discards"][seat]]
    own = seat_tiles(round_, seat)
    if any(isinstance(part, int) for part in parts):
        if seat not in named:
            return None
        own = [*own, named[seat]] if named[seat] else []
    if not own:
        return (*NOTHING, "")
    return min((worth(tile, own, match), tile.low, tile.text) for tile in own)


def deal(players: int, tiles_each: int) -> tuple[int, bool]:
    """How many tiles stay in the boneyard, and whether one of them is set first; if not, the 0-0 is (G2, G3)."""
    boneyard = len(tiles.SET) - players * tiles_each
    return boneyard, boneyard > 0
