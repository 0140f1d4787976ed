"""The practice record, `scorekeeper-practice/1`: a seed and the human's moves; the rest is played again from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .. import documents
from ..arena import MOST_ROUNDS, bot_move, check_seats
from ..documents import Match
from ..errors import Invalid, wrong_type
from ..options import read_rules
from ..tally import tally
from ..variants import find
from . import moves
from .game import Deal, begin, deal, finish, new_match
from .position import Position

FORMAT = "scorekeeper-practice/1"
ENGINE = 1  # raised whenever the same seed would play differently
HUMAN = "human"
KEYS = {"format", "engine", "variant", "rules", "seed", "seats", "moves"}
MOST_MOVES = 20_000
LONGEST_MOVE = 24  # signs


@dataclass(frozen=True)
class Record:
    """A record, checked. `seats`: `human` or a level for each seat; `moves`: the human's, in text form."""

    variant: str
    rules: dict[str, Any]
    seed: int
    seats: tuple[str, ...]
    moves: tuple[str, ...]


@dataclass
class Played:
    """One round as it was played again: its deal and every turn, `[seat, move]`."""

    deal: Deal
    turns: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Replay:
    """A record played again: its rounds, the match with those that ended, and the position it waits in, if any."""

    match: Match
    rounds: list[Played]
    waiting: Position | None


def read(raw: Any) -> Record:
    """A record from its JSON form. Raises `Invalid` with a code and a place."""
    if type(raw) is not dict:
        raise wrong_type("a practice record, a JSON object")
    if raw.get("format") != FORMAT:
        raise Invalid("unknown_format", f"the format must be {FORMAT!r}", "format")
    for key in raw:
        if key not in KEYS:
            raise Invalid("unknown_field", f"a practice record has no {key!r:.40}", field=key[:40])
    if type(raw.get("engine")) is not int or raw["engine"] != ENGINE:
        raise Invalid("other_engine", f"this engine is number {ENGINE}", "engine")
    variant = find(raw.get("variant"))
    read_rules(variant.options, raw.get("rules", {}))
    if type(raw.get("seed")) is not int or not 0 <= raw["seed"] < 2**63:
        raise wrong_type("a whole number from 0", "seed")
    seats, made = raw.get("seats"), raw.get("moves", [])
    if type(seats) is not list or not all(type(level) is str for level in seats):
        raise wrong_type("a list of levels", "seats")
    if len(seats) not in variant.seats:
        raise Invalid("seat_count", f"{variant.key} is not played by {len(seats)}", "seats")
    check_seats(len(seats), seats, human=True)
    if type(made) is not list or len(made) > MOST_MOVES or not all(type(move) is str for move in made):
        raise wrong_type("a list of moves in text form", "moves")
    for number, move in enumerate(made):
        if len(move) > LONGEST_MOVE:
            raise wrong_type("a move in text form", f"moves[{number}]")
    return Record(variant.key, raw.get("rules", {}), raw["seed"], tuple(seats), tuple(made))


def write(record: Record) -> dict[str, Any]:
    """The JSON form; the inverse of `read`."""
    return {"format": FORMAT, "engine": ENGINE, "variant": record.variant, "rules": record.rules, "seed": record.seed,
            "seats": list(record.seats), "moves": list(record.moves)}


def replay(record: Record) -> Replay:
    """Plays the record again, as far as its moves go. Raises `Invalid` at `moves[n]` for one that cannot be."""
    match = new_match(record.variant, record.rules, players_of(record.seats))
    made = iter(enumerate(record.moves))
    rounds: list[Played] = []
    while tally(match)["status"] != "finished" and len(match.rounds) < MOST_ROUNDS:
        rounds.append(Played(deal(match, record.seed)))
        position = _play_round(record, match, rounds[-1], made)
        if not position.ended:
            return Replay(match, rounds, position)
        match = finish(position)
    left = next(made, None)
    if left:
        raise Invalid("match_over", "the match is over before this move", f"moves[{left[0]}]")
    return Replay(match, rounds, None)


def _play_round(record: Record, match: Match, played: Played, made: Iterator[tuple[int, str]]) -> Position:
    """One round; unfinished where the human's moves run out."""
    position, totals = begin(match, played.deal), tally(match)["totals"]
    while not position.ended:
        seat, level = position.seat, record.seats[position.seat]
        if level == HUMAN:
            place, text = next(made, (None, ""))
            if place is None:
                break
            try:
                position = position.play(moves.parse(text))
            except Invalid as error:
                raise error.within(f"moves[{place}]") from None
        else:
            position = position.play(bot_move(position, level, record.seed, totals))
        played.turns.append((seat, str(position.moves[-1])))
    return position


def players_of(seats: tuple[str, ...]) -> list[str]:
    """Names for the seats: the level, and the seat's number to tell them apart."""
    return [f"{level} {seat + 1}" for seat, level in enumerate(seats)]


def told(done: Replay) -> dict[str, Any]:
    """What the command line prints of a replay: every deal and turn, the match document, and whose turn it is."""
    rounds = []
    for played in done.rounds:
        shown: dict[str, Any] = {"opener": played.deal.opener,
                                 "hands": [[tile.text for tile in hand] for hand in played.deal.hands]}
        if played.deal.set_tile:
            shown["set"] = played.deal.set_tile.text
        rounds.append({**shown, "turns": [[seat, move] for seat, move in played.turns]})
    waiting = done.waiting and {"seat": done.waiting.seat, "legal": [str(move) for move in done.waiting.legal()]}
    return {"rounds": rounds, "document": documents.write(done.match), "status": tally(done.match)["status"],
            "waiting": waiting}
