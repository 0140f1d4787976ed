"""Takes the README's screenshots of a running app: `python scripts/screenshots.py http://127.0.0.1:8000`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).parents[1] / "docs"
ROUNDS = [(0, 9, 4, 5), (2, 11, 14, 6), (None, 9, 14, 9, 20), (0, 12, 8, 7), (1, 2, 21, 18)]


def play(page: Page, out: int | None, *pips: int) -> None:
    """Enters one round from the table screen."""
    page.click("a.go")
    page.click("[data-ending=blocked]" if out is None else f"[data-seat='{out}']")
    for number in pips:
        page.click(f"#grid [data-n='{number}']")
    page.click("#save")
    page.wait_for_url("**/m/*")


def main(address: str) -> None:
    """Plays a few rounds and writes table.png, entry.png and night.png."""
    with sync_playwright() as play_wright:
        browser = play_wright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        phone = {"width": 390, "height": 844}
        page = browser.new_context(viewport=phone, base_url=address, reduced_motion="reduce").new_page()
        page.goto("/new/block")
        for seat, name in enumerate(("Ani", "Budi", "Citra", "Dewi")):
            page.fill(f"#name-{seat}", name)
        page.click("button[name=start]")
        page.wait_for_url("**/m/*")
        for round_ in ROUNDS:
            play(page, *round_)
        page.wait_for_timeout(300)
        page.screenshot(path=DOCS / "table.png")
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        page.screenshot(path=DOCS / "night.png")
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.click("a.go")
        for tap in ("[data-seat='3']", "#grid [data-n='9']", "#grid [data-n='14']"):
            page.click(tap)
        page.wait_for_timeout(300)
        page.screenshot(path=DOCS / "entry.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
