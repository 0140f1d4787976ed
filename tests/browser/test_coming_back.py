"""A phone that slept, or lost the network or the server, comes back by itself, whatever it missed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from scorekeeper.store import backup
from tests.browser.chromium import PHONE
from tests.browser.joining import FOLLOWS, answer, join, save, share, shows, stayed, stays
from tests.browser.tables import start
from tests.serving import Server, serving
from tests.serving import start as start_server

ENOUGH = 2_000  # ms after which a phone that has a network again is right; by its own clock, which the tests move
LONG = 100_000
SLEEPS = """(asleep) => {
  Object.defineProperty(document, "visibilityState", { value: asleep ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def fails(route: Route) -> None:
    route.abort("internetdisconnected")


@dataclass
class Evening:
    """Somebody who scores, and somebody who watches; the clock of whoever watches stands still."""

    owner: Page
    watcher: Page

    def round(self) -> None:
        answer(self.owner, 0, 9, 14, 20)
        save(self.owner)

    def right_soon(self) -> None:
        """Whether what was missed is there within two seconds, on the same page."""
        self.watcher.clock.run_for(ENOUGH)
        shows(self.watcher, 43, 0, 0, 0)
        assert stayed(self.watcher)
        expect(self.watcher.locator(".toast.away")).to_have_count(0)


@pytest.fixture
def evening(phone: Callable[..., Page]) -> Evening:
    owner, watcher = phone(), phone()
    address = start(owner, "block")
    watch = share(owner)
    owner.goto(address)
    watcher.clock.install()
    join(watcher, watch)
    stays(watcher)
    watcher.clock.pause_at(watcher.evaluate("Date.now()") + 1000)
    return Evening(owner, watcher)


def test_after_a_network_that_was_gone(evening: Evening) -> None:
    evening.watcher.context.set_offline(True)
    evening.watcher.clock.run_for(ENOUGH + 1)
    expect(evening.watcher.locator(".toast.away")).to_be_visible()
    evening.watcher.clock.run_for(LONG)
    evening.round()
    evening.watcher.context.set_offline(False)
    evening.right_soon()


def test_after_a_network_of_which_nobody_said_that_it_was_gone(evening: Evening) -> None:
    """Connected to what leads nowhere: nothing tells the page when that changes."""
    evening.watcher.route("**/*", fails)
    evening.watcher.evaluate("dispatchEvent(new Event('offline'))")
    evening.round()
    evening.watcher.clock.run_for(LONG)
    expect(evening.watcher.locator(".toast.away")).to_be_visible()
    evening.watcher.unroute("**/*")
    evening.right_soon()


@pytest.mark.parametrize("slept", [ENOUGH + 1, LONG])
def test_after_a_sleep(evening: Evening, slept: int) -> None:
    evening.watcher.evaluate(SLEEPS, True)
    evening.watcher.clock.fast_forward(slept)
    evening.round()
    evening.watcher.evaluate(SLEEPS, False)
    evening.right_soon()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    with serving(tmp_path) as running:
        yield running


@pytest.fixture
def own_phone(browser: Browser, own_server: Server) -> Iterator[Callable[[], Page]]:
    """New phones of that server."""
    opened: list[BrowserContext] = []

    def phone() -> Page:
        opened.append(browser.new_context(**{**PHONE, "base_url": own_server.url}))
        return opened[-1].new_page()

    yield phone
    for context in opened:
        context.close()


@contextmanager
def started_again(server: Server) -> Iterator[None]:
    again = start_server(server.data, int(server.url.rpartition(":")[2]))
    try:
        yield
    finally:
        again.kill()


def test_when_the_server_comes_back_so_does_every_phone(own_phone: Callable[[], Page], own_server: Server) -> None:
    owner = own_phone()
    address = start(owner, "block")
    watcher = join(own_phone(), share(owner))
    owner.goto(address)
    stays(watcher)
    own_server.kill()
    expect(watcher.locator(".toast.away")).to_be_visible()
    with started_again(own_server):
        expect(watcher.locator(FOLLOWS)).to_have_count(1)
        expect(watcher.locator(".toast.away")).to_have_count(0)
        answer(owner, 0, 9, 14, 20)
        save(owner)
        shows(watcher, 43, 0, 0, 0)
        assert stayed(watcher)


def test_a_page_that_was_left_open_shows_what_an_older_copy_has(
    own_phone: Callable[[], Page], own_server: Server, tmp_path: Path
) -> None:
    """After a restore the server knows less than the phones that come back to it."""
    owner = own_phone()
    address = start(owner, "block")
    watcher = join(own_phone(), share(owner))
    owner.goto(address)
    stays(watcher)
    database, copy = own_server.data / "scorekeeper.db", tmp_path / "copy"
    backup.backup(database, copy, {})
    answer(owner, 0, 9, 14, 20)
    save(owner)
    shows(watcher, 43, 0, 0, 0)
    own_server.kill()
    backup.restore(copy, database, {})
    with started_again(own_server):
        for page in (owner, watcher):
            shows(page, 0, 0, 0, 0)
        assert stayed(watcher)
