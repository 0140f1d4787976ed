"""A first visit on a slow phone: 1.44 Mbit/s, 150 ms, a processor slowed down four times; and its weight."""

import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench import Row
from scorekeeper.core.variants import VARIANTS
from tests.browser.chromium import CHROMIUM_FLAGS, PHONE
from tests.browser.places import furnish
from tests.browser.wire import cold_visit, first_paint
from tests.conftest import find_chromium
from tests.serving import serving

VISITS = 5
PLAINEST = "/healthz"  # one line of text


def bench() -> list[Row]:
    """The median of five cold visits each, compared with the plainest answer the same server gives. Needs Chromium."""
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        context = browser.new_context(**PHONE, base_url=server.url)
        house = furnish(context)
        phone = {**PHONE, "base_url": server.url, "storage_state": house.cookie}
        plainest = paint(browser, phone, PLAINEST)
        rows = [Row("one line of text, first paint", plainest, "s")]
        for variant in VARIANTS:
            match = f"/m/{house.ids[variant].get('open') or house.ids[variant]['playing']}"
            for name, path in ((f"{variant} table", match), (f"{variant} entry", f"{match}/round")):
                shown = paint(browser, phone, path)
                rows.append(Row(f"{name}, first paint", shown, "s", "one line of text", shown / plainest))
                weight = sum(cold_visit(browser.new_context(**phone), path).values()) / 1000
                rows.append(Row(f"{name}, first visit", weight, "kB", "60 kB", weight / 60))
        browser.close()
        return rows


def paint(browser: Browser, phone: dict[str, Any], path: str) -> float:
    """Seconds to the first paint of a page, the median of cold visits."""
    found = []
    for _ in range(VISITS):
        context = browser.new_context(**phone)
        found.append(first_paint(context, path))
        context.close()
    return median(found)
