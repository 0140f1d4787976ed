"""A phone that has the engine: what is entered is shown at once and goes up behind; in several tabs, once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Playwright, Request, Route, expect

from tests.browser import test_block_match as block
from tests.browser.handset import BOOT, ENGINE, SENT, Phone, goes_on_alone, needs_engine, until
from tests.browser.tables import start, totals, true_tally, written
from tests.serving import Server, serving

ENV = {"SCOREKEEPER_WRITES": "9999 per second"}
WRITES = "**/api/v1/matches/*/events"


@pytest.fixture(scope="module", autouse=True)
def built() -> Iterator[None]:
    needs_engine()
    expect.set_options(timeout=BOOT)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "data", env=ENV) as running:
        yield running


@pytest.fixture
def page(playwright: Playwright, tmp_path: Path, own_server: Server) -> Iterator[Page]:
    """A new match on a phone that has all that it needs to go on alone."""
    phone = Phone(playwright, tmp_path / "profile", own_server.url)
    made = phone.open()
    made.set_default_timeout(BOOT)
    address = start(made, "block")
    goes_on_alone(made)
    phone.close()  # a browser that is killed forgets the cookies of the last half minute
    made = phone.open()
    made.set_default_timeout(BOOT)
    made.goto(address)
    yield made
    phone.close()


def typed(page: Page, winner: int, *pips: int) -> None:
    """A round, all but the tap that saves it, with the engine running."""
    page.tap("a.go")
    page.tap(f"[data-seat='{winner}']")
    for number in pips:
        page.tap(f"#grid [data-n='{number}']")
    expect(page.locator("#preview [data-ok]")).to_be_visible()
    until(page, ENGINE)


class Held:
    """Keeps back what a page sends up, until it is let go."""

    def __init__(self, page: Page) -> None:
        self.free, self.routes = False, list[Route]()
        page.context.route(WRITES, self.hold)

    def hold(self, route: Route) -> None:
        """Every write comes by here."""
        if self.free:
            route.continue_()
        else:
            self.routes.append(route)

    def go(self) -> None:
        """All of it, and from now on at once."""
        self.free = True
        for route in self.routes:
            route.continue_()


def test_a_round_is_shown_before_the_server_has_it(page: Page) -> None:
    address = page.url
    typed(page, 0, 9, 14, 20)
    held = Held(page)
    page.evaluate("document.stays = true")
    page.tap("#save")
    page.wait_for_url(address)
    expect(page.locator(".rounds > li")).to_have_count(1)
    assert totals(page) == [43, 0, 0, 0] and true_tally(page, address)["rounds"] == []
    expect(page.locator("#kept")).to_contain_text("1 round on this phone only")  # it takes long

    held.go()
    expect(page.locator("#kept")).to_have_count(0)
    expect(page.locator("html[data-follow=on]")).to_have_count(1)
    assert true_tally(page, address)["totals"] == [43, 0, 0, 0]
    block.enter(page, 1, 1, 2, 3)
    page.tap("[aria-label=Undo]")
    expect(page.locator(".rounds > li")).to_have_count(1)
    until(page, SENT)
    assert true_tally(page, address)["totals"] == [43, 0, 0, 0] == totals(page)
    assert page.evaluate("document.stays"), "all of it in one document, with the engine running"


def test_who_was_overtaken_on_the_way_up_is_asked(page: Page, own_server: Server) -> None:
    address = page.url
    typed(page, 0, 9, 14, 20)
    held = Held(page)
    page.tap("#save")
    expect(page.locator(".rounds > li")).to_have_count(1)
    theirs = {"type": "round_entered", "round": {"ended": "domino", "by": 1, "hands": [1, [], 2, 3]}}
    sent = {"events": [theirs], "expected": 1, "key": "theirs"}
    ours = {"Sec-Fetch-Site": "same-origin"}
    said = page.request.post(f"/api/v1/matches/{address.split('/m/')[1]}/events", data=sent, headers=ours)
    assert said.status == 201
    held.go()
    expect(page.locator("#meanwhile")).to_be_visible()
    page.get_by_text("It is the next round", exact=True).tap()
    until(page, SENT)
    assert true_tally(page, address)["totals"] == [43, 6, 0, 0]
    expect(page.locator(".rounds > li")).to_have_count(2)


def test_two_tabs_send_what_waits_once_and_in_order(page: Page) -> None:
    sent: list[dict[str, Any]] = []
    address = page.url

    def noted(request: Request) -> None:
        if request.method == "POST" and "/events" in request.url:
            sent.append(json.loads(request.post_data or ""))

    page.context.on("request", noted)
    typed(page, 0, 9, 14, 20)
    page.context.set_offline(True)
    page.tap("#save")
    expect(page.locator("#kept")).to_contain_text("1 round on this phone only")
    block.enter(page, 1, 1, 2, 3)
    other = page.context.new_page()
    other.set_default_timeout(BOOT)
    other.goto(address)
    expect(other.locator("#kept")).to_contain_text("2 rounds on this phone only")
    page.context.set_offline(False)
    for tab in (page, other):
        until(tab, SENT)
        expect(tab.locator("#kept")).to_have_count(0)
    answered = [each for each in sent if each["expected"]]
    assert [each["expected"] for each in answered] == [1, 2]
    assert len({each["key"] for each in answered}) == 2
    assert true_tally(page, address)["totals"] == [43, 6, 0, 0]


def test_what_was_tapped_a_moment_before_the_phone_died_is_there(
    page: Page, playwright: Playwright, tmp_path: Path, own_server: Server
) -> None:
    address = page.url
    typed(page, 0, 9, 14, 20)
    Held(page)
    page.tap("#save")
    expect(page.locator(".rounds > li")).to_have_count(1)
    phone = Phone(playwright, tmp_path / "profile", own_server.url)
    phone.context = page.context
    phone.kill()
    again = phone.open()
    again.set_default_timeout(BOOT)
    again.goto(address)
    until(again, SENT)
    assert true_tally(again, address)["totals"] == [43, 0, 0, 0]
    phone.close()


def test_an_answer_that_was_lost_on_the_way_doubles_and_asks_nothing(page: Page) -> None:
    """The server wrote it, and another phone wrote the next one, before this phone hears of either."""
    address = page.url
    theirs = {"type": "round_entered", "round": {"ended": "domino", "by": 1, "hands": [1, [], 2, 3]}}
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)
        lost.append(written(page, address, theirs, 2, "theirs"))
        route.abort()

    typed(page, 0, 9, 14, 20)
    page.context.route(WRITES, lose)
    page.tap("#save")
    expect(page.locator(".rounds > li")).to_have_count(2)  # it is there again by itself
    assert lost == [201, 201]
    until(page, SENT)
    expect(page.locator("#meanwhile")).to_have_count(0)
    assert totals(page) == [43, 6, 0, 0] == true_tally(page, address)["totals"]


def test_a_page_made_on_the_phone_takes_a_tap_for_the_server(page: Page) -> None:
    """Sharing, and what is chosen at home: these forms go to the server, and a page of this phone has no token."""
    typed(page, 0, 9, 14, 20)
    page.tap("#save")
    expect(page.locator("html[data-shell] .rounds > li")).to_have_count(1)
    assert page.locator("[name=csrf_token]").first.input_value() == ""
    page.tap(".sharing")
    expect(page.locator(".joincode")).to_be_visible()
