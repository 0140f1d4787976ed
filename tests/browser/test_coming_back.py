"""A phone that slept, or lost the network or the server, comes back by itself, whatever it missed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import PHONE
from tests.browser.joining import FOLLOWS, answer, join, save, share, shows, stayed, stays
from tests.browser.tables import start
from tests.serving import Server, serving
from tests.serving import start as start_server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    with serving(tmp_path) as running:
        yield running


def test_when_the_server_comes_back_so_does_every_phone(browser: Browser, own_server: Server) -> None:
    def phone() -> Page:
        return browser.new_context(**{**PHONE, "base_url": own_server.url}).new_page()

    owner = phone()
    address = start(owner, "block")
    watcher = join(phone(), share(owner))
    owner.goto(address)
    stays(watcher)
    own_server.kill()
    expect(watcher.locator(".toast.away")).to_be_visible()
    again = start_server(own_server.data, int(own_server.url.rpartition(":")[2]))
    try:
        expect(watcher.locator(FOLLOWS)).to_have_count(1)
        expect(watcher.locator(".toast.away")).to_have_count(0)
        answer(owner, 0, 9, 14, 20)
        save(owner)
        shows(watcher, 43, 0, 0, 0)
        assert stayed(watcher)
    finally:
        for page in (owner, watcher):
            page.context.close()
        again.kill()
