"""Bots against bots: matches from consecutive seeds, who won, and how fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random
from typing import Any

from .bots import LEVELS, view_of
from .documents import Match
from .engine.game import begin, deal, finish, new_match
from .engine.position import Position
from .errors import Invalid
from .tally import tally

MOST_ROUNDS = 500
Z = 1.96


def bot_rng(seed: int, number: int, seat: int, turn: int) -> Random:
    """A bot's chance for one move: its own, so that no move depends on how the others were found."""
    return Random(f"bot {seed} {number} {seat} {turn}")


def bot_move(position: Position, level: str, seed: int, totals: Sequence[int]) -> Any:
    """The move of a bot of this level in its turn."""
    rng = bot_rng(seed, len(position.match.rounds), position.seat, len(position.moves))
    return LEVELS[level](view_of(position, tuple(totals)), rng)


def check_seats(variant_seats: int, seats: Sequence[str], *, human: bool = False) -> None:
    """Levels that exist, one for each seat. Raises `Invalid`."""
    known = [*LEVELS, *(["human"] if human else [])]
    if len(seats) != variant_seats:
        raise Invalid("seat_count", f"{len(seats)} levels for {variant_seats} seats", "seats")
    for seat, level in enumerate(seats):
        if level not in known:
            raise Invalid("unknown_level", f"a level is one of {', '.join(known)}", f"seats[{seat}]")


def play_match(variant: str, rules: Mapping[str, Any], seats: Sequence[str], seed: int) -> Match:
    """A whole match between bots. A match without an end of its own stops after 500 rounds."""
    match = new_match(variant, rules, [f"{level} {seat + 1}" for seat, level in enumerate(seats)])
    result = tally(match)
    while result["status"] != "finished" and len(match.rounds) < MOST_ROUNDS:
        position = begin(match, deal(match, seed))
        while not position.ended:
            position = position.play(bot_move(position, seats[position.seat], seed, result["totals"]))
        match = finish(position)
        result = tally(match)
    return match


def wilson(wins: int, matches: int) -> list[float]:
    """The 95 % interval of a win rate (Wilson's score)."""
    if not matches:
        return [0.0, 1.0]
    rate, size = wins / matches, Z * Z / matches
    middle, spread = (rate + size / 2) / (1 + size), Z * sqrt((rate * (1 - rate) + size / 4) / matches) / (1 + size)
    return [round(max(0.0, middle - spread), 4), round(min(1.0, middle + spread), 4)]
