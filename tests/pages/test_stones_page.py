"""The table of stones as a page, in each of its states and languages."""

from __future__ import annotations

import re

import pytest

from scorekeeper.pages import entry, words
from scorekeeper.pages.page import render
from tests.pages.stones_table import AROUND, Table, finished, pips


@pytest.mark.parametrize("language", [*words.LANGUAGES, words.PSEUDO])
def test_every_state_has_its_page(language: str) -> None:
    fresh = Table()
    states = [
        fresh,
        Table().tap("pass:1"),
        Table(start=[5, 5, 5, 5, 5], camat=2),
        Table(start=[5, 5, 5, 5, 5]).tap("pass:2"),
        Table().tap("track"),
        Table(first_opener=1).tap("track"),
        Table(first_opener=1).tap("track", "play", "skip"),
        Table(first_opener=1).tap("track", "play", *["skip"] * 5),
        Table(rules={"closing_passes": False}).tap("byhand"),
    ]
    for table in states:
        page = table.page(language)
        assert page.count('class="place') == 5 and "style=" not in page and "onclick" not in page
    table = finished()
    assert table.page(language, table.ledger.rounds[0]).count('class="passrow') == 8 + 3


def test_stones_are_drawn_before_each_player_and_on_the_table() -> None:
    page = Table(start=[1, 2, 3, 4, 0]).page()
    held = re.findall(r'data-held="(\d+)"(.*?)(?=data-held|</form>)', page, re.DOTALL)
    assert [int(number) for number, _ in held] == [1, 2, 3, 4, 0, 15]
    assert all(part.count('class="stone"') == int(number) for number, part in held)


def test_camat_and_the_other_words_of_the_game_stay_and_are_explained() -> None:
    for language in words.LANGUAGES:
        page = Table(start=[5, 5, 5, 5, 5], camat=2).page(language)
        for word in ("passebunge", "First cappu", "Ceki", "Pollo", "Manguno", "mattikkeng", "cucuq", "camat"):
            assert word in page
    assert "the one who went out without a stone when the table was empty" in Table(start=[0] * 5, camat=2).page()


def test_undo_is_offered_for_a_tap_of_this_round_only() -> None:
    table = finished()
    assert 'value="enter"' not in table.page()
    assert 'value="enter"' in table.tap("pass:1").page()
    table.write({"type": "player_renamed", "seat": 0, "name": "Ana"})
    assert 'value="enter"' not in table.page()


def test_another_phone_was_faster_the_table_as_it_stands_is_shown() -> None:
    table = Table().tap("pass:1", "bunge:2")
    made = table.draft("pass:4")
    page = entry.entry_page("abc", table.ledger, made, "key", conflict=table.ledger.history[-1:])
    shown = render(page, "en", AROUND)
    assert page.status == 409 and "Another phone was faster" in shown and 'data-held="22"' in shown


def test_what_was_typed_for_the_end_survives_a_refusal() -> None:
    table = Table().tap("pass:1")
    made = table.draft("end", ended="manguno", by="2", **pips(5, 6, "", 8, 9))
    page = entry.entry_page("abc", table.ledger, made, "key")
    shown = render(page, "en", AROUND)
    assert page.status == 422 and 'name="hands-4" value="9"' in shown
    assert re.search(r'<option value="manguno"[^>]* selected', shown)
    assert "Citra: how many pips are left?" in shown
