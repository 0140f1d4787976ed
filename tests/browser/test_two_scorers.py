"""Two scorers at once: the second is shown what the first one did, loses nothing typed, and chooses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.joining import FOLLOWS, answer, join, save, share, shows
from tests.browser.tables import start, true_tally

BOUNCE = 450  # ms, a little more than in js/live.js


@pytest.mark.parametrize("choice", ["drop", "replace", "next"])
def test_two_scorers_enter_the_same_round(phone: Callable[..., Page], choice: str) -> None:
    owner = phone()
    address = start(owner, "block")
    score = share(owner, "scorer")
    owner.goto(address)
    scorer = join(phone(), score, "Budi")
    answer(owner, 0, 9, 14, 20)
    answer(scorer, 0, 9, 14, 21)
    expect(scorer.locator(FOLLOWS)).to_have_count(1)
    expect(scorer.locator(".toast")).to_have_count(0)
    save(owner)
    expect(scorer.locator(".toast.new")).to_be_visible()  # told at once, and nothing typed is touched
    expect(scorer.locator("[data-seat='3'] b")).to_have_text("21")
    scorer.tap("#save")
    expect(scorer.locator("#meanwhile")).to_be_visible()
    expect(scorer.locator(".warn li")).to_contain_text("Phone 1: Entered round 1")
    expect(scorer.locator(FOLLOWS)).to_have_count(1)
    expect(scorer.locator(".toast")).to_have_count(0)
    if choice == "drop":
        scorer.locator(".warn a").tap()
    elif choice == "replace":
        scorer.locator(".warn button").tap()
    else:
        scorer.tap("#save")
    scorer.wait_for_url(address)
    total = {"drop": 43, "replace": 44, "next": 87}[choice]
    for page in (owner, scorer):
        shows(page, total, 0, 0, 0)
    assert true_tally(owner, address)["totals"] == [total, 0, 0, 0]


def test_a_round_in_play_is_seen_by_the_other_scorer_tap_by_tap(phone: Callable[..., Page]) -> None:
    owner = phone()
    address = start(owner, "pontas")
    score = share(owner, "scorer")
    scorer = join(phone(), score, "Budi")
    for page in (owner, scorer):
        page.goto(f"{address}/round")
        expect(page.locator(FOLLOWS)).to_have_count(1)
    owner.tap("[value='play:0:10']")
    expect(scorer.locator(".strip li")).to_have_count(1)
    scorer.tap("[value='play:1:25']")
    expect(owner.locator(".strip li")).to_have_count(2)
    assert true_tally(owner, address)["totals"] == [10, 25]
    scorer.locator("#over summary").tap()
    owner.tap("[value='play:0:5']")
    expect(scorer.locator(".toast.new")).to_be_visible()  # the open question stays open
    expect(scorer.locator("#over")).to_have_attribute("open", "")
    scorer.tap("#over [value='blocked']")
    expect(scorer.locator("#meanwhile")).to_be_visible()
    scorer.wait_for_timeout(BOUNCE)
    scorer.locator(".meanwhile button", has_text="Count it too").tap()
    scorer.wait_for_url(address)
    shows(scorer, 15, 25)
    assert true_tally(owner, address)["totals"] == [15, 25]
