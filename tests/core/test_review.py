"""A review says what each move of the human's cost, and what they could have counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.core import review as reviews
from scorekeeper.core import tiles
from scorekeeper.core.engine import session as sessions
from scorekeeper.core.engine.moves import Move, parse
from scorekeeper.core.engine.position import Position, replay, start
from scorekeeper.core.engine.session import Session
from scorekeeper.core.engine.solver import Solver
from scorekeeper.core.errors import Invalid
from scorekeeper.core.review import Effort, Judged
from tests.core.tables import TABLES, open_match

LIGHT = Effort(nodes=300)


def played(table: str, seed: int, rounds: int = 1) -> Session:
    """A practice match after some rounds, the human always making the first legal move."""
    variant, players, rules = TABLES[table]
    session = sessions.new(variant, rules, seed, ["human", *["normal"] * (players - 1)])
    for number in range(rounds):
        session = session.next_round() if number else session
        while not (session := session.bot_turns()).position.ended:
            session = session.play(session.position.legal()[0])
    return session


@pytest.fixture(scope="module", params=["block", "gaple-six", "pontas", "domeng"])
def reviewed(request: pytest.FixtureRequest) -> Iterator[tuple[Session, reviews.Review]]:
    session = played(request.param, 5, 2)
    yield session, reviews.review(session, 1, LIGHT)


def test_every_move_of_the_humans_is_judged_and_no_other(reviewed: tuple[Session, reviews.Review]) -> None:
    session, found = reviewed
    assert [(each.turn, str(each.move)) for each in found.moves] == [
        (turn, text) for turn, (seat, text) in enumerate(session.turns()) if seat == 0]
    assert {each.turn for each in found.worst_first} == {
        each.turn for each in found.moves if len(each.before.legal()) > 1}


def test_a_cost_is_the_best_value_less_the_moves(reviewed: tuple[Session, reviews.Review]) -> None:
    _, found = reviewed
    for each in found.moves:
        if each.solution is None:
            assert (each.cost, each.error, each.best, each.exact) == (0, 0, each.move, True)
            continue
        values = {valued.move: valued.value for valued in each.solution.moves}
        assert list(values) == each.before.legal()
        assert each.cost == max(values.values()) - values[each.move] == values[each.best] - values[each.move]
    costs = [each.cost for each in found.worst_first]
    assert costs == sorted(costs, reverse=True)


def test_a_late_move_costs_what_a_solver_of_its_own_says() -> None:
    found = reviews.review(played("block", 5), 0)
    assert any(each.solution and each.exact for each in found.moves)
    for each in found.moves:
        if each.solution and each.solution.way == "each":
            assert each.solution.moves == Solver(each.before, 0).solve(each.before, nodes=10**6).moves


def test_a_review_can_be_had_move_by_move_and_is_the_same() -> None:
    session = played("domeng", 5)
    parts = reviews.judge(session, 0, LIGHT)
    first = next(parts)
    whole = reviews.gathered(0, iter([first, *parts]))
    assert whole == reviews.review(session, 0, LIGHT) and whole.moves[-1] == first


@pytest.mark.parametrize("table", ["block", "gaple", "pontas"])
def test_a_review_goes_on_elsewhere_from_what_was_written(table: str) -> None:
    session, found = played(table, 5), "[]"
    for _ in range(30):
        known = reviews.read(json.loads(found), session, 0)
        more = next(reviews.judge(session, 0, LIGHT, known), None)
        if not more:
            break
        found = json.dumps(reviews.write([*known, more]))
    whole = reviews.review(session, 0, LIGHT)
    assert [(each.turn, each.cost, each.best, each.facts) for each in reviews.gathered(0, iter(known)).moves] == [
        (each.turn, each.cost, each.best, each.facts) for each in whole.moves]


@pytest.mark.parametrize(("change", "at"), [
    ({"turn": 99}, "[0]"), ({"turn": "x"}, "[0]"), ({"way": "guess"}, "[0]"), ({"values": [[0, 0]]}, "[0]"),
    ({"values": None}, "[0]"), ({"way": None}, "[0]"), ({"values": [[1e9, 0], [0, 0], [0, 0]]}, "[0]"),
])
def test_what_is_not_of_this_round_is_refused(change: dict[str, Any], at: str) -> None:
    session = played("block", 5)
    right = reviews.write([next(each for each in reviews.judge(session, 0, LIGHT) if each.solution)])[0]
    assert reviews.read([right], session, 0)
    for raw, where in (([{**right, **change}], at), ("x", ""), ([right] * 9, ""), ([1], "[0]")):
        with pytest.raises(Invalid) as caught:
            reviews.read(raw, session, 0)
        assert (caught.value.code, caught.value.at) == ("wrong_type", where)


def test_an_earlier_round_is_reviewed_by_its_number() -> None:
    session = played("block", 5, 2)
    assert reviews.review(session, 0, LIGHT) == reviews.review(played("block", 5, 1), 0, LIGHT)


@pytest.mark.parametrize("number", [-1, 1, 7])
def test_a_round_that_is_not_finished_is_not_reviewed(number: int) -> None:
    session = played("block", 5)
    opened = session.next_round()
    with pytest.raises(Invalid) as caught:
        reviews.judge(opened, number)
    assert (caught.value.code, caught.value.at) == ("round_open", f"rounds[{number}]")


def seat_zero(hands: list[list[str]], moves: list[str]) -> Position:
    return replay(start(open_match("block"), 0, [[tiles.parse(text) for text in hand] for hand in hands]), moves)


def test_what_was_scarce_is_counted_from_the_table_and_ones_own_hand() -> None:
    hands = [["6-6", "0-6", "1-6", "2-6", "1-2"], ["3-6", "3-3"], ["4-4", "5-5"], ["0-0", "0-5"]]
    position = seat_zero(hands, ["6-6", "3-6@left", "pass", "pass"])
    facts = reviews.facts_of(position, parse("0-6"), parse("1-6"))
    assert facts.seen == (1, 2, 2, 1, 0, 0, 5)
    assert facts.scarce == (6,)
    assert facts.played.ends == (0, 3) and facts.best.ends == (1, 3)
    assert facts.played.stuck == 0
    assert reviews.facts_of(replace(position, seat=1), Move(tiles.parse("3-3"), "left"), parse("3-3")).seen[6] == 2


def test_who_has_nothing_that_fits_after_a_move_is_counted_in_turn() -> None:
    hands = [["6-6", "0-6", "1-2"], ["3-3", "3-4"], ["4-4", "5-5"], ["0-0", "0-5"]]
    position = seat_zero(hands, [])
    assert reviews.facts_of(position, parse("6-6"), parse("0-6")).played.stuck == 3
    assert reviews.facts_of(position, parse("6-6"), parse("0-6")).best.stuck == 2


def test_of_equally_good_moves_the_one_made_is_the_best() -> None:
    position = seat_zero([["1-2", "3-4"], ["5-5", "5-6"], ["5-4", "0-0"], ["0-5", "6-6"]], [])
    solution = Solver(position, 0).solve(position)
    values = [each.value for each in solution.moves]
    found: list[Judged] = [reviews.judged(position, each.move, solution) for each in solution.moves]
    assert [each.best == each.move for each in found] == [value == max(values) for value in values]
