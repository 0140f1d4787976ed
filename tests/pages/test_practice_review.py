"""The review's page: the dearest move first, the table as it was, the numbers in words, in parts or at once."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.core import review as reviews
from scorekeeper.core.engine import session as sessions
from scorekeeper.core.engine.session import Session
from scorekeeper.core.engine.solver import Solution, Valued
from scorekeeper.core.errors import Invalid
from scorekeeper.core.review import Effort, Judged
from scorekeeper.pages import practice, words
from scorekeeper.pages.page import Page, render
from scorekeeper.pages.practice_review import counts, decimal, review_page, review_step

LIGHT = Effort(nodes=400)
AROUND: dict[str, Any] = {"url_for": lambda endpoint, **_: f"/{endpoint}", "csrf_token": str, "theme": "",
                          "messages": []}
GAMES: dict[str, tuple[int, dict[str, Any]]] = {"block": (4, {}), "gaple": (5, {}), "pontas": (4, {}),
                                                "domeng": (5, {})}


def played(variant: str, seed: int) -> Session:
    """A match whose first round is over; the human always makes the last legal move."""
    seats, rules = GAMES[variant]
    session = sessions.new(variant, rules, seed, ["human", *["normal"] * (seats - 1)])
    while not (session := session.bot_turns()).position.ended:
        session = session.play(session.position.legal()[-1])
    return session


def shown(page: Page, language: str = "en") -> str:
    return re.sub(r"\s+", " ", render(page, language, AROUND))


@pytest.fixture(scope="module")
def block() -> tuple[Session, list[Judged]]:
    session = played("block", 8)
    return session, list(reviews.judge(session, 0, LIGHT))


@pytest.mark.parametrize("language", ["en", "id", words.PSEUDO])
@pytest.mark.parametrize("variant", GAMES)
def test_every_variants_review_is_drawn_in_every_language(variant: str, language: str) -> None:
    session = played(variant, 3)
    found = list(reviews.judge(session, 0, LIGHT))
    html = shown(review_page(session, found, 0, language, "over"), language)
    choices = [each for each in found if each.solution]
    assert choices and html.count("<details class=\"card\"") == len(choices)
    assert html.count("class=\"layout\"") == len(choices)
    assert 'id="practice"' in html and 'value="next"' in html and "style=" not in html


def test_the_dearest_move_comes_first_and_is_open(block: tuple[Session, list[Judged]]) -> None:
    session, found = block
    chosen = [each for each in found if each.solution]
    dear = [replace(each, cost=float(place), error=0.0) for place, each in enumerate(chosen)]
    page = review_page(session, dear, 0, "en", "over")
    shown_costs = [row["cost"] for row in page.context["rows"]]
    assert shown_costs == [str(cost) if cost else "" for cost in reversed(range(len(dear)))]
    html = shown(page)
    assert html.count(" open>") == 1 and html.index(" open>") < html.index("</details>")


def test_an_estimate_is_called_one_and_an_exact_value_too(block: tuple[Session, list[Judged]]) -> None:
    session, found = block
    chosen = next(each for each in found if each.solution and each.cost)
    assert chosen.solution
    for way, words_ in (("each", "if all play their best"), ("against", "all others play against you"),
                        ("ahead", "An estimate")):
        solution = replace(chosen.solution, way=way)
        html = shown(review_page(session, [replace(chosen, cost=4.0, error=0.5, solution=solution)], 0, "en", "over"))
        assert words_ in html and ("about" in html) == (way == "ahead")


def test_a_cost_within_chance_is_not_held_against_the_player(block: tuple[Session, list[Judged]]) -> None:
    session, found = block
    chosen = next(each for each in found if each.solution and each.cost)
    assert chosen.solution
    unsure = replace(chosen, cost=3.0, error=4.0, solution=replace(chosen.solution, way="ahead"))
    assert not counts(unsure) and counts(replace(unsure, error=1.0))
    html = shown(review_page(session, [unsure], 0, "en", "over"))
    assert "Nothing was clearly better." in html and "No move of yours was clearly a mistake." in html


def test_scarce_numbers_and_who_is_stuck_are_said_in_words(block: tuple[Session, list[Judged]]) -> None:
    session, found = block
    chosen = next(each for each in found if each.solution and each.cost)
    facts = replace(chosen.facts, seen=(0, 0, 0, 0, 0, 0, 6), scarce=(6,),
                    played=reviews.Left((1, 2), 0), best=reviews.Left((2, 6), 2))
    html = shown(review_page(session, [replace(chosen, facts=facts, cost=4.0, error=0.0)], 0, "en", "over"))
    assert "The 6 was scarce: 6 of its 7 tiles were in sight." in html
    assert f"{chosen.best.tile} leaves it open, your move does not." in html
    assert f"After {chosen.best.tile} nothing fits for: West, North." in html


def test_a_tile_that_comes_to_the_same_on_both_ends_is_weighed_once(block: tuple[Session, list[Judged]]) -> None:
    session, found = block
    chosen = next(each for each in found if each.solution and each.before.layout.tiles)
    legal = chosen.before.legal()
    solution = Solution(tuple(Valued(move, 1.0) for move in legal), "each", 0)
    page = review_page(session, [replace(chosen, solution=solution, cost=0.0)], 0, "en", "over")
    weighed = page.context["rows"][0]["weighed"]
    assert len(weighed) == len({move.tile for move in legal}) and sum(one["played"] for one in weighed) == 1


def test_a_review_in_parts_comes_to_the_same_page_as_at_once() -> None:
    session, request, seen = played("block", 8), {"found": "[]"}, []
    while True:
        page, told = review_step(session, {"found": json.loads(request["found"])}, "en", "over", LIGHT)
        request = {"found": json.dumps(told["found"])}
        seen.append(told["left"])
        if not told["left"]:
            break
        assert "Looking at your moves" in shown(page)
    at_once, nothing = review_step(session, {}, "en", "over", LIGHT)
    assert seen == sorted(set(seen), reverse=True) and len(seen) > 1 and nothing == {}
    assert shown(page) == shown(at_once)


def test_without_a_script_the_review_is_a_page_of_its_own_that_carries_the_match() -> None:
    session = played("domeng", 3)
    page, _ = review_step(session, {}, "en", "over", LIGHT)
    html = shown(practice.full_page(page, '{"a": 1}', 5))
    assert html.count('id="practice"') == 1 and 'class="practice review"' in html
    assert 'name="state" value="{&#34;a&#34;: 1}"' in html and 'value="show"' in html


def test_what_was_not_told_by_a_review_is_refused() -> None:
    session = played("block", 8)
    wrong: list[Any] = ["x", [{"turn": 400}], {}]
    for found in wrong:
        with pytest.raises(Invalid) as caught:
            review_step(session, {"found": found}, "en", "over")
        assert caught.value.code == "wrong_type" and caught.value.at.startswith("found")
    with pytest.raises(Invalid) as caught:
        review_step(session.next_round(), {}, "en", "bot")
    assert caught.value.code == "round_open"


def test_numbers_are_written_as_the_language_does() -> None:
    assert [decimal(number, "en") for number in (3.66, 4.0, -0.5)] == ["3.7", "4", "0.5"]
    assert decimal(3.66, "id") == "3,7"
