"""The solver's values are those of the readable game: its points are the tally's, its best is brute force's."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.core.documents import Match, read
from scorekeeper.core.engine.game import begin, deal, finish
from scorekeeper.core.engine.known import Known, Points
from scorekeeper.core.engine.position import Position
from scorekeeper.core.engine.solver import UNSURE, Solver
from scorekeeper.core.tally import tally
from tests.core.tables import TABLES, open_match, positions

SMALL = 7  # tiles in hands for brute force to be quick
PARTNERS = {"format": "scorekeeper/1", "variant": "gaple", "players": ["A", "B", "C", "D"], "sides": [[0, 2], [1, 3]]}


def matches(table: str) -> list[Match]:
    """A fresh match and one in the middle of which other totals stand."""
    match = open_match(table)
    *_, last = positions(match, 99)
    return [match, finish(last)]


def scored(position: Position) -> Points:
    """What the tally gives each side for a finished round."""
    return tuple(tally(finish(position))["rounds"][-1]["points"])


def worth(points: Points, side: int, match: Match) -> float:
    """The solver's unit, in its own words: ahead of the others' mean."""
    others = [gained for place, gained in enumerate(points) if place != side]
    ahead = points[side] - sum(others) / len(others)
    return -ahead if match.variant.lowest_wins else ahead


def endings(table: str, rounds: int) -> list[Position]:
    """Positions with few tiles left and something to choose, one of a round."""
    found = []
    for match in matches(table):
        for seed in range(rounds):
            for position in positions(match, seed):
                if sum(map(len, position.hands)) <= SMALL and len(position.legal()) > 1:
                    found.append(position)
                    break
    return found


def brute(position: Position, side: int, against: bool) -> Points:
    """The points of the round played best from here, by trying everything in the readable layer."""
    match = position.match
    if position.ended:
        return scored(position)
    mover = match.side_of[position.seat]

    def liking(points: Points) -> Any:
        if against:
            mine = worth(points, side, match)
            return mine if mover == side else -mine
        return round(worth(points, mover, match), 6), round(-worth(points, side, match), 6), points

    return max((brute(position.play(move), side, against) for move in position.legal()), key=liking)


@pytest.mark.parametrize("table", TABLES)
def test_the_points_on_the_way_are_those_of_the_tally(table: str) -> None:
    for match in matches(table):
        for seed in range(15):
            *before, last = positions(match, seed)
            known = Known(before[-1])
            state, position, got = known.start, begin(match, deal(match, seed)), known.nothing
            for move in last.moves:
                points, after = known.child(state, position, move)
                assert (points, after) in known.children(state)
                assert len(known.children(state)) <= len(position.legal())
                got = tuple(map(int.__add__, got, points))
                position = position.play(move)
                if after is None:
                    break
                state = after
                assert known.state(position) == (got, state) and state[2] == position.seat
            assert got == scored(last)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("against", [False, True])
def test_small_endings_are_worth_what_brute_force_says(table: str, against: bool) -> None:
    for position in endings(table, 12):
        side = position.match.side_of[position.seat]
        solver = Solver(position, side)
        way = "against" if against and "against" in solver.ways else "each"
        found = solver.solve(position, nodes=10**6, ways=(way,))
        assert found.exact and found.way == way
        for each in found.moves:
            points = brute(position.play(each.move), side, against)
            assert each.value == pytest.approx(worth(points, side, position.match)), str(each.move)


def test_partners_play_for_their_side() -> None:
    match = read(PARTNERS)
    for seed in range(6):
        position = next(each for each in positions(match, seed) if sum(map(len, each.hands)) <= SMALL)
        if position.ended:
            continue
        found = Solver(position, 0).solve(position, nodes=10**6)
        for each in found.moves:
            assert each.value == pytest.approx(worth(brute(position.play(each.move), 0, True), 0, match))


@pytest.mark.parametrize("table", TABLES)
def test_a_value_is_backed_by_a_line_to_the_end_of_the_round(table: str) -> None:
    for position in endings(table, 8):
        side = position.match.side_of[position.seat]
        solver = Solver(position, side)
        for way in solver.ways:
            best = solver.solve(position, nodes=10**6, ways=(way,)).best
            end = solver.line(position, way)
            assert end.ended and end.moves[: len(position.moves)] == position.moves
            assert worth(scored(end), side, end.match) == pytest.approx(best.value)


@pytest.mark.parametrize("table", TABLES)
def test_what_is_over_budget_is_called_an_estimate_and_is_the_same_every_time(table: str) -> None:
    match = open_match(table)
    position = next(each for each in positions(match, 3) if len(each.legal()) > 1)
    side = match.side_of[position.seat]
    one, two = (Solver(position, side).solve(position, nodes=40) for _ in range(2))
    assert one == two and one.way == "ahead" and not one.exact
    assert [each.move for each in one.moves] == position.legal()


@pytest.mark.parametrize("table", ["block", "gaple", "gaple-pass", "pontas", "domeng"])
def test_who_looks_ahead_to_the_end_sees_what_is_exact(table: str) -> None:
    for position in endings(table, 4):
        solver = Solver(position, position.match.side_of[position.seat])
        exact, ahead = (solver.solve(position, nodes=10**6, ways=(way,)) for way in ("each", "ahead"))
        assert ahead.way == "ahead" and [each.value for each in ahead.moves] == [each.value for each in exact.moves]


def test_what_was_solved_before_does_not_change_a_value() -> None:
    for seed in range(4):
        asked = [each for each in positions(open_match("block"), seed) if len(each.legal()) > 1][-4:]
        shared = Solver(asked[0], 0)
        forward = [shared.solve(position, nodes=10**6).moves for position in asked]
        assert forward == [Solver(position, 0).solve(position, nodes=10**6).moves for position in asked]


def test_a_search_can_be_told_to_stop() -> None:
    position = next(each for each in positions(open_match("block"), 3) if len(each.legal()) > 1)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return True

    found = Solver(position, 0).solve(position, nodes=10**6, stop=stop)
    assert not found.exact and len(asked) == 3  # once in each search


def test_an_estimate_without_a_look_ahead_is_called_unsure() -> None:
    position = next(each for each in positions(open_match("block"), 3) if len(each.legal()) > 1)
    for nodes, unsure in ((2, True), (2000, False)):
        found = Solver(position, 0).solve(position, nodes=nodes)
        assert not found.exact and {each.error == UNSURE for each in found.moves} == {unsure}
