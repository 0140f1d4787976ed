"""Narrow phones, large text, no page that jumps, and an entry page that never scrolls."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from scorekeeper.core.variants import VARIANTS
from tests.browser import probes
from tests.browser.places import FAMILIES, House, by_number, by_tiles, places_of

TALL = 844
SLOW_ANSWER = 0.7  # s: later than what a browser still takes for the answer to a tap


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("locale", ["id", "en-XA"])
def test_nothing_is_wider_than_the_screen(locale: str, family: str, house: House, visitor: Callable[..., Page]) -> None:
    page, wrong = visitor(locale=locale, reduced_motion="reduce"), []
    for place in places_of(family, house):
        place.open(page)
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": TALL})
            wrong += [f"{width} px, {place.name}: {each}" for each in page.evaluate(probes.WIDER_THAN_SCREEN)]
            wrong += [f"{width} px, {place.name}: {each}" for each in page.evaluate(probes.SMALL_TEXT)]
        page.set_viewport_size({"width": 390, "height": TALL})
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("family", FAMILIES)
def test_text_twice_as_large_is_usable(family: str, house: House, visitor: Callable[..., Page]) -> None:
    page, wrong = visitor(reduced_motion="reduce"), []
    for place in places_of(family, house):
        place.open(page)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        found = [*page.evaluate(probes.WIDER_THAN_SCREEN), *page.evaluate(probes.UNUSABLE)]
        wrong += [f"{place.name}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("locale", ["en", "id"])
def test_entering_a_round_never_scrolls(locale: str, variant: str, house: House, visitor: Callable[..., Page]) -> None:
    page, wrong = visitor(locale=locale, reduced_motion="reduce"), []
    for place in places_of(variant, house):
        if place.name.startswith("entry") and "conflict" not in place.name:
            place.open(page)
            height = page.evaluate("document.scrollingElement.scrollHeight")
            if height > TALL:
                wrong.append(f"{place.name}: {height} px high")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_jumps_while_a_page_loads(variant: str, house: House, visitor: Callable[..., Page]) -> None:
    wrong = []
    for place in places_of(variant, house):
        if place.act is None and place.name.startswith(("table", "entry")):
            page = visitor()
            page.add_init_script(probes.WATCH_SHIFTS)
            place.open(page)
            page.wait_for_timeout(200)
            wrong += [f"{place.name}: {each}" for each in page.evaluate("shifts")]
            page.context.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("variant", ["block", "gaple"])
@pytest.mark.parametrize("how", [by_number, by_tiles])
def test_nothing_jumps_while_a_round_is_entered(
    how: Callable[[Page], None], variant: str, house: House, visitor: Callable[..., Page]
) -> None:
    """The verdict comes late, as over a slow network: nothing that could be tapped then may move."""

    def late(route: Route) -> None:
        time.sleep(SLOW_ANSWER)
        route.continue_()

    page = visitor()
    page.add_init_script(probes.WATCH_SHIFTS)
    page.route("**/preview*", late)
    page.goto(f"/m/{house.ids[variant]['playing']}/round")
    how(page)
    page.wait_for_timeout(200)
    assert page.evaluate("shifts") == []
