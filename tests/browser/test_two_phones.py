"""Two browsers on one match at once: one wins, the other is shown what changed and loses nothing typed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.joining import REFUSED, deaf
from tests.browser.tables import agrees, start, true_tally


@pytest.fixture
def two(new_context: Callable[..., BrowserContext]) -> tuple[Page, Page, str]:
    """Two pages in contexts of their own, both the owner's, and a match with one round."""
    first = new_context().new_page()
    address = start(first, "block")
    answer(first, 0, 9, 14, 20)
    first.tap("#save")
    first.wait_for_url("**/m/*")
    second = deaf(new_context(storage_state=first.context.storage_state())).new_page()
    return first, second, address


def answer(page: Page, winner: int, *pips: int) -> None:
    """From the table screen to a round that only wants saving."""
    page.tap("a.go")
    page.tap(f"[data-seat='{winner}']")
    for number in pips:
        page.tap(f"#grid [data-n='{number}']")
    expect(page.locator("#preview [data-ok]")).to_be_visible()


def correct(page: Page, address: str, pips: int) -> None:
    """Opens the first round and changes Dewi's pips, unsaved."""
    page.goto(address)
    page.locator(".round summary").last.tap()
    page.locator(".round a", has_text="Correct").last.tap()
    page.tap("[data-seat='3']")
    page.tap(f"#grid [data-n='{pips}']")


def test_both_correct_the_same_round(two: tuple[Page, Page, str]) -> None:
    first, second, address = two
    correct(first, address, 30)
    correct(second, address, 40)
    first.tap("#save")
    first.wait_for_url("**/m/*")
    second.tap("#save")
    expect(second.locator("#meanwhile")).to_be_visible()
    expect(second.locator(".warn")).to_contain_text("30")
    expect(second.locator("[data-seat='3'] b")).to_have_text("40")
    assert true_tally(first, address)["totals"] == [53, 0, 0, 0]

    second.tap("#save")
    second.wait_for_url("**/m/*")
    assert agrees(second, address)["totals"] == [63, 0, 0, 0]


def test_the_round_was_removed_while_it_was_corrected(two: tuple[Page, Page, str]) -> None:
    first, second, address = two
    correct(second, address, 40)
    first.goto(address)
    first.locator(".round summary").last.tap()
    first.locator(".round button", has_text="Remove").tap()
    expect(first.locator(".rounds > li")).to_have_count(0)
    second.tap("#save")
    expect(second.locator("#meanwhile")).to_be_visible()
    expect(second.locator("[data-seat='3'] b")).to_have_text("40")
    second.tap("#save")
    second.wait_for_url("**/m/*")
    assert agrees(second, address)["totals"] == [63, 0, 0, 0]


def test_a_correction_stays_while_the_page_learns_that_its_round_is_gone(
    two: tuple[Page, Page, str], new_context: Callable[..., BrowserContext]
) -> None:
    """Without a stream the page is asked for again and again, and is not there any more."""
    first, _, address = two
    second = deaf(new_context(storage_state=first.context.storage_state()), REFUSED).new_page()
    correct(second, address, 40)
    with second.expect_response(lambda answer: answer.status == 404):
        first.goto(address)
        first.locator(".round summary").last.tap()
        first.locator(".round button", has_text="Remove").tap()
    expect(second.locator(".toast.new")).to_be_visible()
    expect(second.locator("[data-seat='3'] b")).to_have_text("40")
    second.tap("#save")
    expect(second.locator("#meanwhile")).to_be_visible()


@pytest.mark.parametrize("choice", ["next", "replace", "drop"])
def test_both_enter_the_next_round(two: tuple[Page, Page, str], choice: str) -> None:
    first, second, address = two
    second.goto(address)
    first.goto(address)
    answer(first, 1, 1, 2, 3)
    answer(second, 1, 4, 5, 6)
    first.tap("#save")
    first.wait_for_url("**/m/*")
    second.tap("#save")
    expect(second.locator("#meanwhile")).to_be_visible()
    if choice == "next":
        second.tap("#save")
    elif choice == "replace":
        second.tap(".warn button")
    else:
        second.tap(".warn a")
    second.wait_for_url("**/m/*")
    expected = {"next": [43, 21, 0, 0], "replace": [43, 15, 0, 0], "drop": [43, 6, 0, 0]}[choice]
    expect(second.locator(".total > b").nth(1)).to_have_text(str(expected[1]))
    assert agrees(second, address)["totals"] == expected


def test_a_stale_undo_is_refused_and_says_so(two: tuple[Page, Page, str]) -> None:
    first, second, address = two
    first.goto(address)
    second.goto(address)
    first.tap("form[action$='/undo'] button")
    expect(first.locator(".rounds > li")).to_have_count(0)
    second.tap("form[action$='/undo'] button")
    expect(second.locator(".toast.bad")).to_be_visible()
    assert true_tally(second, address)["rounds"] == []
