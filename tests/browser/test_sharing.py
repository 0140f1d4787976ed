"""Several phones on one match: they join by code, each hears of the others at once, and all come to the same totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Error, Page, ViewportSize, expect

from tests.browser.chromium import PHONE
from tests.browser.tables import start, true_tally
from tests.serving import Server, serving
from tests.serving import start as start_server

EVIL = "<img src=x onerror=alert(1)>"
ABORTED = "Transition was"  # aborted or skipped: the next page came before the last one had faded in
BOUNCE = 450  # ms, a little more than in js/live.js
TOP = "element => element.getBoundingClientRect().top"
FOLLOWS = "html[data-follow=on]"


@pytest.fixture
def phone(new_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Makes a phone; an error or an alert in its pages fails the test."""
    wrong: list[str] = []

    def alarmed(dialog: Dialog) -> None:
        wrong.append(dialog.message)
        dialog.dismiss()

    def failed(error: Error) -> None:
        if ABORTED not in str(error):
            wrong.append(f"{error}\n{error.stack}")

    def make(**changes: Any) -> Page:
        page = new_context(**changes).new_page()
        page.on("pageerror", failed)
        page.on("dialog", alarmed)
        return page

    yield make
    assert wrong == []


def share(owner: Page, role: str = "watcher") -> str:
    """The code of the link for a role, as the share page shows it."""
    if "/share" not in owner.url:
        owner.tap(".sharing")
        owner.wait_for_url("**/share")
    owner.locator(".seg a").nth(0 if role == "watcher" else 1).tap()
    owner.wait_for_url(f"**/share?for={role}")
    return owner.locator(".joincode").inner_text()


def join(page: Page, code: str, name: str = "") -> Page:
    """Joins as a person does: by typing the code."""
    page.goto("/")
    page.locator(".chips a", has_text="Join").tap()
    page.fill("#code", code.upper())
    page.tap(".bar .go")
    page.wait_for_url("**/j/*")
    page.fill("#name", name)
    page.tap(".bar .go")
    page.wait_for_url("**/m/*")
    return page


def answer(page: Page, winner: int, *pips: int) -> None:
    """From the table screen to a round that only wants saving."""
    page.tap("a.go")
    fill(page, winner, *pips)


def fill(page: Page, winner: int, *pips: int) -> None:
    page.tap(f"[data-seat='{winner}']")
    for number in pips:
        page.tap(f"#grid [data-n='{number}']")
    expect(page.locator("#preview [data-ok]")).to_be_visible()


def save(page: Page) -> None:
    page.tap("#save")
    page.wait_for_url("**/m/*")


def shows(page: Page, *totals: int) -> None:
    """Waits until the page, without being reloaded, shows these totals."""
    totals_of = page.locator(".bigtotal > b" if page.url.endswith("/screen") else ".totals:not(.compact) .total > b")
    expect(totals_of).to_have_text([str(total) for total in totals])


def stays(page: Page) -> None:
    """Marks a page, so that a reload of it would be found out."""
    expect(page.locator(FOLLOWS)).to_have_count(1)
    page.evaluate("document.stays = true")


def stayed(page: Page) -> bool:
    return bool(page.evaluate("document.stays === true"))


def test_five_phones_come_to_the_same_totals(phone: Callable[..., Page]) -> None:
    owner = phone()
    address = start(owner, "block")
    score, watch = share(owner, "scorer"), share(owner, "watcher")
    owner.goto(address)
    scorer, watcher = join(phone(), score, "Budi"), join(phone(color_scheme="dark"), watch)
    leaver = join(phone(), watch, "Citra")
    for page in (owner, watcher, leaver):
        stays(page)

    # One scores.
    answer(scorer, 0, 9, 14, 20)
    save(scorer)
    for page in (owner, watcher, leaver):
        shows(page, 43, 0, 0, 0)
        assert stayed(page)

    # One goes away, and another corrects at the same moment as the first one enters the next round.
    leaver.context.set_offline(True)
    owner.locator(".round summary").last.tap()
    owner.locator(".round a", has_text="Correct").last.tap()
    owner.tap("[data-seat='3']")
    owner.tap("#grid [data-n='30']")
    answer(scorer, 1, 1, 2, 3)
    save(owner)
    shows(owner, 53, 0, 0, 0)
    scorer.tap("#save")
    expect(scorer.locator("#meanwhile")).to_be_visible()
    save(scorer)
    for page in (owner, watcher, scorer):
        shows(page, 53, 6, 0, 0)
    shows(leaver, 43, 0, 0, 0)
    expect(leaver.locator(".toast.away")).to_be_visible()

    # It comes back, and somebody comes late.
    leaver.context.set_offline(False)
    late = join(phone(), watch, "Dewi")
    for page in (leaver, late):
        shows(page, 53, 6, 0, 0)
    expect(leaver.locator(".toast.away")).to_have_count(0)
    assert stayed(leaver) and stayed(watcher)

    answer(owner, 2, 4, 5, 6)
    save(owner)
    told = true_tally(owner, address)["totals"]
    for page in (owner, scorer, watcher, leaver, late):
        shows(page, *told)
    assert told == [53, 6, 15, 0]
    owner.goto(f"{address}/history")
    expect(owner.locator(".history .by")).to_have_text(["· Phone 1", "· Budi", "· Phone 1", "· Budi"])


@pytest.mark.parametrize("choice", ["drop", "replace", "next"])
def test_two_scorers_enter_the_same_round(phone: Callable[..., Page], choice: str) -> None:
    owner = phone()
    address = start(owner, "block")
    score = share(owner, "scorer")
    owner.goto(address)
    scorer = join(phone(), score, "Budi")
    answer(owner, 0, 9, 14, 20)
    answer(scorer, 0, 9, 14, 21)
    save(owner)
    expect(scorer.locator(".toast.new")).to_be_visible()  # told at once, and nothing typed is touched
    expect(scorer.locator("[data-seat='3'] b")).to_have_text("21")
    scorer.tap("#save")
    expect(scorer.locator("#meanwhile")).to_be_visible()
    expect(scorer.locator(".warn li")).to_contain_text("Phone 1: Entered round 1")
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


def test_what_is_open_and_where_one_is_stays(phone: Callable[..., Page]) -> None:
    owner = phone()
    address = start(owner, "block")
    watch = share(owner)
    owner.goto(address)
    for pips in range(1, 9):
        answer(owner, pips % 4, pips, pips, pips)
        save(owner)
    watcher = join(phone(), watch)
    stays(watcher)
    watcher.locator(".round summary").nth(5).tap()
    opened = watcher.locator(".round[open]").get_attribute("id")
    watcher.locator(".round[open] summary").focus()
    watcher.evaluate("scrollTo(0, 200)")
    top = watcher.locator(".round[open]").evaluate(TOP)
    answer(owner, 0, 1, 1, 1)
    save(owner)
    expect(watcher.locator(".rounds > li")).to_have_count(9)
    assert watcher.locator(".round[open]").get_attribute("id") == opened
    assert watcher.evaluate("document.activeElement.closest('.round')?.id") == opened
    assert abs(watcher.locator(".round[open]").evaluate(TOP) - top) < 2
    expect(watcher.locator(".toasts .spoken")).to_contain_text("Round 9: Ani went out")
    assert stayed(watcher)


def test_each_phone_keeps_its_language(phone: Callable[..., Page]) -> None:
    owner = phone()
    address = start(owner, "block")
    watch = share(owner)
    owner.goto(address)
    watcher = join(phone(), watch)
    watcher.goto("/")
    watcher.locator("[name=language][value=id]").tap()
    expect(watcher.locator("html")).to_have_attribute("lang", "id")
    watcher.goto(address)
    stays(watcher)
    answer(owner, 0, 9, 14, 20)
    save(owner)
    shows(watcher, 43, 0, 0, 0)
    expect(watcher.locator("html")).to_have_attribute("lang", "id")
    expect(watcher.locator(".round .what")).not_to_have_text("Ani went out")


def test_a_removed_phone_sees_no_more(phone: Callable[..., Page]) -> None:
    owner = phone()
    start(owner, "block")
    watch = share(owner)
    watcher = join(phone(), watch, "Budi")
    expect(watcher.locator(FOLLOWS)).to_have_count(1)
    expect(owner.locator(".phones .dot.on")).to_have_count(2)
    owner.locator(".phones summary", has_text="Budi").tap()
    owner.locator(".phones button", has_text="Remove").tap()
    expect(owner.locator(".phones li")).to_have_count(1)
    expect(watcher.locator("h1")).to_have_text("Nothing here")
    assert watch != owner.locator(".joincode").inner_text()


def test_what_a_phone_may_do_changes_before_its_eyes(phone: Callable[..., Page]) -> None:
    owner = phone()
    start(owner, "block")
    score = share(owner, "scorer")
    scorer = join(phone(), score, "Budi")
    stays(scorer)
    owner.locator(".lock button").tap()
    expect(scorer.locator(".watching")).to_have_text("The table is locked")
    owner.locator(".lock button").tap()
    expect(scorer.locator("a.go")).to_be_visible()
    owner.locator(".phones summary", has_text="Budi").tap()
    owner.locator(".phones button", has_text="Only watch").tap()
    expect(scorer.locator(".watching")).to_have_text("You are watching")
    owner.locator(".phones summary", has_text="Budi").tap()
    owner.locator(".phones button", has_text="Make owner").tap()
    expect(scorer.locator("a.go")).to_be_visible()
    expect(owner.locator(".lock")).to_have_count(0)
    assert stayed(scorer)


def test_the_big_screen_shows_and_takes_nothing(phone: Callable[..., Page]) -> None:
    owner = phone()
    address = start(owner, "block", (EVIL, "Budi", "Citra", "Dewi"))
    watch = share(owner)
    owner.goto(address)
    screen = phone()
    screen.set_viewport_size({"width": 1280, "height": 720})
    screen.goto("/join")
    screen.fill("#code", watch)
    screen.keyboard.press("Enter")
    screen.wait_for_url("**/j/*")
    screen.locator(".bar button", has_text="Big screen").tap()
    screen.wait_for_url("**/screen")
    stays(screen)
    assert screen.locator("main :is(a, button, input, summary)").count() == 0
    answer(owner, 0, 9, 14, 20)
    save(owner)
    shows(screen, 43, 0, 0, 0)
    expect(screen.locator(".bigverdict")).to_contain_text(f"{EVIL} went out")
    assert stayed(screen)
    sizes: list[ViewportSize] = [{"width": 1280, "height": 720}, {"width": 1920, "height": 1080}, {"width": 390, "height": 844}]
    for size in sizes:
        screen.set_viewport_size(size)
        assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if size["width"] > size["height"]:
            lowest = screen.evaluate("Math.max(...[...document.querySelectorAll('main *')].map((e) => e.getBoundingClientRect().bottom))")
            assert lowest <= size["height"]
            # 3 m away a letter of a 40-inch television needs 1/25 of its height.
            smallest = screen.evaluate("Math.min(...[...document.querySelectorAll('.bigtotal .who, .bigtotal b, .bigverdict')].map((e) => parseFloat(getComputedStyle(e).fontSize)))")
            assert smallest >= size["height"] / 25


def test_an_evil_name_on_a_phone_is_only_text(phone: Callable[..., Page]) -> None:
    owner = phone()
    address = start(owner, "block")
    score = share(owner, "scorer")
    scorer = join(phone(), score, EVIL)
    answer(scorer, 0, 9, 14, 20)
    save(scorer)
    for page, path in ((owner, "/share"), (owner, "/history"), (scorer, "/share")):
        page.goto(address + path)
        expect(page.locator("main")).to_contain_text(EVIL)
        assert page.locator("main img").count() == 0


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    with serving(tmp_path) as running:
        yield running


def test_when_the_server_comes_back_so_does_every_phone(browser: Browser, own_server: Server) -> None:
    def phone() -> Page:
        return browser.new_context(**{**PHONE, "base_url": own_server.url}).new_page()

    owner = phone()
    address = start(owner, "block")
    watcher = join(phone(), share(owner))
    owner.goto(address)
    stays(watcher)
    own_server.kill()
    expect(watcher.locator(".toast.away")).to_be_visible()
    again = start_server(own_server.data, int(own_server.url.rpartition(":")[2]))
    try:
        expect(watcher.locator(FOLLOWS)).to_have_count(1)
        expect(watcher.locator(".toast.away")).to_have_count(0)
        answer(owner, 0, 9, 14, 20)
        save(owner)
        shows(watcher, 43, 0, 0, 0)
        assert stayed(watcher)
    finally:
        for page in (owner, watcher):
            page.context.close()
        again.kill()
