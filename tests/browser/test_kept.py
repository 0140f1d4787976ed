"""Where the match is kept in the browser: in two places, and what happens where one of them, or both, cannot be had."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import practice_states as states
from tests.browser.mistakes import mistakes
from tests.browser.practice_states import put, settled, state

KEPT = """async () => {
  const script = document.querySelector("[src*='js/practice.js']").src;
  const { load } = await import(script.replace("practice.js", "kept.js"));
  return (await load("practice")).state.rounds;
}"""
FULL = """const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (...given) {
    if (sessionStorage.getItem("full")) this.transaction.abort();
    return put.apply(this, given);
  };"""
BARRED = """const barred = () => { throw new DOMException("barred", "SecurityError"); };
  IDBFactory.prototype.open = barred;
  Object.defineProperty(globalThis, "localStorage", { get: barred });"""


def move(page: Page) -> list[list[str]]:
    """Sets a tile, and what is kept then."""
    page.locator(".hand [name=move]:enabled").first.tap()
    settled(page)
    expect(page.locator("#practice[data-turn=bot]")).to_have_count(0, timeout=30_000)
    rounds: list[list[str]] = page.evaluate(KEPT)
    return rounds


def test_a_write_that_fails_turns_no_match_back(page: Page) -> None:
    page.add_init_script(FULL)
    put(state("block", states.first), page)
    before = page.evaluate(KEPT)
    page.evaluate("sessionStorage.setItem('full', 'yes')")
    after = move(page)
    assert len(after[0]) > len(before[0])
    expect(page.locator("#lost")).to_have_count(0)
    page.reload()
    settled(page)
    assert page.evaluate(KEPT) == after
    assert page.evaluate("localStorage.getItem('practice') !== null")

    page.evaluate("sessionStorage.removeItem('full')")
    later = move(page)
    assert len(later[0]) > len(after[0])
    assert page.evaluate("localStorage.getItem('practice') === null")
    page.reload()
    settled(page)
    assert page.evaluate(KEPT) == later


@pytest.mark.parametrize("variant", ["block", "gaple"])
def test_where_nothing_can_be_kept_the_server_is_played_with(variant: str, page: Page) -> None:
    page.add_init_script(BARRED)
    page.goto(f"/practice?variant={variant}")
    expect(page.locator("[data-engine=old] .on-old")).to_be_visible()
    page.locator("label:has([name=level][value=easy])").tap()
    page.tap(".bar .go")
    page.wait_for_url("**/practice/table")
    expect(page.locator("[data-engine=old]")).to_be_attached()
    held = page.locator("#moves [name=state]")
    for _ in range(3):
        before = held.input_value()
        with page.expect_navigation():
            page.locator(".hand button:enabled, .bar [value=pass]").first.tap()
        if page.locator(".spot button:visible").count():
            with page.expect_navigation():
                page.locator(".spot button:visible").first.tap()
        assert len(held.input_value()) > len(before)
    expect(page.locator("#lost")).to_have_count(0)
    after = held.input_value()
    page.goto("/practice/table")
    assert held.input_value() == after


@pytest.mark.parametrize("text", ["{", "", "null", "7", '"table"'])
def test_what_lies_in_localstorage_and_cannot_be_read_hides_nothing(text: str, page: Page) -> None:
    errors = mistakes(page)
    put(state("block", states.first), page)
    before = page.evaluate(KEPT)
    page.evaluate("(text) => localStorage.setItem('practice', text)", text)
    page.goto("/practice")
    expect(page.locator("#goon")).to_be_visible()
    page.goto("/practice/table")
    settled(page)
    assert page.evaluate(KEPT) == before
    assert errors == []
