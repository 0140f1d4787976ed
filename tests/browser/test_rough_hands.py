"""Wet fingers in a loud room: no network, no server, taps in a hurry, the back button. Nothing typed is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scorekeeper.core.variants import VARIANTS
from tests import serving
from tests.browser.tables import agrees, start, true_tally

FIVE = ("Ani", "Budi", "Citra", "Dewi", "Eka")


def answer(page: Page, winner: int, *pips: int) -> None:
    """From the table screen to a round of Block that only wants saving."""
    page.tap("a.go")
    expect(page.locator("#ask")).not_to_be_empty()  # the script has come
    page.tap(f"[data-seat='{winner}']")
    for number in pips:
        page.tap(f"#grid [data-n='{number}']")


def slow(page: Page, milliseconds: int = 200) -> None:
    """Every answer takes so long from now on."""
    page.context.new_cdp_session(page).send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1},
    )


def thrice(page: Page, selector: str) -> None:
    """Three taps as fast as a finger can, wherever they land."""
    box = page.locator(selector).bounding_box()
    assert box
    for _ in range(3):
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_three_taps_on_every_button_do_it_once(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")  # while one page turns into the next, Chromium gives taps to neither
    page.goto("/new/block")
    for seat, name in enumerate(FIVE[:4]):
        page.fill(f"#name-{seat}", name)
    slow(page)
    thrice(page, "button[name=start]")
    page.wait_for_url("**/m/*")
    address = page.url
    answer(page, 0, 9, 14, 20)
    thrice(page, "#save")
    page.wait_for_url(address)
    expect(page.locator(".rounds > li")).to_have_count(1)
    answer(page, 1, 1, 2, 3)
    thrice(page, "#save")
    page.wait_for_url(address)
    expect(page.locator(".rounds > li")).to_have_count(2)
    thrice(page, "form[action$='/undo'] button")
    expect(page.locator(".toast.good")).to_have_count(1)
    expect(page.locator(".rounds > li")).to_have_count(1)
    assert agrees(page, address)["totals"] == [43, 0, 0, 0]
    page.goto("/")
    expect(page.locator(f"a[href*='{address.rsplit('/', 1)[1]}']")).to_have_count(1)


def test_without_a_network_a_round_waits_and_the_same_tap_saves_it(page: Page) -> None:
    address = start(page, "block")
    page.tap("a.go")
    page.tap("[data-seat='0']")
    page.context.set_offline(True)
    for number in (9, 14, 20):
        page.tap(f"#grid [data-n='{number}']")
    page.tap("#save")
    expect(page.locator(".unsaved")).to_be_in_viewport()
    expect(page.locator("[data-seat='3'] b")).to_have_text("20")
    expect(page.locator("#preview")).to_be_empty()  # no verdict rather than an old one
    page.tap("#save")
    expect(page.locator(".unsaved")).to_have_count(1)
    page.context.set_offline(False)
    page.tap("#save")
    page.wait_for_url(address)
    assert agrees(page, address)["totals"] == [43, 0, 0, 0]


def test_undo_and_remove_without_a_network_can_be_tapped_again(page: Page) -> None:
    address = start(page, "block")
    answer(page, 0, 9, 14, 20)
    page.tap("#save")
    page.wait_for_url(address)
    page.context.set_offline(True)
    page.tap(".round summary")
    page.locator(".round button", has_text="Remove").tap()
    expect(page.locator(".unsaved")).to_be_visible()
    page.tap("form[action$='/undo'] button")
    expect(page.locator(".unsaved")).to_be_visible()
    page.context.set_offline(False)
    page.locator(".round button", has_text="Remove").tap()
    expect(page.locator(".rounds > li")).to_have_count(0)
    expect(page.locator(".toast.good")).to_be_visible()
    assert agrees(page, address)["totals"] == [0, 0, 0, 0]


def test_settings_typed_without_a_network_are_kept(page: Page) -> None:
    address = start(page, "gaple")
    page.goto(f"{address}/more")
    page.context.set_offline(True)
    page.fill("#name-1", "Budiman")
    page.tap("button.go")
    expect(page.locator(".unsaved")).to_be_visible()
    assert page.input_value("#name-1") == "Budiman"
    page.context.set_offline(False)
    page.tap("button.go")
    page.wait_for_url(address)
    expect(page.locator(".totals").first).to_contain_text("Budiman")


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[list[serving.Server]]:
    """A list with one server, to be killed and replaced."""
    servers = [serving.start(tmp_path)]
    yield servers
    serving.stop(servers[-1])


@pytest.fixture
def phone_at(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Callable[[str], Page]]:
    """Makes a page that opens paths of another server than all the others."""
    made: list[BrowserContext] = []

    def phone(url: str) -> Page:
        made.append(browser.new_context(**{**browser_context_args, "base_url": url}))
        return made[-1].new_page()

    yield phone
    for context in made:
        context.close()


def reborn(servers: list[serving.Server]) -> None:
    """The same data folder and port, another process."""
    dead = servers[-1]
    servers.append(serving.start(dead.data, int(dead.url.rsplit(":", 1)[1])))


def test_a_killed_server_loses_no_round_being_entered(
    mortal: list[serving.Server], phone_at: Callable[[str], Page]
) -> None:
    page = phone_at(mortal[0].url)
    address = start(page, "block")
    page.tap("a.go")
    page.tap("[data-seat='0']")
    for number in (9, 14, 20):
        page.tap(f"#grid [data-n='{number}']")
    mortal[0].kill()
    page.tap("#save")
    expect(page.locator(".unsaved")).to_be_visible()
    expect(page.locator("[data-seat='3'] b")).to_have_text("20")
    reborn(mortal)
    page.tap("#save")
    page.wait_for_url(address)
    assert agrees(page, address)["totals"] == [43, 0, 0, 0]


def test_a_killed_server_loses_no_tap_of_a_round_being_played(
    mortal: list[serving.Server], phone_at: Callable[[str], Page]
) -> None:
    page = phone_at(mortal[0].url)
    address = start(page, "pontas")
    page.tap("a.go")
    page.tap("[value='play:0:10']")
    expect(page.locator(".strip li:not(.sending)")).to_have_count(1)
    mortal[0].kill()
    page.tap("[value='play:1:15']")
    page.tap("[value='play:0:5']")
    expect(page.locator("#unsent b")).to_have_text("2")
    reborn(mortal)
    page.tap("#unsent [data-again]")
    expect(page.locator(".strip li:not(.sending)")).to_have_count(3)
    assert true_tally(page, address)["totals"] == [15, 15]


def test_an_answer_that_was_lost_after_the_save_saves_once(page: Page) -> None:
    address = start(page, "block")
    answer(page, 0, 9, 14, 20)

    def lose(route):
        route.fetch()
        route.abort("connectionreset")

    page.route("**/round", lose, times=1)
    page.tap("#save")
    expect(page.locator(".unsaved")).to_be_visible()
    page.tap("#save")
    page.wait_for_url(address)
    expect(page.locator(".rounds > li")).to_have_count(1)
    assert agrees(page, address)["totals"] == [43, 0, 0, 0]


def test_the_back_button_after_a_save_enters_nothing_twice(page: Page) -> None:
    address = start(page, "block")
    answer(page, 0, 9, 14, 20)
    page.tap("#save")
    page.wait_for_url(address)
    page.go_back()
    expect(page.locator("#entry")).to_be_visible()
    if page.locator("#save[aria-disabled=false]").count():
        page.tap("#save")
    assert agrees(page, address)["totals"] == [43, 0, 0, 0]


# What lies under the finger at the moment in which a tap has been taken: no test of how fast the next one comes.
UNDER_THE_FINGER = """() => { window.under = []; document.addEventListener("click", (tap) =>
  under.push(document.elementFromPoint(tap.clientX, tap.clientY).className)); }"""


@pytest.mark.parametrize("variant, selector", [("block", "[data-ending=blocked]"), ("pontas", "[value='play:0:15']")])
def test_where_a_tap_landed_nothing_takes_the_next_one_for_a_moment(page: Page, variant: str, selector: str) -> None:
    start(page, variant)
    page.tap("a.go")
    page.wait_for_url("**/round")
    page.evaluate(UNDER_THE_FINGER)
    page.tap(selector)
    assert page.evaluate("under") == ["shield"]
    expect(page.locator(".shield")).to_have_count(0)
    if variant == "block":
        page.tap("#grid [data-n='9']")
        assert page.evaluate("under") == ["shield", "shield"]


# Tells how often the place where a tap landed was free again, and closed once more; when it is free, another target may
# come up there.
FREE_AND_CLOSED = """(another) => { window.freed = window.shut = 0;
  const changed = ([{ target }]) => {
    if (target.hidden) freed += 1;
    else shut += 1;
    if (target.hidden && another) document.querySelector("[value='play:0:15']").textContent += "+";
  };
  document.addEventListener("click", () => setTimeout(() => {
    for (const shield of document.querySelectorAll(".shield")) new MutationObserver(changed).observe(shield, { attributeFilter: ["hidden"] });
  }));
}"""


@pytest.mark.parametrize("another", [True, False], ids=["another", "the same"])
def test_what_comes_up_under_the_finger_later_takes_no_second_tap(page: Page, another: bool) -> None:
    start(page, "pontas")
    page.tap("a.go")
    page.wait_for_url("**/round")
    page.evaluate(FREE_AND_CLOSED, another)
    for _ in range(5):  # a page that has no time for 200 ms sees nothing of it
        page.tap("[value='play:0:15']")
        expect(page.locator(".shield")).to_have_count(0)
    assert page.evaluate("freed") > 0
    assert (page.evaluate("shut") > 0) == another


def test_a_key_leaves_nothing_behind(page: Page) -> None:
    start(page, "block")
    page.tap("a.go")
    page.wait_for_url("**/round")
    page.evaluate(UNDER_THE_FINGER)
    page.press("[data-ending=blocked]", "Enter")
    assert page.evaluate("document.querySelector('.shield')") is None


def test_a_round_half_entered_survives_a_reload_and_a_way_back(page: Page) -> None:
    address = start(page, "gaple")
    page.tap("a.go")
    page.tap("[data-ending=blocked]")
    page.tap("#grid [data-n='9']")
    page.tap("#grid [data-n='14']")
    page.reload()
    expect(page.locator(".chip-seat b").first).to_contain_text("9")
    expect(page.locator(".chip-seat b").nth(1)).to_contain_text("14")
    page.goto(address)
    page.tap("a.go")
    expect(page.locator(".chip-seat b").first).to_contain_text("9")


def test_a_saved_round_leaves_nothing_behind(page: Page) -> None:
    address = start(page, "block")
    for _ in range(2):
        answer(page, 0, 9, 14, 20)
        page.tap("#save")
        page.wait_for_url(address)
    page.tap("a.go")
    expect(page.locator("#endings")).to_be_visible()
    assert page.locator(".chip-seat b").all_inner_texts() == ["", "", "", ""]


def test_a_page_older_than_its_token_saves(page: Page) -> None:
    address = start(page, "block")
    answer(page, 0, 9, 14, 20)
    page.evaluate("for (const one of document.querySelectorAll('[name=csrf_token]')) one.value = 'old'")
    page.tap("#save")
    page.wait_for_url(address)
    assert agrees(page, address)["totals"] == [43, 0, 0, 0]


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_forty_letters_without_a_blank_widen_no_page(page: Page, variant: str) -> None:
    names = ("W" * 40, "ا" * 40, "👨‍👩‍👧" * 8, "Z" * 39 + "y", "x" * 40)[: VARIANTS[variant].seats[0]]
    address = start(page, variant, names)
    page.goto(f"{address}/more")
    with page.expect_navigation():
        page.locator("form[action$='/finish'] button").tap()
    for path in ("", "/more", "/history"):
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 700})
            page.goto(f"{address}{path}")
            assert page.evaluate("document.scrollingElement.scrollWidth") <= width, (path, width)
    page.goto("/")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    page.goto(f"/new/{variant}")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
