"""A phone whose browser remembers, can be killed, and is opened again; and the engine without which it can do little."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Error, Page, Playwright

from scorekeeper.web import runtime
from tests.browser import processes
from tests.browser.chromium import CHROMIUM_FLAGS, PHONE
from tests.conftest import find_chromium
from tests.serving import ROOT

BOOT = 120_000  # ms: on a busy machine
HOW_TO_BUILD = "run `make runtime`"
# Whether all that is needed without a network is on the phone.
KEPT = """async () => {
  const pages = await caches.open("pages");
  return Boolean(await pages.match("/runtime.json"));
}"""

# The app's own modules, as the page has them.
_MODULES = """
  const own = document.querySelector("script[src*='js/save']").src;
  const js = (name) => import(own.replace(/save.js.*/, name));
"""
# Whether the engine runs on this page; whether the server has all that was entered.
ENGINE = f"""async () => {{
  {_MODULES}
  return (await js("device.js")).ready();
}}"""
SENT = f"""async () => {{
  {_MODULES}
  const {{ all }} = await js("queue.js");
  const {{ waits }} = await js("line.js");
  return !(await all()).some(waits);
}}"""


def needs_engine() -> None:
    """Without the engine: a skip at home, a failure in CI."""
    if runtime.built(ROOT):
        return
    if os.environ.get("CI"):
        pytest.fail(f"the engine for browsers is not built, or from other sources: {HOW_TO_BUILD}", pytrace=False)
    pytest.skip(f"the engine for browsers is not built, or from other sources: {HOW_TO_BUILD}")


def until(page: Page, question: str, about: Any = None) -> None:
    """Waits for the answer yes to a question that takes time itself, which Playwright's own waiting does not: to it a
    promise is a yes. The page may be another one meanwhile."""
    for _ in range(BOOT // 100):
        with contextlib.suppress(Error):
            if page.evaluate(question, about):
                return
        page.wait_for_timeout(100)
    raise AssertionError(f"never: {question}")


def goes_on_alone(page: Page) -> None:
    """Waits until the phone has all that it needs without a network."""
    until(page, KEPT)
    page.wait_for_function("() => Boolean(navigator.serviceWorker.controller)", timeout=BOOT)


class Phone:
    """A browser with a memory of its own on the disk, which can be killed and opened again."""

    def __init__(self, playwright: Playwright, profile: Path, address: str) -> None:
        self.playwright, self.profile, self.address = playwright, profile, address
        self.context: BrowserContext | None = None

    def open(self, offline: bool = False) -> Page:
        """Its only page, blank."""
        self.context = self.playwright.chromium.launch_persistent_context(
            str(self.profile), executable_path=find_chromium(), args=CHROMIUM_FLAGS, base_url=self.address, **PHONE
        )
        self.context.set_offline(offline)
        return self.context.pages[0]

    def kill(self) -> None:
        """`kill -9` to all of this browser's processes: nothing is said goodbye to."""
        for process in processes.browser(self.profile):
            os.kill(process, signal.SIGKILL)
        assert self.context
        with contextlib.suppress(Exception):  # it is gone already
            self.context.close()
        self.context = None

    def close(self) -> None:
        if self.context:
            self.context.close()
