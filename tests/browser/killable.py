"""A browser that can be killed and opened again, for what is only kept if it was on the disk."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Playwright

from tests.browser import processes
from tests.browser.chromium import CHROMIUM_FLAGS, PHONE
from tests.conftest import find_chromium


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
