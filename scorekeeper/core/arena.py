"""Bots against bots: matches from consecutive seeds, who won, and how fast."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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


def play_match(variant: str, rules: Mapping[str, Any], seats: Sequence[str], seed: int,
               clock: Callable[[], float] = float, timed: Callable[[str, float], None] | None = None) -> Match:
    """A whole match between bots. A match without an end of its own stops after 500 rounds.

    `timed(level, started)` is told of each move, `started` being what `clock` said before it.
    """
    match = new_match(variant, rules, [f"{level} {seat + 1}" for seat, level in enumerate(seats)])
    result = tally(match)
    while result["status"] != "finished" and len(match.rounds) < MOST_ROUNDS:
        position = begin(match, deal(match, seed))
        while not position.ended:
            started, level = clock(), seats[position.seat]
            move = bot_move(position, level, seed, result["totals"])
            if timed:
                timed(level, started)
            position = position.play(move)
        match = finish(position)
        result = tally(match)
    return match


@dataclass
class Score:
    """What some matches came to: wins by seat (a joint win counts in parts), rounds, and times by level in ms."""

    wins: list[float]
    rounds: int = 0
    times: dict[str, list[float]] = field(default_factory=dict)

    def add(self, other: Score) -> None:
        """Takes in another score."""
        self.wins = [one + more for one, more in zip(self.wins, other.wins, strict=True)]
        self.rounds += other.rounds
        for level, times in other.times.items():
            self.times.setdefault(level, []).extend(times)


def score_match(variant: str, rules: Mapping[str, Any], seats: Sequence[str], seed: int,
                clock: Callable[[], float]) -> Score:
    """Plays one match and scores it."""
    score = Score([0.0] * len(seats))

    def timed(level: str, started: float) -> None:
        score.times.setdefault(level, []).append((clock() - started) * 1000)

    match = play_match(variant, rules, seats, seed, clock, timed)
    result = tally(match)
    for side in result["winners"]:
        for seat in match.sides[side]:
            score.wins[seat] += 1 / len(result["winners"])
    score.rounds = len(match.rounds)
    return score


def contest(variant: str, rules: Mapping[str, Any], seats: Sequence[str], matches: int, seed: int, *,
            workers: int = 1, clock: Callable[[], float], progress: Callable[[], None] | None = None) -> dict[str, Any]:
    """Matches from the seeds `seed`, `seed + 1`, …: wins by seat with 95 % intervals, rounds per second, ms per move.

    `clock` gives seconds and is only read for the speeds. Raises `Invalid` for a bad variant, rule or level.
    """
    match = new_match(variant, rules, [f"seat {seat}" for seat in range(len(seats))])
    check_seats(len(match.players), seats)
    if not 0 < matches <= 1_000_000:
        raise Invalid("bad_matches", "the number of matches is 1 to 1,000,000", "matches")
    started, total = clock(), Score([0.0] * len(seats))
    for score in _scores(workers, [(variant, rules, seats, seed + number, clock) for number in range(matches)]):
        total.add(score)
        if progress:
            progress()
    speeds = {level: _spread(times) for level, times in sorted(total.times.items())}
    return {"matches": matches, "wins": [round(won, 3) for won in total.wins],
            "interval95": [wilson(won, matches) for won in total.wins],
            "rounds_per_s": round(total.rounds / max(clock() - started, 1e-9), 1), "ms_per_move": speeds, "seed": seed}


def _scores(workers: int, jobs: list[tuple[Any, ...]]) -> Iterator[Score]:
    """The scores in the order of the seeds, whoever plays them."""
    if workers < 2:
        yield from (score_match(*job) for job in jobs)
        return
    from concurrent.futures import ProcessPoolExecutor  # a browser has no processes

    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(score_match, *zip(*jobs, strict=True), chunksize=4)


def _spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"median": round(ordered[len(ordered) // 2], 3), "p99": round(ordered[len(ordered) * 99 // 100], 3)}


def wilson(wins: float, matches: int) -> list[float]:
    """The 95 % interval of a win rate (Wilson's score)."""
    if not matches:
        return [0.0, 1.0]
    rate, size = wins / matches, Z * Z / matches
    middle, spread = (rate + size / 2) / (1 + size), Z * sqrt((rate * (1 - rate) + size / 4) / matches) / (1 + size)
    return [round(max(0.0, middle - spread), 4), round(min(1.0, middle + spread), 4)]
