"""Gaple with discards: who cannot play gives up a tile; fewest pips held and discarded win (rules G1-G13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from .. import hands, tiles
from ..documents import Match, Round
from ..errors import Invalid
from ..fields import Hands, Lowest
from ..options import N_, Option, switch
from ..tiles import Tile
from .base import Ending, Running, Step, Variant, Verdict, fewest
from .playing import shares, texts

if TYPE_CHECKING:
    from ..engine.masks import State
    from ..engine.position import Hand, Position

NOTHING = (-1, -1, "")  # the rank of a player without any tile, below every tile's (G8)
DOUBLE_BLANK = tiles.of(0, 0)
BLANK_WORTH = 25  # what it counts under the house rule of G11
SWING = 3.5  # points behind, for each root of a round to come, that make a chance 2.7 times smaller

Rank = tuple[int, int, str]  # of a tile: what it is worth, its lower half, its text


class Gaple(Variant):
    key = "gaple"
    title = N_("Gaple with discards")
    tagline = N_("Cannot play? Give up a tile. The fewest pips win the round.")
    seats = (4, 5)
    emblem = "0-0"
    pips_matter = 2.0
    lowest_wins = True
    fields = (Hands(), Hands("discards"), Lowest("lowest"))
    endings: ClassVar = {
        "domino": Ending(N_("Went out"), by="optional", asks=("hands", "discards")),
        "blocked": Ending(N_("Nobody can play"), by="none", asks=("hands", "discards")),
    }
    options = (
        Option("rounds", 10, "G10", N_("Rounds"), N_("After so many rounds the lowest total wins."),
               low=1, high=100, ends_match=True),
        Option("tiles_each", 7, "G2", N_("Tiles each"),
               N_("With four players; five players always hold five."),
               choices={7: N_("seven, none left over"), 6: N_("six, four left over")}),
        Option("lead", "winner", "G3", N_("Who leads later rounds"),
               N_("Round 1 is led by the 0-0 or a random player."),
               choices={"winner": N_("the last winner"), "always_random": N_("always a random player")}),
        Option("stuck", "discard", "G5", N_("Cannot play"),
               N_("What a player does who has no tile that fits."),
               choices={"discard": N_("discard a tile"), "pass": N_("pass")}),
        switch("double_blank_25", "G11", N_("0-0 counts 25"),
               N_("Unless the same player has another tile with a blank: then it counts 0.")),
        Option("tied_match", "joint", "G10", N_("Tied at the end"),
               N_("What happens when the lowest totals are equal."),
               choices={"joint": N_("joint winners"), "extra_round": N_("play on until decided")}, ends_match=True),
    )
    opener_rule = "G3"
    unknown_opener = ("set_decides_lead", "G3")

    def all_sides(self, players: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
        partners = (((0, 2), (1, 3)),) if players == 4 else ()
        return (self.default_sides(players), *partners)

    def hand_limit(self, match: Match) -> int:
        return 5 if len(match.players) == 5 else int(match.rules["tiles_each"])

    def check_round(self, round_: Round, match: Match) -> None:
        double_blank = BLANK_WORTH if match.rules["double_blank_25"] else 0
        self.check_tiles(round_, match, ("hands", "discards"), double_blank)
        self._check_together(round_, self.hand_limit(match), double_blank)
        if round_.ended == "domino":
            self._find_out(round_)
        if round_.ended is not None:
            self.check_someone_out(round_, match)
            self._check_lowest(round_, match)

    def _check_together(self, round_: Round, limit: int, double_blank: int) -> None:
        """What a player holds and what they discarded were one hand. Raises `Invalid`."""
        if "hands" not in round_.fields or "discards" not in round_.fields:
            return
        for seat, (held, given) in enumerate(zip(round_.fields["hands"], round_.fields["discards"], strict=True)):
            counted = (held if isinstance(held, int) else 0) + (given if isinstance(given, int) else 0)
            known = (0 if isinstance(held, int) else len(held)) + (0 if isinstance(given, int) else len(given))
            if known > limit:
                raise Invalid("too_many_tiles", f"a player has at most {limit} tiles, discards included",
                              f"discards[{seat}]", seat=seat, most=limit)
            if counted and counted > tiles.heaviest(limit - known, double_blank=double_blank):
                raise Invalid("pips_impossible", f"{limit - known} tiles cannot show {counted} pips",
                              f"discards[{seat}]", pips=counted, seat=seat, tiles=limit - known)

    def _find_out(self, round_: Round) -> None:
        empty = [seat for seat, hand in enumerate(round_.fields["hands"]) if hand == ()]
        if round_.by is None and len(empty) == 1:
            round_.by = empty[0]

    def _check_lowest(self, round_: Round, match: Match) -> None:
        """A typed lowest tile must be one the player can have. Raises `Invalid("lowest_impossible")`."""
        lowest = round_.fields.get("lowest")
        if not lowest:
            return
        named, given = list(lowest.values()), [given_bits(round_, seat) for seat in range(len(match.players))]
        for seat, tile in lowest.items():
            if named.count(tile) > 1:
                possible = False
            elif tile is None:
                possible = can_be_out(round_, match, seat)
            else:
                possible = can_be_lowest(tile, round_, match, seat) and not any(
                    bits & tile.bit for place, bits in enumerate(given) if place != seat)
            if not possible:
                raise Invalid("lowest_impossible", f"{tile or 'no tile'} cannot be the lowest of seat {seat}",
                              f"lowest.{seat}", seat=seat, tile=str(tile))

    def score_round(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        seats = range(len(match.players))
        held = [part_points("hands", round_, match, seat) for seat in seats]
        discarded = [part_points("discards", round_, match, seat) for seat in seats]
        points = [held[seat] + discarded[seat] for seat in seats]
        why = verdict["why"]
        if round_.by is not None:
            why.append({"rule": "G6", "step": "went_out", "seat": round_.by})
        why.append({"rule": "G7", "step": "hand_and_discards", "hands": held, "discards": discarded, "points": points})
        self._say_double_blank(match, round_, why)
        self._settle(match, round_, points, verdict)
        self._warn(match, running, round_, verdict)
        self.award(match, running, verdict, match.per_side(points))
        if len(match.sides) < len(match.players):
            why.append({"rule": "G12", "step": "sides_sum", "points": verdict["points"],
                        "side": verdict["winner"]})

    def _say_double_blank(self, match: Match, round_: Round, why: list[dict[str, Any]]) -> None:
        if not match.rules["double_blank_25"]:
            return
        for seat in range(len(match.players)):
            if any(DOUBLE_BLANK in part for part in parts(round_, seat) if not isinstance(part, int)):
                why.append({"rule": "G11", "step": "double_blank", "seat": seat,
                            "counts": worth(DOUBLE_BLANK, round_, match, seat)})

    def _settle(self, match: Match, round_: Round, points: list[int], verdict: Verdict) -> None:
        """Finds the round's winner: the fewest points, then G8 and G9."""
        tied, why = fewest(points), verdict["why"]
        if len(tied) == 1:
            winner = tied[0]
            why.append({"rule": "G7", "step": "fewest_points", "seat": winner, "points": points[winner]})
            return self.won(match, verdict, winner, "lowest_total")
        ranks = {seat: rank(round_, match, seat) for seat in tied}
        why.append({"rule": "G8", "step": "tied", "seats": tied, "points": points[tied[0]]})
        if NOTHING in ranks.values():  # who ties with a player without tiles holds the 0-0: nobody is asked
            ranks = {seat: found or (0, 0, DOUBLE_BLANK.text) for seat, found in ranks.items()}
        unknown = [seat for seat in tied if ranks[seat] is None]
        if unknown:
            verdict["needs"] = {"lowest": unknown}
            return None
        return self._break_tie({seat: found for seat, found in ranks.items() if found}, verdict, match)

    def _break_tie(self, ranks: Mapping[int, Rank], verdict: Verdict, match: Match) -> None:
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
                               "against": left[1:] or [seat for seat in ranks if seat != winner]})
        self.won(match, verdict, winner, decided_by)

    def _warn(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        """G13: in the discard form the round's first player goes out, and all others then hold one tile."""
        if match.rules["stuck"] != "discard" or round_.ended != "domino":
            return
        odd = [seat for seat, hand in enumerate(round_.fields["hands"])
               if seat != round_.by and not may_be_one_tile(hand, match)]
        warnings: list[Step] = [{"rule": "G13", "step": "one_tile_left", "seats": odd}] if odd else []
        if round_.by is not None and running.opener not in (None, round_.by):
            warnings.append({"rule": "G13", "step": "opener_goes_out", "seat": round_.by,
                             "opener": running.opener})
        if warnings:
            verdict["warnings"] = warnings

    # -- play ------------------------------------------------------------------------------------------------

    def discards(self, match: Match) -> bool:
        return bool(match.rules["stuck"] == "discard")

    def memory(self, rules: Mapping[str, Any]) -> tuple[str, ...]:
        """G11: what the 0-0 counts depends on what its holder discarded."""
        return ("given",) if rules["double_blank_25"] and rules["stuck"] == "discard" else ()

    def discard_points(self, tile: Tile) -> int:
        return tile.pips

    def sets_tile(self, match: Match) -> bool:
        return deal(len(match.players), self.tiles_dealt(match))[1]

    def first_lead(self, match: Match, hands: tuple[Hand, ...], rng: Random) -> tuple[int, Tile | None]:
        """G3: the 0-0 sets itself in a first round without a boneyard; otherwise a random player goes."""
        if match.rounds or self.sets_tile(match):
            return rng.randrange(len(hands)), None
        return next(seat for seat, hand in enumerate(hands) if DOUBLE_BLANK in hand), DOUBLE_BLANK

    def parts_of(self, position: Position) -> dict[str, Any]:
        return {"hands": texts(position.hands), "discards": texts(position.discards)}

    def unheld(self, must: Tile) -> list[Tile]:
        return []

    def prospects(self, rules: Mapping[str, Any], totals: Sequence[int], rounds: int, out: int) -> list[float]:
        """G10: by how far each total is above the lowest, against what the rounds to come can move."""
        least, left = min(totals), rules["rounds"] - rounds
        if left <= 0:
            return shares([1.0 if total == least else 0.0 for total in totals])
        apart = [(total - least) / (SWING * sqrt(left)) for total in totals]
        return shares([1.0 / (1 + far + far * far / 2 + far * far * far / 6) for far in apart])

    def swift_points(self, state: State) -> list[int]:
        points = state.pips([held | given for held, given in zip(state.hands, state.given, strict=True)])
        if state.table.rules["double_blank_25"]:
            for seat, held in enumerate(state.hands):
                own = state.tiles(held | state.given[seat])
                if DOUBLE_BLANK in own and not any(tile.low == 0 for tile in own if tile is not DOUBLE_BLANK):
                    points[seat] += BLANK_WORTH
        return state.table.per_side(points)

    # -- the match -------------------------------------------------------------------------------------------

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
        verdict["why"].append({"rule": "G10", "step": step, "sides": leaders,
                               "total": running.totals[leaders[0]], "rounds": running.rounds})

    def progress(self, match: Match, tally: Mapping[str, Any]) -> dict[str, Any]:
        return {"kind": "rounds", "of": match.rules["rounds"]}


def worth(tile: Tile, round_: Round, match: Match, seat: int) -> int:
    """A tile's points for the player who has it (G7, G11)."""
    if tile is not DOUBLE_BLANK or not match.rules["double_blank_25"]:
        return tile.pips
    others = [other for other in known_tiles(round_, seat) if other is not tile]
    if any(other.low == 0 for other in others):
        return 0
    if round_.fields.get("lowest", {}).get(seat) is not tile:
        return BLANK_WORTH
    # Named as the lowest it counts 25 only if it is all there is: else a blank is hidden in a number.
    counted = sum(part for part in parts(round_, seat) if isinstance(part, int))
    hidden = not any(tile in part for part in parts(round_, seat) if not isinstance(part, int))
    return BLANK_WORTH if not others and counted == (BLANK_WORTH if hidden else 0) else 0


def may_be_one_tile(hand: hands.Hand, match: Match) -> bool:
    """Whether a hand is a single tile, or a number that a single tile can show."""
    if not isinstance(hand, int):
        return len(hand) == 1
    return hand <= 2 * tiles.HIGHEST or (hand == BLANK_WORTH and match.rules["double_blank_25"])


def parts(round_: Round, seat: int) -> list[hands.Hand]:
    """A player's hand and discards; of who went out only the discards: a hand typed as 0 is no tile."""
    fields = round_.fields
    return [fields["discards"][seat]] if round_.by == seat else [fields["hands"][seat], fields["discards"][seat]]


def given_bits(round_: Round, seat: int) -> int:
    """The tiles that a player's hand and discards name, one bit each."""
    return sum([tile.bit for part in parts(round_, seat) if not isinstance(part, int) for tile in part])


def known_tiles(round_: Round, seat: int) -> list[Tile]:
    """The tiles a player is known to have had: held, discarded, and the one named as the lowest."""
    found = [tile for part in parts(round_, seat) if not isinstance(part, int) for tile in part]
    named = round_.fields.get("lowest", {}).get(seat)
    return [*found, named] if named and named not in found else found


def part_points(name: str, round_: Round, match: Match, seat: int) -> int:
    """The points of a player's `hands` or `discards`; a typed number is taken as counted (G7, G11)."""
    part: hands.Hand = round_.fields[name][seat]
    if isinstance(part, int):
        return part
    if DOUBLE_BLANK not in part or not match.rules["double_blank_25"]:
        return tiles.pips(part)
    return sum(worth(tile, round_, match, seat) for tile in part)


def seat_points(round_: Round, match: Match, seat: int) -> int:
    """A player's points: pips held and discarded (G7)."""
    return part_points("hands", round_, match, seat) + part_points("discards", round_, match, seat)


def can_be_out(round_: Round, match: Match, seat: int) -> bool:
    """Whether this player may be the one who went out, and without discards: then there is no lowest tile."""
    out = round_.ended == "domino" and round_.by in (None, seat)
    return out and not seat_points(round_, match, seat) and not any(
        part for part in parts(round_, seat) if not isinstance(part, int))


def can_be_lowest(tile: Tile, round_: Round, match: Match, seat: int) -> bool:
    """Whether a tile can be a player's lowest: it is given, or within a number, the rest being as heavy."""
    given = [part for part in parts(round_, seat) if not isinstance(part, int)]
    counted = [part for part in parts(round_, seat) if isinstance(part, int)]
    if any(tile in part for part in given):
        return True
    if tile is DOUBLE_BLANK and match.rules["double_blank_25"] and not any(counted):
        return bool(counted) and any(other.low == 0 for part in given for other in part)
    return any(part == tile.pips or part >= 2 * tile.pips for part in counted)


def rank(round_: Round, match: Match, seat: int) -> Rank | None:
    """The rank of a player's lowest tile, comparable between players; None: not known (G8, G9)."""
    named, own = round_.fields.get("lowest", {}), known_tiles(round_, seat)
    counted = any(isinstance(part, int) for part in parts(round_, seat))
    if counted and seat not in named:
        return None
    if not own:
        return NOTHING
    return min((worth(tile, round_, match, seat), tile.low, tile.text) for tile in own)


def deal(players: int, tiles_each: int) -> tuple[int, bool]:
    """How many tiles stay in the boneyard; whether one of them is set first, or else the 0-0 (G2, G3)."""
    boneyard = len(tiles.SET) - players * tiles_each
    return boneyard, boneyard > 0
