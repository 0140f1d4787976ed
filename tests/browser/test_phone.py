"""As an app on a phone: installable, awake while the match is on, and still under the second tap."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.mistakes import mistakes
from tests.browser.places import House

WAKE_LOCK = """
window.asked = [];
Object.defineProperty(Navigator.prototype, "wakeLock", { value: { request: async (kind) => {
  const lock = { released: false, release: async () => (lock.released = true) };
  asked.push({ kind, lock });
  return lock;
} } });
"""

REFUSED = """
window.refused = 0;
Object.defineProperty(Navigator.prototype, "wakeLock", { value: { request: async () => {
  refused++;
  throw new DOMException("the battery is low", "NotAllowedError");
} } });
"""


def test_the_table_screen_stays_awake(house: House, visitor: Callable[..., Page]) -> None:
    page = visitor()
    page.add_init_script(WAKE_LOCK)
    page.goto(f"/m/{house.ids['block']['playing']}")
    expect(page.locator("html")).to_have_attribute("data-awake", "yes")
    assert page.evaluate("asked.map((each) => each.kind)") == ["screen"]
    # A phone drops the lock when the page is put away; it is asked for again when the page comes back.
    page.evaluate("asked[0].lock.released = true; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("asked.length") == 2


def test_a_refused_wake_lock_harms_nothing(house: House, visitor: Callable[..., Page]) -> None:
    page = visitor()
    errors = mistakes(page)
    page.add_init_script(REFUSED)
    page.goto(f"/m/{house.ids['block']['playing']}")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("refused") == 1
    assert errors == []


def test_it_can_be_installed(page: Page) -> None:
    page.goto("/")
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert manifest["name"] and manifest["short_name"] and manifest["start_url"] == "/"
    assert manifest["display"] == "standalone"
    sizes = set()
    for icon in manifest["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.ok and answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = (int.from_bytes(answer.body()[at : at + 4], "big") for at in (16, 20))
            assert icon["sizes"] == f"{width}x{height}"
            sizes.add((width, icon.get("purpose", "any")))
    assert {(192, "any"), (512, "any"), (512, "maskable")} <= sizes


def test_two_fast_taps_do_not_zoom(house: House, visitor: Callable[..., Page]) -> None:
    page = visitor()
    page.goto(f"/m/{house.ids['block']['playing']}/round")
    page.tap("[data-seat='0']")
    box = page.locator("#grid [data-n='12']").bounding_box()
    assert box
    for _ in range(2):
        page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    page.wait_for_timeout(400)
    assert page.evaluate("visualViewport.scale") == 1
