"""Domeng: five players, 25 stones of penalty that move at passes and at the round's end (rules D1-D11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ..documents import Match, Round
from ..errors import Invalid, wrong_type
from ..fields import Field, Hands, check_seat, seat_schema
from ..options import N_, Option, switch
from ..tiles import Tile
from .base import Ending, Running, Variant, Verdict, pips_of
from .playing import Finish, shares, texts

if TYPE_CHECKING:
    from ..engine.masks import State
    from ..engine.moves import Move
    from ..engine.position import Position

STONES = 25
LEADS = 1.15  # what opening the next round is worth beside that
MOST_PASSES = 200
AWARDS = {"cappu": 1, "ceki": 3, "pollo": 5}


class Pass(NamedTuple):
    """One pass: by whom, whether before having played any tile (passebunge), and who had played last."""

    seat: int
    bunge: bool
    after: int | None


class Passes(Field):
    """Passes in the order made: `[{"seat": 2, "bunge": true, "after": 0}, …]` (D3)."""

    def read(self, raw: Any, match: Match) -> list[Pass]:
        if type(raw) is not list:
            raise wrong_type("a list of passes")
        if len(raw) > MOST_PASSES:
            raise Invalid("too_many_passes", f"a round has at most {MOST_PASSES} passes", most=MOST_PASSES)
        seats = len(match.players)
        try:
            return [self._read_pass(entry, seats) for entry in raw]
        except Invalid:
            for place, entry in enumerate(raw):
                try:
                    self._read_pass(entry, seats)
                except Invalid as error:
                    raise error.within(f"[{place}]") from None
            raise

    def _read_pass(self, raw: Any, seats: int) -> Pass:
        if type(raw) is not dict or len(raw) != ("seat" in raw) + ("bunge" in raw) + ("after" in raw):
            raise wrong_type("a pass: an object with seat, bunge, after")
        bunge, after = raw.get("bunge", False), raw.get("after")
        if type(bunge) is not bool:
            raise wrong_type("true or false", "bunge")
        return Pass(check_seat(raw.get("seat"), seats, "seat"), bunge,
                    None if after is None else check_seat(after, seats, "after"))

    def write(self, value: list[Pass]) -> Any:
        return [{"seat": one.seat} | ({"bunge": True} if one.bunge else {})
                | ({} if one.after is None else {"after": one.after}) for one in value]

    def schema(self, seats: int) -> dict[str, Any]:
        seat = seat_schema(seats)
        after = {"anyOf": [seat, {"type": "null"}]}
        one = {"type": "object", "properties": {"seat": seat, "bunge": {"type": "boolean"}, "after": after},
               "required": ["seat"], "additionalProperties": False}
        return {"type": "array", "items": one, "maxItems": MOST_PASSES}


@dataclass
class DomengRunning(Running):
    """Also the camat (a seat or None) and how often each seat was elected in the recorded rounds."""

    camat: int | None = None
    camats: list[int] = field(default_factory=list)


class Domeng(Variant):
    key = "domeng"
    title = N_("Domeng")
    tagline = N_("Twenty-five stones nobody wants: pass, and one is yours.")
    kit = "stones"
    seats = (5,)
    tiles_each = 5
    emblem = "3-3"
    counts_passes = True
    played_rules: ClassVar = {"camats": 1}  # D11: alone at a phone one wants an end
    lowest_wins = True
    stakes_label = N_("Played for, per stone")
    fields = (Passes("passes"), Hands())
    start_keys = ("totals", "camat")
    endings: ClassVar = {
        "cappu": Ending("First cappu", asks=("passes",), gloss=N_("first out of tiles")),
        "ceki": Ending("Ceki", asks=("passes",), gloss=N_("met both open ends")),
        "pollo": Ending("Pollo", asks=("passes",), gloss=N_("a double, both ends")),
        "manguno": Ending("Manguno", asks=("passes", "hands"), gloss=N_("all passed after")),
    }
    options = (
        Option("camats", None, "D11", N_("The match ends"), N_("When someone has been camat so many times."),
               low=1, high=99, nullable=True, ends_match=True),
        switch("closing_passes", "D8", N_("Closing passes count"),
               N_("The passes that close a manguno round cost stones like any others."), default=True),
    )
    opener_rule = "D1"
    unknown_opener = ("highest_double_opens", "D1")

    def check_match(self, match: Match) -> None:
        if match.start and (min(match.start.totals) < 0 or sum(match.start.totals) > STONES):
            raise Invalid("stones_impossible", f"the players can hold 0 to {STONES} stones together",
                          "start.totals", stones=STONES)

    def check_round(self, round_: Round, match: Match) -> None:
        super().check_round(round_, match)
        if round_.ended == "manguno":
            for seat, hand in enumerate(round_.fields["hands"]):
                if hand == ():
                    raise Invalid("hand_empty", "a hand without tiles is first cappu", f"hands[{seat}]",
                                  seat=seat)
        elif round_.ended is not None:
            self.check_someone_out(round_, match)

    def note(self, before: Position, after: Position, move: Move) -> Pass | None:
        """D3: a pass, a passebunge if the player has set no tile yet, and who would have to pay."""
        return None if move.tile else Pass(before.seat, before.played[before.seat] == 0, before.last)

    def memory(self, rules: Mapping[str, Any]) -> tuple[str, ...]:
        """D2: who pays depends on what the table still holds."""
        return ("last", "purse")

    def pass_points(self, match: Match, seat: int, last: int | None, fresh: bool,
                    purse: tuple[int, ...]) -> tuple[int, ...]:
        """D3, as the scoring of a pass does it."""
        running = self.begin(match)
        running.totals[:] = purse
        verdict = self.unscored(match, running)
        self._score_passes(match, running, [Pass(seat, fresh, last)], verdict)
        return tuple(verdict["points"])

    def settle(self, match: Match, finish: Finish) -> tuple[int, ...]:
        """D4-D8: a dead layout is closed by everyone's pass before the manguno's round is scored."""
        if finish.ended:
            return self.settled(match, finish, finish.ended, finish.by)
        assert finish.by is not None
        seats = len(match.players)
        turns = [(finish.by + step) % seats for step in range(1, seats + 1)]
        passes = [Pass(seat, finish.fresh[seat], finish.by) for seat in turns]
        return self.settled(match, finish, "manguno", finish.by, passes=passes)

    def out(self, after: Position, seat: int, move: Move) -> tuple[str, int | None]:
        assert move.tile and after.before
        ends = after.before.open()
        return last_tile(move.tile, (ends["left"], ends["right"])), seat

    def blocked(self, after: Position) -> tuple[str, int | None]:
        return "manguno", after.last

    def parts_of(self, position: Position) -> dict[str, Any]:
        parts: dict[str, Any] = {"passes": self.fields[0].write(list(position.notes))}
        return parts | ({"hands": texts(position.hands)} if position.ended == "manguno" else {})

    def prospects(self, rules: Mapping[str, Any], totals: Sequence[int], rounds: int, out: int) -> list[float]:
        """D9: becoming camat is winning; before that, the fewer stones the better."""
        if out >= 0 and sum(totals) == STONES and not totals[out]:
            return [float(seat == out) for seat in range(len(totals))]
        lasting = 0.83 + 0.004 * (STONES - sum(totals))  # the fewer stones the table has, the dearer one's own are
        found = [1.0] * len(totals)
        for seat, stones in enumerate(totals):
            for _ in range(stones):
                found[seat] *= lasting
        if out >= 0:
            found[out] *= LEADS
        return shares(found)

    def swift_points(self, state: State) -> list[int]:
        """D3-D7 on plain numbers: who receives how many stones, and who pays what the table cannot."""
        seats = len(state.hands)
        gifts: list[Gift] = [(seat, 2 if bunge else 1, (last,)) for seat, bunge, last in state.passes]
        if state.by >= 0:
            ending = last_tile(*state.going_out())
            gifts.append(((state.by - 1) % seats, AWARDS[ending], (state.by,)))
        else:
            if not state.table.rules["closing_passes"]:
                gifts = gifts[:-seats]
            gifts.append(manguno_gift(state.last, state.pips()))
        return give_all(list(state.totals), gifts)

    def begin(self, match: Match) -> DomengRunning:
        running = DomengRunning(**vars(super().begin(match)), camats=[0] * len(match.players))
        if match.start and match.start.camat is not None:
            running.camat = match.start.camat
            if match.first_opener is None:
                self.set_opener(running, running.camat, "camat_opens", "D10")
        return running

    def going_out(self, tile: Tile, ends: tuple[int, int]) -> str:
        return last_tile(tile, ends)

    def score_unfinished(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        self._score_passes(match, running, round_.fields.get("passes", []), verdict)

    def _score_passes(self, match: Match, running: Running, passes: list[Pass], verdict: Verdict) -> None:
        for place, (seat, bunge, after) in enumerate(passes):
            step = ({"rule": "D3", "step": "passebunge", "seat": seat, "wanted": 2} if bunge
                    else {"rule": "D3", "step": "pass", "seat": seat, "wanted": 1})
            if self._give(running, verdict, step, () if after is None else (after,)) and after is None:
                verdict.setdefault("needs", {"after": []})["after"].append(place)
                verdict["why"][-1]["waits"] = True

    def _give(self, running: Running, verdict: Verdict, step: dict[str, Any], payers: Sequence[int]) -> int:
        """D2: `step["wanted"]` stones go to `step["seat"]`, from the table, then from each payer.

        Returned is how many lapsed.
        """
        receiver, missing = step["seat"], step["wanted"]
        held, points = running.totals, verdict["points"]
        paid = min(missing, STONES - sum(held))
        step["paid"] = [{"from": None, "stones": paid}] if paid else []
        held[receiver] += paid
        points[receiver] += paid
        missing -= paid
        if missing:
            for payer in payers:
                paid = min(missing, held[payer])
                if not paid or payer == receiver:
                    continue
                step["paid"].append({"from": payer, "stones": paid})
                held[payer] -= paid
                points[payer] -= paid
                held[receiver] += paid
                points[receiver] += paid
                missing -= paid
        step["lapsed"] = missing
        verdict["why"].append(step)
        return int(missing)

    def score_round(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        assert isinstance(running, DomengRunning) and round_.by is not None and round_.ended is not None
        passes = round_.fields["passes"]
        if round_.ended == "manguno" and not match.rules["closing_passes"]:
            passes = without_closing(passes, round_.by, len(match.players))
        self._score_passes(match, running, passes, verdict)
        if round_.ended == "manguno":
            return self._score_manguno(match, running, round_, verdict)
        step = {"rule": "D4", "step": round_.ended, "seat": self._cucuq(match, round_.by), "by": round_.by,
                "wanted": AWARDS[round_.ended]}
        self._give(running, verdict, step, [round_.by])
        self.won(match, verdict, round_.by, round_.ended)
        self._elect(running, round_.by, verdict)
        return None

    def _cucuq(self, match: Match, seat: int) -> int:
        return (seat - 1) % len(match.players)

    def _score_manguno(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        manguno, seats = round_.by, len(match.players)
        assert manguno is not None
        pips = pips_of(round_.fields["hands"])
        in_turn = [(manguno + step) % seats for step in range(1, seats)]
        mattikkeng = [seat for seat in in_turn if pips[seat] <= pips[manguno]]
        mattikkeng.sort(key=lambda seat: pips[seat])  # stable: of equals the first in turn order
        verdict["why"].append({"rule": "D5", "step": "manguno", "seat": manguno, "pips": pips,
                               "mattikkeng": mattikkeng})
        if not mattikkeng:
            step = {"rule": "D6", "step": "no_mattikkeng", "seat": self._cucuq(match, manguno),
                    "by": manguno, "wanted": 1}
            self._give(running, verdict, step, [manguno])
            return self.won(match, verdict, manguno, "manguno")
        lower = len(mattikkeng) == 1 and pips[mattikkeng[0]] < pips[manguno]
        step = {"rule": "D7", "step": "one_lower" if lower else "equal_or_several", "seat": manguno,
                "mattikkeng": mattikkeng, "wanted": 5 if lower else 1}
        self._give(running, verdict, step, mattikkeng)
        verdict["why"].append({"rule": "D7", "step": "mattikkeng_wins", "seat": mattikkeng[0],
                               "pips": pips[mattikkeng[0]], "of": len(mattikkeng)})
        return self.won(match, verdict, mattikkeng[0], "mattikkeng")

    def _elect(self, running: DomengRunning, seat: int, verdict: Verdict) -> None:
        """D9: a first cappu without stones at an empty table becomes camat; all stones go back."""
        if sum(running.totals) < STONES or running.totals[seat] or verdict.get("needs"):
            return
        running.camat = verdict["camat"] = seat
        running.camats[seat] += 1
        running.totals[:] = [0] * len(running.totals)
        verdict["why"].append({"rule": "D9", "step": "camat", "seat": seat, "times": running.camats[seat]})

    def next_opener(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        assert isinstance(running, DomengRunning)
        if running.camat is not None:
            self.set_opener(running, running.camat, "camat_opens", "D10")
        else:
            self.set_opener(running, verdict["winner_seat"], "winner_leads")

    def decide(self, match: Match, running: Running, verdict: Verdict) -> None:
        assert isinstance(running, DomengRunning)
        seat, wanted = verdict.get("camat"), match.rules["camats"]
        if seat is not None and wanted and running.camats[seat] >= wanted:
            running.finished, running.winners = True, [seat]
            verdict["why"].append({"rule": "D11", "step": "camats_reached", "seat": seat, "times": wanted})

    def tally_extras(self, match: Match, running: Running) -> dict[str, Any]:
        assert isinstance(running, DomengRunning)
        return {"table": STONES - sum(running.totals), "camat": running.camat, "camats": running.camats}

    def progress(self, match: Match, tally: Any) -> dict[str, Any]:
        return {"kind": "stones", "stones": STONES, "table": tally["table"], "camat": tally["camat"],
                "camats": tally["camats"], "of": match.rules["camats"]}


def without_closing(passes: list[Pass], manguno: int, seats: int) -> list[Pass]:
    """The passes before the closing ones: the full turn after the manguno's play (D8)."""
    turn, last = [(manguno + step) % seats for step in range(1, seats + 1)], passes[-seats:]
    closing = [one.seat for one in last] == turn and all(one.after in (None, manguno) for one in last)
    return passes[:-seats] if closing else passes


Gift = tuple[int, int, tuple[int, ...]]  # stones: to whom, how many, who pays what the table cannot


def manguno_gift(manguno: int, pips: list[int]) -> Gift:
    """The award of a manguno round (D5-D7)."""
    seats = len(pips)
    in_turn = [(manguno + step) % seats for step in range(1, seats)]
    mattikkeng = sorted([seat for seat in in_turn if pips[seat] <= pips[manguno]], key=pips.__getitem__)
    if not mattikkeng:
        return in_turn[-1], 1, (manguno,)
    lower = len(mattikkeng) == 1 and pips[mattikkeng[0]] < pips[manguno]
    return manguno, 5 if lower else 1, tuple(mattikkeng)


def give_all(held: list[int], gifts: list[Gift]) -> list[int]:
    """The change in each seat's stones when these gifts are given in order (D2)."""
    before, table = held[:], STONES - sum(held)
    for receiver, missing, payers in gifts:
        paid = min(missing, table)
        table -= paid
        held[receiver] += paid
        missing -= paid
        for payer in payers if missing else ():
            if payer != receiver and payer >= 0:
                paid = min(missing, held[payer])
                held[payer] -= paid
                held[receiver] += paid
                missing -= paid
    return [after - start for after, start in zip(held, before, strict=True)]


def last_tile(tile: Tile, ends: tuple[int, int]) -> str:
    """How going out with `tile` on these open ends counts: cappu, ceki or pollo (D4)."""
    if tile.double and ends == (tile.low, tile.low):
        return "pollo"
    if not tile.double and {tile.low, tile.high} == set(ends):
        return "ceki"
    return "cappu"
