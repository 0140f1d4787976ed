"""Random rounds per second: the simulation layer against the readable layer and, where installed, other engines.

Peers, not needed by the app (`requirements-peers.in` says how to install them): PyPI's `dominoes` and OpenSpiel's
`python_team_dominoes`, both playing Block's 28 tiles among four with random legal moves, deal included. All take
turns in one run, in the processor's seconds; the best of each counts. A ratio is how many rounds the simulation layer
plays while the other plays one.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from bench import Row
from scorekeeper.core.engine import masks, playout
from scorekeeper.core.engine.game import begin, deal
from tests.core.tables import TABLES, open_match, positions

TURNS, SECONDS = 5, 0.4  # of each engine


def bench() -> list[Row]:
    """Rounds per second at each table and of each peer that is installed."""
    rows = []
    for table in TABLES:
        engines = {"simulation": simulated(table), "readable": readable(table)}
        if table == "block":
            engines |= {name: make() for name, make in PEERS.items() if find_spec(name)}
        found = speeds(engines)
        ours = found.pop("simulation")
        rows.append(Row(f"{table}, simulation layer", ours, "rounds/s"))
        rows += [Row(f"{table}, {name}", speed, "rounds/s", "simulation layer", ours / speed)
                 for name, speed in found.items()]
    return rows


def speeds(engines: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Calls per second of each, in turns, so that what slows the machine slows all."""
    found = dict.fromkeys(engines, 0.0)
    for play in engines.values():
        for _ in range(20):
            play()
    for _ in range(TURNS):
        for name, play in engines.items():
            found[name] = max(found[name], speed(play))
    return found


def speed(play: Callable[[], Any]) -> float:
    """Calls per second of the processor's time."""
    calls, started = 0, time.process_time()
    while (taken := time.process_time() - started) < SECONDS:
        for _ in range(10):
            play()
        calls += 10
    return calls / taken


def simulated(table: str) -> Callable[[], Any]:
    """Random rounds of the simulation layer, dealt, played and scored."""
    match, rng = open_match(table), random.Random(1)
    seats = len(match.players)
    laid = masks.table_of(match, begin(match, deal(match, 1)).layout)
    dealer, draws = playout.Dealer(laid, seats, match.variant.tiles_dealt(match), rng), playout.draws_of(rng)
    kinds = [playout.RANDOM] * seats

    def play() -> list[int]:
        return playout.play_out(dealer.deal(0), kinds, draws).sides

    return play


def readable(table: str) -> Callable[[], Any]:
    """Random rounds of the readable layer, dealt and played."""
    match, seeds = open_match(table), iter(range(10**9))

    def play() -> Any:
        *_, last = positions(match, next(seeds))
        return last

    return play


def pypi_dominoes() -> Callable[[], Any]:
    """Random games of PyPI's `dominoes`."""
    game = importlib.import_module("dominoes").Game

    def play() -> Any:
        found = game.new()
        while found.result is None:
            found.make_move(*random.choice(found.valid_moves))
        return found

    return play


def open_spiel() -> Callable[[], Any]:
    """Random games of OpenSpiel's `python_team_dominoes`."""
    importlib.import_module("open_spiel.python.games.team_dominoes")
    game = importlib.import_module("pyspiel").load_game("python_team_dominoes")

    def play() -> Any:
        state = game.new_initial_state()
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(random.choice([each for each, _ in state.chance_outcomes()] if chance
                                             else state.legal_actions()))
        return state

    return play


PEERS: dict[str, Callable[[], Callable[[], Any]]] = {"dominoes": pypi_dominoes, "open_spiel": open_spiel}
