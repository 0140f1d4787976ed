"""Several phones on one match: each hears of the others at once, in its own language, role and place on the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.joining import FOLLOWS, answer, join, save, share, shows, stayed, stays
from tests.browser.tables import start

EVIL = "<img src=x onerror=alert(1)>"
TOP = "element => element.getBoundingClientRect().top"


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


def test_the_focus_stays_on_a_link_when_somebody_comes(phone: Callable[..., Page]) -> None:
    owner = phone()
    start(owner, "block")
    watch = share(owner)
    stays(owner)
    owner.locator("a[href$='/screen']").focus()
    join(phone(), watch, "Eka")
    expect(owner.get_by_text("Eka")).to_be_visible()
    assert owner.evaluate("document.activeElement.pathname").endswith("/screen")
    assert stayed(owner)


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


# What of a card reaches out of it, or lies on something else in it.
COVERED = """() => [...document.querySelectorAll(".bigtotal")].flatMap((card) => {
  const parts = [...card.querySelectorAll(":scope > :not(.top), .names, .tag")].map((part) => [part, part.getBoundingClientRect()]);
  const box = card.getBoundingClientRect();
  const out = parts.filter(([, at]) => at.top < box.top - 1 || at.bottom > box.bottom + 1 || at.left < box.left - 1 || at.right > box.right + 1);
  const on = parts.filter(([one, at]) => parts.some(([other, its]) => one !== other && at.width && its.width
    && Math.min(at.right, its.right) - Math.max(at.left, its.left) > 1 && Math.min(at.bottom, its.bottom) - Math.max(at.top, its.top) > 1));
  return [...out, ...on].map(([part]) => part.outerHTML);
})"""


@pytest.mark.parametrize("variant", ["block", "domeng", "pontas"])
@pytest.mark.parametrize("locale", ["en", "en-XA"])
def test_nothing_covers_anything_on_the_big_screen(variant: str, locale: str, phone: Callable[..., Page]) -> None:
    screen = phone(locale=locale)
    names = tuple(f"{name} Abdurrahman Kusumawardhani" for name in ("Ani", "Budi", "Citra", "Dewi", "Eka"))
    screen.goto(start(screen, variant, names if variant == "domeng" else names[:4]) + "/screen")
    sizes: list[ViewportSize] = [{"width": 1280, "height": 720}, {"width": 1920, "height": 1080}]
    for size in sizes:
        screen.set_viewport_size(size)
        assert screen.evaluate(COVERED) == []


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
