"""Without a finger: everything is reached by Tab, in order and seen; a round is entered by keys alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import probes
from tests.browser.joining import deaf
from tests.browser.places import FAMILIES, House, places_of
from tests.browser.tables import FOUR, agrees, start, totals


def wrong_for_tab(page: Page) -> list[str]:
    """What a walk through the page with Tab misses, or does not show."""
    page.wait_for_load_state("load")
    page.evaluate("document.activeElement.blur(); getSelection().removeAllRanges(); scrollTo(0, 0)")
    expected = page.evaluate(probes.TAB_STOPS)
    wrong, places = [f"{each} has an order of its own" for each in expected["odd"]], []
    page.locator("body").evaluate("(body) => { body.tabIndex = -1; body.focus(); body.removeAttribute('tabindex') }")
    for _ in range(expected["count"]):
        page.keyboard.press("Tab")
        found = page.evaluate("stop()")
        places.append(found["place"])
        wrong += found["wrong"]
    if places != list(range(expected["count"])):
        missed = page.evaluate(
            "(seen) => stops.filter((_, place) => !seen.includes(place)).map((el) => el.outerHTML.slice(0, 80))", places
        )
        wrong.append(f"{places} instead of 0 to {expected['count'] - 1}; never reached: {missed}")
    return wrong


@pytest.mark.parametrize("family", FAMILIES)
def test_tab_reaches_everything_in_order_and_the_focus_is_seen(
    family: str, house: House, visitor: Callable[..., Page]
) -> None:
    page, wrong = visitor(reduced_motion="reduce", is_mobile=False), []
    deaf(page.context)
    for place in places_of(family, house):
        place.open(page)
        wrong += [f"{place.name}: {each}" for each in wrong_for_tab(page)]
    assert not wrong, "\n".join(wrong)


def tab_to(page: Page, selector: str) -> None:
    """Presses Tab until the element has the focus."""
    for _ in range(80):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {selector}")


def press(page: Page, selector: str) -> None:
    tab_to(page, selector)
    page.keyboard.press("Enter")


def test_a_round_is_entered_by_keyboard_alone(page: Page) -> None:
    address = start(page, "block")
    press(page, "a.go")
    page.wait_for_url("**/round")
    press(page, "[data-seat='0']")
    for number in (9, 14, 20):
        press(page, f"#grid [data-n='{number}']")
        expect(page.locator("#grid [data-n]:focus, #save:focus")).to_be_visible()
    expect(page.locator("#save")).to_be_focused()
    expect(page.locator("#preview [data-ok]")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(address)
    assert totals(page) == [43, 0, 0, 0]
    agrees(page, address)


def test_pips_can_be_typed(page: Page) -> None:
    address = start(page, "block")
    page.goto(f"{address}/round")
    press(page, "[data-seat='0']")
    for text in ("9", "14", "205"):
        for digit in text:
            page.keyboard.press(digit)
        if text == "205":  # one key too many
            page.keyboard.press("Backspace")
            page.keyboard.press("2")
            page.keyboard.press("0")
        page.keyboard.press("Enter")
    expect(page.locator(".chip-seat b")).to_have_text(["out", "9", "14", "20"])
    expect(page.locator("#save")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(address)
    assert totals(page) == [43, 0, 0, 0]


def test_the_focus_is_never_lost_while_questions_are_answered(page: Page) -> None:
    address = start(page, "gaple")
    page.goto(f"{address}/round")
    page.evaluate("""() => { window.lost = 0;
      addEventListener("keyup", (event) => event.key !== "Tab" && requestAnimationFrame(() => document.activeElement === document.body && lost++)); }""")
    press(page, "[data-ending=blocked]")
    for _ in range(4):
        press(page, "#grid [data-n='8']")
    for _ in range(4):
        press(page, "#none")
    expect(page.locator("#ask")).to_contain_text("lowest tile")
    for tile in ("0-2", "1-2", "0-3", "1-3"):
        press(page, f"#pad [data-tile='{tile}']")
    expect(page.locator("#preview [data-ok]")).to_be_visible()
    expect(page.locator("#save")).to_be_focused()
    assert page.evaluate("lost") == 0


def test_escape_closes_what_lies_over_the_page(house: House, visitor: Callable[..., Page]) -> None:
    page = visitor(is_mobile=False)
    page.goto(f"/m/{house.ids['pontas']['open']}/round")
    for panel in ("#ends", "#over"):
        press(page, f"{panel} > summary")
        expect(page.locator(f"{panel} .panel")).to_be_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        expect(page.locator(f"{panel} .panel")).to_be_hidden()
        expect(page.locator(f"{panel} > summary")).to_be_focused()


@pytest.mark.parametrize(
    ("variant", "names", "button"),
    [("pontas", FOUR, "button[value='play:0:10']"), ("domeng", (*FOUR, "Eka"), ".tap[value^='pass:2']")],
)
def test_the_focus_stays_on_what_was_pressed(page: Page, variant: str, names: tuple[str, ...], button: str) -> None:
    address = start(page, variant, names)
    page.goto(f"{address}/round")
    press(page, button)
    expect(page.locator("#main")).to_have_attribute("aria-busy", "false")
    expect(page.locator("form[action$=undo], [formaction$=undo]").first).to_be_visible()
    expect(page.locator(button)).to_be_focused()
