"""A practice match under way: every move of every seat, round by round, so that going on asks no bot again.

In JSON: `{"variant": "block", "rules": {}, "seed": 7, "seats": ["human", "easy", …], "rounds": [["6-6", "pass"], …],
"helped": false}`. The last round may be unfinished. What counts for the ranking is the record made of it (`record`),
in which the bots are asked again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from ..arena import MOST_ROUNDS, bot_move
from ..documents import Match
from ..errors import Invalid, wrong_type
from ..tally import tally
from . import record as records
from .game import begin, deal, finish, new_match
from .moves import Move, parse
from .position import Position, replay
from .record import ENGINE, FORMAT, HUMAN, Record

KEYS = {"variant", "rules", "seed", "seats", "rounds", "helped"}


class _Played(NamedTuple):
    """What the rounds come to: the match of the finished ones, the last one as it stands, who opened each."""

    match: Match
    position: Position
    openers: tuple[int, ...]


@dataclass(frozen=True)
class Session:
    """A practice match after some moves. `rounds`: the moves of each round in text form; `helped`: whether a hint or
    an undo was used, which leaves the match out of the ranking."""

    table: Record
    rounds: tuple[tuple[str, ...], ...] = ((),)
    helped: bool = False

    @cached_property
    def _played(self) -> _Played:
        match = new_match(self.table.variant, self.table.rules, records.players_of(self.table.seats))
        openers: list[int] = []
        for number, moves in enumerate(self.rounds):
            try:
                position = replay(begin(match, deal(match, self.table.seed)), moves)
            except Invalid as error:
                raise error.within(f"rounds[{number}]") from None
            openers.append(position.opener)
            if position.ended:
                match = finish(position)
            elif number < len(self.rounds) - 1:
                raise Invalid("round_open", "a round before the last one is not finished", f"rounds[{number}]")
        return _Played(match, position, tuple(openers))

    @property
    def match(self) -> Match:
        """The match of all finished rounds, as the scoring modules read it."""
        return self._played.match

    @property
    def position(self) -> Position:
        """The round in play, or the last one once it is over."""
        return self._played.position

    @property
    def finished(self) -> bool:
        """Whether the match is decided, or as long as a practice match may be."""
        return tally(self.match)["status"] == "finished" or len(self.match.rounds) >= MOST_ROUNDS

    @property
    def human(self) -> bool:
        """Whether the round waits for a move of the human's."""
        return not self.position.ended and self.table.seats[self.position.seat] == HUMAN

    def play(self, move: Move | str) -> Session:
        """After a move of the human's. Raises `Invalid` for one that is not legal, or not theirs to make."""
        if self.position.ended:
            raise Invalid("round_over", "the round is over")
        if not self.human:
            raise Invalid("not_your_turn", f"it is seat {self.position.seat}'s turn", seat=self.position.seat)
        return self._after(self.position.find(parse(str(move))))

    def bot_turn(self) -> Session:
        """After the move of the bot whose turn it is. Raises `Invalid` where it is no bot's."""
        if self.position.ended or self.human:
            raise Invalid("not_your_turn", "no bot's turn")
        totals = tally(self.match)["totals"]
        return self._after(bot_move(self.position, self.table.seats[self.position.seat], self.table.seed, totals))

    def bot_turns(self) -> Session:
        """After all bots' moves until the human's turn or the end of the round."""
        session = self
        while not session.position.ended and not session.human:
            session = session.bot_turn()
        return session

    def _after(self, move: Move) -> Session:
        match, position, openers = self._played
        moves, position = (*self.rounds[-1], str(move)), position.play(move)
        played = _Played(finish(position) if position.ended else match, position, openers)
        return self._with((*self.rounds[:-1], moves), played)

    def _with(self, rounds: tuple[tuple[str, ...], ...], played: _Played) -> Session:
        """With other rounds, played already: what went before is not played again for one move."""
        after = replace(self, rounds=rounds)
        vars(after)["_played"] = played
        return after

    def next_round(self) -> Session:
        """With the next round dealt. Raises `Invalid` where this one goes on or the match is over."""
        if not self.position.ended:
            raise Invalid("round_open", "the round is not finished")
        if self.finished:
            raise Invalid("match_over", "the match is over")
        match, _, openers = self._played
        position = begin(match, deal(match, self.table.seed))
        return self._with((*self.rounds, ()), _Played(match, position, (*openers, position.opener)))

    def undo(self) -> Session:
        """Back before the human's last move of this round. Raises `Invalid("nothing_to_undo")`."""
        turns = list(self.turns())
        mine = [place for place, (seat, _) in enumerate(turns) if self.table.seats[seat] == HUMAN]
        if not mine:
            raise Invalid("nothing_to_undo", "no move of yours in this round")
        return replace(self, rounds=(*self.rounds[:-1], self.rounds[-1][: mine[-1]]), helped=True)

    def with_help(self) -> Session:
        """The same, out of the ranking."""
        return replace(self, helped=True)

    def turns(self) -> Iterator[tuple[int, str]]:
        """The moves of the round in play with the seat of each."""
        yield from self._turns(len(self.rounds) - 1)

    def _turns(self, number: int) -> Iterator[tuple[int, str]]:
        opener, seats = self._played.openers[number], len(self.table.seats)
        yield from (((opener + turn) % seats, text) for turn, text in enumerate(self.rounds[number]))

    def record(self) -> dict[str, Any]:
        """The practice record in its JSON form: the seed and the human's moves."""
        made = [text for number in range(len(self.rounds)) for seat, text in self._turns(number)
                if self.table.seats[seat] == HUMAN]
        return records.write(replace(self.table, moves=tuple(made)))


def new(variant: str, rules: dict[str, Any], seed: int, seats: list[str]) -> Session:
    """A match with its first round dealt. Raises `Invalid`."""
    raw = {"format": FORMAT, "engine": ENGINE, "variant": variant, "rules": rules, "seed": seed, "seats": seats}
    return Session(records.read(raw))


def read(raw: Any) -> Session:
    """A session from its JSON form, every move checked. Raises `Invalid` with a code and a place."""
    if type(raw) is not dict:
        raise wrong_type("a practice match, a JSON object")
    for key in raw:
        if key not in KEYS:
            raise Invalid("unknown_field", f"a practice match has no {key!r:.40}", field=key[:40])
    rounds, helped = raw.get("rounds"), raw.get("helped", False)
    if type(rounds) is not list or not 0 < len(rounds) <= MOST_ROUNDS or any(type(one) is not list for one in rounds):
        raise wrong_type("a list of rounds, each a list of moves", "rounds")
    if type(helped) is not bool:
        raise wrong_type("true or false", "helped")
    started = new(raw.get("variant"), raw.get("rules", {}), raw.get("seed"), raw.get("seats"))  # type: ignore[arg-type]
    session = replace(started, rounds=tuple(tuple(one) for one in rounds), helped=helped)
    result = tally(session.match)
    beyond = [number for number, verdict in enumerate(result["rounds"]) if verdict.get("after_end")]
    if result["status"] == "finished" and not session.position.ended:
        beyond.append(len(rounds) - 1)
    if beyond:
        raise Invalid("match_over", "the match is over before this round", f"rounds[{beyond[0]}]")
    return session


def write(session: Session) -> dict[str, Any]:
    """The JSON form; the inverse of `read`."""
    table = session.table
    return {"variant": table.variant, "rules": table.rules, "seed": table.seed, "seats": list(table.seats),
            "rounds": [list(moves) for moves in session.rounds], "helped": session.helped}
