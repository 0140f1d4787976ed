"""A finished round reviewed: what every move of the human's cost, with all hands known.

Compared with playing and scoring the same round. The seconds are those of the processor, which other work on the
machine does not lengthen. The shares are of the moves that had an alternative: exact with every side playing its best
for itself, exact at least with all others against the human's, and estimated.
"""

from __future__ import annotations

from collections import Counter
from time import process_time

from bench import Row
from scorekeeper.core.arena import bot_move
from scorekeeper.core.engine import session as sessions
from scorekeeper.core.engine.solver import WAYS
from scorekeeper.core.review import review
from scorekeeper.core.tally import tally
from tests.core.tables import TABLES

ROUNDS = {"block": 30, "gaple": 10, "gaple-six": 10, "gaple-five": 10, "pontas": 10, "domeng": 10}
PLAYS_AS = "normal"  # the human's moves


def bench() -> list[Row]:
    """Median and 95th percentile of a round's seconds, and the shares."""
    rows = []
    for table, rounds in ROUNDS.items():
        ways: Counter[str] = Counter()
        times, playing = [], 0.0
        for seed in range(rounds):
            started = process_time()
            session = played(table, seed)
            playing += process_time() - started
            started = process_time()
            found = review(session, 0)
            times.append(process_time() - started)
            ways += Counter(each.solution.way for each in found.moves if each.solution)
        times.sort()
        alone = playing / rounds
        for name, place in (("median", 0.5), ("95 % within", 0.95)):
            taken = times[int(place * (rounds - 1) + 0.5)]
            rows.append(Row(f"{table} round reviewed, {name}", taken, "s of CPU", "playing it", taken / alone))
        rows += [Row(f"{table} moves valued by `{way}`", 100 * ways[way] / ways.total(), "%", "", None) for way in WAYS]
    return rows


def played(table: str, seed: int) -> sessions.Session:
    """A practice match whose first round is over."""
    variant, players, rules = TABLES[table]
    session = sessions.new(variant, rules, seed, ["human", *["expert"] * (players - 1)])
    while not (session := session.bot_turns()).position.ended:
        session = session.play(bot_move(session.position, PLAYS_AS, seed, tally(session.match)["totals"]))
    return session
