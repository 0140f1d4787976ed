"""`legal` agrees with OpenSpiel's python_team_dominoes on positions of Block.

Needs OpenSpiel, which the app does not: `pip install -r requirements-peers.in`. Without it this is skipped.
OpenSpiel deals 28 tiles to four players and passes over who cannot play, which is followed here move by move.
"""

from __future__ import annotations

import importlib
import os
from random import Random
from typing import Any

import pytest

from scorekeeper.core import tiles
from scorekeeper.core.engine import position_json
from scorekeeper.core.engine.moves import PASS, Move
from scorekeeper.core.engine.position import Position, start
from tests.core.tables import open_match

POSITIONS = int(os.environ.get("SCOREKEEPER_POSITIONS", "2000"))  # 100000 for a long look


@pytest.fixture
def game() -> Any:
    """OpenSpiel's game."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install -r requirements-peers.in")
    importlib.import_module("open_spiel.python.games.team_dominoes")  # registers it
    return pyspiel.load_game("python_team_dominoes")


def dealt(game: Any, rng: Random) -> tuple[Any, Position]:
    """The same deal in both engines, led by seat 0."""
    state = game.new_initial_state()
    hands: list[list[tiles.Tile]] = [[], [], [], []]
    for number, index in enumerate(rng.sample(range(len(tiles.SET)), len(tiles.SET))):
        state.apply_action(index)  # its deck is in the order of `tiles.SET`
        hands[number % 4].append(tiles.SET[index])
    return state, start(open_match("block"), 0, hands)


def theirs(state: Any) -> dict[tuple[str, int | None], int]:
    """The legal actions by tile and the number it is set against (None: a lead)."""
    found = {}
    for action in state.legal_actions():
        told = state.action_to_string(action)  # "p0 tile:(0.0, 6.0) pip:6.0"
        halves, _, pip = told.partition("tile:(")[2].partition(") pip:")
        one, other = (int(float(half)) for half in halves.split(","))
        found[tiles.of(one, other).text, None if pip == "None" else int(float(pip))] = action
    return found


def ours(position: Position) -> dict[tuple[str, int | None], Move]:
    """The legal moves in the same terms, as the command line's `legal` gives them."""
    answer = position_json.answer({"variant": "block", "opener": 0, "hands": position_hands(position),
                                   "moves": [str(move) for move in position.moves]})
    assert answer["seat"] == position.seat
    open_numbers, found = position.layout.open(), {}
    for move in position.legal():
        assert str(move) in answer["legal"]
        if move.tile:
            found[move.tile.text, open_numbers.get(move.side)] = move
    return found


def position_hands(position: Position) -> list[list[str]]:
    """The hands as they were dealt."""
    hands = [[tile.text for tile in hand] for hand in position.hands]
    for turn, move in enumerate(position.moves):
        if move.tile:
            hands[turn % 4].append(move.tile.text)
    return hands


def test_legal_agrees_with_openspiel(game: Any) -> None:
    rng, seen = Random(1), 0
    while seen < POSITIONS:
        state, position = dealt(game, rng)
        while not state.is_terminal():
            while position.seat != state.current_player():
                assert position.legal() == [PASS]
                position, seen = position.play(PASS), seen + 1
            legal, others = ours(position), theirs(state)
            assert legal.keys() == others.keys()
            seen += 1
            chosen = rng.choice(sorted(legal, key=str))
            position = position.play(legal[chosen])
            state.apply_action(others[chosen])
        while not position.ended:
            assert position.legal() == [PASS]
            position, seen = position.play(PASS), seen + 1
        assert position.ended == ("domino" if any(not hand for hand in position.hands) else "blocked")
