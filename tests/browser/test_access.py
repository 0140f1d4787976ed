"""Every page, in light, in dark and from right to left: axe finds nothing, fingers hit, eyes can read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from app import create_app
from scorekeeper.core.variants import VARIANTS
from tests.browser import probes
from tests.browser.places import FAMILIES, House, places_of

STILL = {"reduced_motion": "reduce"}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "right-to-left": {"locale": "en-XA"},
}
# Answers that are files or data, not pages; and the shell, which nobody sees at its own address.
NO_PAGES = {"home.manifest", "home.healthz", "metrics.metrics", "metrics.readyz", "match.export_json",
            "match.export_csv", "match.sheet", "accounts.way_in", "accounts.export", "ranking_json.seeds",
            "ranking_json.result", "device.runtime", "device.service_worker", "device.events", "device.shell"}
axe = Axe()


def violations(page: Page) -> list[str]:
    """What axe finds on a page and text too pale to read, one line for each element."""
    page.wait_for_load_state("load")
    found = axe.run(page).response["violations"]
    return list(page.evaluate(probes.PALE)) + [
        f"{each['id']}: {node['html'][:160]} | {' '.join(node['failureSummary'].split())[:200]}"
        for each in found
        for node in each["nodes"]
    ]


def wrong_for_hand_and_eye(page: Page) -> list[str]:
    """Targets below 44 px, text below 16 px, controls on which a double tap zooms, and motion though it is not wanted."""
    return [
        *(f"target {each}" for each in page.evaluate(probes.SMALL_TARGETS)),
        *(f"text {each}" for each in page.evaluate(probes.SMALL_TEXT)),
        *(f"double tap {each}" for each in page.evaluate(probes.ZOOMS_ON_DOUBLE_TAP)),
        *(f"moves {each}" for each in page.evaluate(probes.MOVES)),
    ]


def ask_everywhere(page: Page, family: str, house: House, ask: Callable[[Page], list[str]]) -> None:
    """Fails with everything that is wrong at any place of the family."""
    wrong = []
    for place in places_of(family, house):
        place.open(page)
        wrong += [f"{place.name}: {each}" for each in ask(page)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(look: str, family: str, house: House, visitor: Callable[..., Page]) -> None:
    page = visitor(**STILL, **LOOKS[look])
    page.goto("/")
    assert page.evaluate("document.dir") == ("rtl" if look == "right-to-left" else "ltr")
    ask_everywhere(page, family, house, violations)


@pytest.mark.parametrize("family", FAMILIES)
def test_targets_are_44_px_text_is_16_px_and_nothing_moves(
    family: str, house: House, visitor: Callable[..., Page]
) -> None:
    page = visitor(**STILL)
    ask_everywhere(page, family, house, wrong_for_hand_and_eye)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_entry_without_a_script(variant: str, house: House, visitor: Callable[..., Page]) -> None:
    """Axe is a script itself: the page is put by hand into the state it has where scripts are off."""
    page = visitor(**STILL)
    page.route("**/js/*.js", lambda route: route.abort())
    page.goto(f"/m/{house.ids[variant]['playing']}/round")
    page.evaluate("""for (const [seen, how] of [[".js", "none"], [".plain", "block"]])
      for (const el of document.querySelectorAll(seen)) el.style.display = how""")
    assert violations(page) == []
    off = visitor(**STILL, java_script_enabled=False)
    off.goto(f"/m/{house.ids[variant]['playing']}/round")
    assert wrong_for_hand_and_eye(off) == []


def test_a_chosen_theme_is_the_same_as_the_phones(house: House, visitor: Callable[..., Page]) -> None:
    colours = """() => { const style = getComputedStyle(document.documentElement), found = {};
      for (const sheet of document.styleSheets) for (const rule of sheet.cssRules)
        if (rule.selectorText === ":root") for (const name of rule.style) if (name.startsWith("--")) found[name] = style.getPropertyValue(name).trim();
      return { ...found, scheme: style.colorScheme }; }"""
    page = visitor(color_scheme="light")
    seen = {}
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for phone in themes:
        page.emulate_media(color_scheme=phone)
        page.goto("/")
        seen[phone] = page.evaluate(colours)
    assert len(seen["light"]) > 20 and seen["light"] != seen["dark"]
    for chosen, phone in zip(themes, reversed(themes), strict=True):
        page.emulate_media(color_scheme=phone)
        page.goto("/")
        with page.expect_navigation():
            page.tap(f"[name=theme][value={chosen}]")
        assert page.evaluate(colours) == seen[chosen]


def test_every_page_there_is_was_asked(house: House, visitor: Callable[..., Page], tmp_path: Path) -> None:
    """A new route is a new page to look at: its place has to be told in places.py."""
    app = create_app({"DATA": str(tmp_path)})
    routes = app.url_map.bind("localhost")
    seen = {
        routes.match(place.path.partition("?")[0])[0] for family in FAMILIES for place in places_of(family, house) if place.status == 200
    }
    seen.add("match.correct")  # reached by following a link on the table screen
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith("api.") and rule.endpoint not in NO_PAGES
    }
    assert seen == pages
    request = visitor().request
    for path in (
        "/manifest.webmanifest",
        "/healthz",
        *(f"/m/{house.ids['block']['playing']}/{name}" for name in ("match.json", "match.csv", "sheet.svg")),
    ):
        assert not request.get(path).headers["content-type"].startswith("text/html")
