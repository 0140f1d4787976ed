"""Practice as pages: every step of a match, what the table shows and what it must not, and the choice of a match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from scorekeeper.core.bots import LEVELS
from scorekeeper.core.engine import session as sessions
from scorekeeper.core.engine.session import Session
from scorekeeper.core.errors import Invalid
from scorekeeper.core.tally import tally
from scorekeeper.core.variants import VARIANTS
from scorekeeper.pages import home, practice
from scorekeeper.pages.page import Page, render
from tests.core.tables import TABLES
from tests.pages.stones_table import AROUND

BUTTON = re.compile(r"<button [^>]*>")


def html(page: Page, language: str = "en") -> str:
    return render(page, language, AROUND)


def started(table: str, seed: int = 1, level: str = "easy") -> Session:
    variant, players, rules = TABLES[table]
    seats = ["human", *[level] * (players - 1)]
    return practice.step({"do": "start", "variant": variant, "rules": rules, "seed": seed, "seats": seats}).session


def asked(do: str, played: Session, **more: Any) -> practice.Step:
    return practice.step({"do": do, "state": sessions.write(played), **more})


def steps(table: str, seed: int, rounds: int = 1) -> Iterator[practice.Step]:
    """The steps of some rounds, the human at random among what the page offers."""
    rng = Random(seed)
    step = asked("show", started(table, seed))
    while True:
        yield step
        if step.turn == "bot":
            step = asked("bot", step.session)
        elif step.turn == "human":
            step = asked("play", step.session, move=rng.choice(offered(step.page)))
        elif step.turn == "over" and len(step.session.rounds) < rounds:
            step = asked("next", step.session)
        else:
            return


def offered(page: Page) -> list[str]:
    """The moves for which there is a button."""
    tags = BUTTON.findall(html(page))
    found = [re.search(r'name="move" value="([^"]+)"', tag) for tag in tags if "disabled" not in tag]
    return [each[1] for each in found if each]


def shown_tiles(text: str) -> set[str]:
    """The tiles that are drawn face up, from their spoken names."""
    return set(re.findall(r'role="img" aria-label="(\d-\d)"', text))


@pytest.mark.parametrize("table", TABLES)
def test_the_page_offers_every_legal_move_and_no_other(table: str) -> None:
    for step in steps(table, 1):
        position = step.session.position
        if step.turn != "human":
            assert step.turn in ("over", "finished") or offered(step.page) == []
            continue
        legal, found = {str(move) for move in position.legal()}, offered(step.page)
        assert set(found) <= legal and len(set(found)) == len(found)
        missing = {position.find(next(m for m in position.legal() if str(m) == text)) for text in legal - set(found)}
        for move in missing:  # an end that is like another, which is offered
            twin = next(m for m in position.legal() if m.tile == move.tile and str(m) in found)
            one, other = position.play(move).layout, position.play(twin).layout
            assert sorted(one.open().values()) == sorted(other.open().values())
            assert sorted(one.counts()) == sorted(other.counts())


@pytest.mark.parametrize("table", TABLES)
def test_no_hidden_tile_is_in_the_page(table: str) -> None:
    for step in steps(table, 2):
        position = step.session.position
        if position.ended:
            continue
        hidden = {tile.text for seat, hand in enumerate(position.hands) if seat for tile in hand}
        hidden |= {tile.text for given in position.discards[1:] for tile in given}
        text = html(step.page).split("</header>", 1)[1]  # the emblem there is no tile of the round
        assert not hidden & shown_tiles(text)
        assert not any(f'"{tile}"' in text or f"discard {tile}" in text for tile in hidden)


@pytest.mark.parametrize("table", TABLES)
def test_totals_counts_and_words_are_those_of_the_match(table: str) -> None:
    for step in steps(table, 3, rounds=2):
        context, session = step.page.context, step.session
        position = session.position
        assert [seat["count"] for seat in context["seats"]] == [len(hand) for hand in position.hands]
        totals = tally(session.match)["totals"]
        if position.ended:
            assert context["tally"]["totals"] == totals
            assert [seat["hand"] for seat in context["seats"]] == list(position.hands)
        text = html(step.page)
        for done in context["told_turns"]:
            assert context["players"][done["seat"]] in text
        if context["passes"] or context["gives"]:
            assert "Nothing fits" in text
        assert not re.search(r"\bNone\b", text)


def test_points_and_stones_count_while_the_round_is_played() -> None:
    gained = {"pontas": 0, "domeng": 0}
    for table in gained:
        for step in steps(table, 4):
            if step.turn == "over":
                continue
            plus = [sum(done["gained"]) for done in step.page.context["told_turns"]]
            gained[table] += sum(plus)
            live = sum(seat["total"] for seat in step.page.context["sides"])
            assert live >= gained[table] - 1e-9
    assert all(gained.values())


def test_a_round_over_shows_the_verdict_of_a_real_table() -> None:
    for table in TABLES:
        *_, last = steps(table, 5)
        text = html(last.page)
        verdict = tally(last.session.match)["rounds"][-1]
        (proof,) = re.findall(r'<ul class="why">(.*?)</ul>', text, re.DOTALL)
        assert proof.count("<li>") == len(verdict["why"])
        assert 'value="next"' in text or last.turn == "finished"


def test_a_finished_match_says_who_won_and_offers_another() -> None:
    *_, last = steps("pontas-four", 6, rounds=99)
    text = html(last.page)
    assert last.turn == "finished" and 'value="again"' in text and 'value="next"' not in text
    assert "win the match" in text and text.count('class="standing"') == 1
    answer = practice.answer({"do": "show", "state": sessions.write(last.session)}, html)
    assert answer["turn"] == "finished" and answer["record"]["seed"] == 6


@pytest.mark.parametrize("language", ["en", "id", "en-XA"])
@pytest.mark.parametrize("table", ["gaple-six", "gaple-pass", "pontas-house", "domeng"])
def test_every_state_can_be_shown_in_every_language(language: str, table: str) -> None:
    for step in steps(table, 7):
        assert 'id="practice"' in html(asked("show", step.session, language=language).page, language)


def test_a_tile_for_two_ends_asks_and_the_ends_light_up() -> None:
    for seed in range(40):
        for step in steps("block", seed):
            asking = [held for held in step.page.context["hand"] if held["asks"]]
            if not asking:
                continue
            tile = asking[0]["tile"].text
            text = html(step.page)
            assert f'name="pick" value="{tile}"' in text
            assert len(re.findall(rf'class="spot" data-tile="{tile}" hidden', text)) == len(asking[0]["moves"])
            picked = html(asked("show", step.session, pick=tile).page)
            assert not re.search(rf'class="spot" data-tile="{tile}" hidden', picked)
            assert 'aria-pressed="true"' in picked
            return
    raise AssertionError("no tile asked")


def test_a_hint_values_every_move_and_takes_the_match_out_of_the_ranking() -> None:
    for step in steps("block", 8):
        if step.turn == "human" and len(step.session.position.legal()) > 2:
            hint = asked("hint", step.session)
            assert set(hint.page.context["hints"]) == {str(move) for move in step.session.position.legal()}
            assert hint.session.helped and "unranked" in html(hint.page)
            assert html(hint.page).count('class="worth num top"') >= 1
            assert not asked("show", step.session).page.context["hints"]
            return
    raise AssertionError("no choice")


def test_a_step_answers_in_json() -> None:
    answer = practice.answer({"do": "start", "variant": "block", "seed": 1, "seats": ["human", *["easy"] * 3]}, html)
    assert set(answer) == {"state", "html", "turn"} and answer["state"]["rounds"] == [[]]
    assert practice.answer({"do": "jump"}, html)["error"]["code"] == "unknown_step"


FINE = {"variant": "block", "rules": {}, "seed": 1, "seats": ["human", "easy", "easy", "easy"], "rounds": [[]]}


@pytest.mark.parametrize(
    ("request_", "code", "at"),
    [
        ([], "wrong_type", ""),
        ({}, "unknown_step", "do"),
        ({"do": ["play"]}, "unknown_step", "do"),
        ({"do": "show"}, "wrong_type", "state"),
        ({"do": "show", "state": {**FINE, "seats": ["easy"] * 4}}, "not_alone", "state.seats"),
        ({"do": "show", "state": {**FINE, "seats": ["human"] * 4}}, "not_alone", "state.seats"),
        ({"do": "show", "state": {**FINE, "rounds": [["0-0"]]}}, "illegal_move", "state.rounds[0].moves[0]"),
        ({"do": "play", "state": FINE}, "wrong_type", "move"),
        ({"do": "next", "state": FINE}, "round_open", ""),
        ({"do": "undo", "state": FINE}, "nothing_to_undo", ""),
        ({"do": "review", "state": FINE}, "round_open", "rounds[0]"),
        ({"do": "start", "seed": 1, "form": 3}, "wrong_type", "form"),
        ({"do": "start", "variant": "block", "seats": ["human"] * 4, "seed": 1}, "not_alone", "seats"),
        ({"do": "start", "variant": "block", "seats": ["human"], "seed": 1}, "seat_count", "seats"),
        ({"do": "start", "form": {"variant": "block"}}, "wrong_type", "seed"),
        ({"do": "start", "seed": 1, "form": {"variant": "block", "rule-target": "0"}}, "bad_option", "rules.target"),
    ],
)
def test_a_bad_request_has_a_code_and_a_place(request_: Any, code: str, at: str) -> None:
    with pytest.raises(Invalid) as caught:
        practice.step(request_)
    assert (caught.value.code, caught.value.at) == (code, at)


# -- the choice ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_choice_as_it_stands_starts_a_match(variant: str) -> None:
    for seats in practice.Choice({"variant": variant}).tables:
        choice = practice.Choice({"variant": variant, "seats": str(seats)})
        asked_ = choice.asked()
        assert len(asked_["seats"]) == seats and asked_["seats"][0] == "human"
        fields = {f"rule-{option.name}": choice.rule(option) for option in choice.variant.options}
        form = {"variant": variant, "seats": str(seats), **fields}
        made = practice.step({"do": "start", "seed": 3, "form": form}).session
        assert {**made.match.rules, **made.table.rules} == made.match.rules
        assert f'value="{variant}"' in html(practice.choose_page(choice, "en"))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_match_that_ends_otherwise_is_said_to_be_unranked(variant: str) -> None:
    chosen = VARIANTS[variant]
    option = next(option for option in chosen.options if option.ends_match)
    forms = {"usual": {"variant": variant}, "other": {"variant": variant, f"rule-{option.name}": str(option.high)}}
    for name, form in forms.items():
        page = html(practice.choose_page(practice.Choice(form), "en"))
        assert ('id="unranked" role="status" hidden' in page) == (name == "usual")
        assert page.count("data-usual=") >= 1
        made = practice.step({"do": "start", "form": form, "seed": 1})
        assert ("unranked" in html(made.page), "data-other-length" in html(made.page)) == (name == "other",) * 2
    assert "data-usual" not in html(home.new_page(home.NewMatch(chosen, {}), [], "key"))


def test_the_end_of_a_match_that_ends_otherwise_says_it_again() -> None:
    *_, last = steps("pontas-four", 6, rounds=99)
    assert "does not count for the ranking" in html(last.page)
    assert "data-other-length" in html(asked("review", last.session).page)


def test_levels_may_be_mixed() -> None:
    form = {"variant": "domeng", "level": "mixed", "level-1": "expert", "level-3": "easy", "level-4": "nonsense"}
    assert practice.Choice(form).asked()["seats"] == ["human", "expert", "normal", "easy", "normal"]
    assert practice.Choice({"level": "expert"}).asked()["seats"] == ["human", *["expert"] * 3]
    assert practice.Choice({"level": "god"}).asked()["seats"] == ["human", *["normal"] * 3]


def test_every_level_has_a_name_and_a_hint() -> None:
    for level in LEVELS:
        assert level in practice.LEVEL_NAMES and level in practice.LEVEL_HINTS


def test_only_as_many_players_as_the_variant_is_played_by() -> None:
    assert practice.Choice({"variant": "block", "seats": "3"}).seats == 4
    assert practice.Choice({"variant": "gaple", "seats": "5"}).seats == 5
    assert practice.Choice({"variant": "no such"}).variant.key == next(iter(VARIANTS))


def test_a_page_without_a_match_says_so() -> None:
    text = html(practice.full_page(None))
    assert 'id="nothing"' in text and 'id="practice"' not in text
