"""Scorekeeping without network and server: what is entered is safe on the phone, and on the server once it is back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser import test_block_match as block
from tests.browser.handset import BOOT, KEPT, Phone, needs_engine
from tests.browser.tables import start, totals, true_tally
from tests.serving import Server, serving, stop
from tests.serving import start as serve

ENV = {"SCOREKEEPER_WRITES": "9999 per second"}
# How many events of the match of the page the phone keeps, and how many of those no server has.
KEEPS = """async (id) => {
  const asked = indexedDB.open("scoring", 1);
  const database = await new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = asked.onupgradeneeded = () => failed(asked.error);
  }).catch(() => null);
  if (!database) return null;
  const got = database.transaction("matches").objectStore("matches").get(id);
  const record = await new Promise((done) => (got.onsuccess = () => done(got.result)));
  database.close();
  return record && [record.events?.length, record.line?.length];
}"""


@pytest.fixture(scope="module", autouse=True)
def built() -> Iterator[None]:
    needs_engine()
    expect.set_options(timeout=BOOT)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "data", env=ENV) as running:
        yield running


@pytest.fixture
def phone(playwright: Playwright, tmp_path: Path, own_server: Server) -> Iterator[Phone]:
    made = Phone(playwright, tmp_path / "profile", own_server.url)
    yield made
    made.close()


@pytest.fixture
def again(own_server: Server) -> Iterator[Any]:
    """Starts the server again where it was."""
    started: list[Server] = []

    def back() -> None:
        started.append(serve(own_server.data, int(own_server.url.rsplit(":", 1)[1]), env=ENV))

    yield back
    for one in started:
        stop(one)


def id_of(page: Page) -> str:
    return page.url.split("/m/")[1].split("/")[0]


def kept(page: Page, match_id: str, events: int) -> None:
    """Waits until the phone has all that it needs to go on alone."""
    page.wait_for_function(KEPT, timeout=BOOT)
    page.wait_for_function("() => Boolean(navigator.serviceWorker.controller)", timeout=BOOT)
    page.wait_for_function(f"async () => (await ({KEEPS})({match_id!r}))?.[0] === {events}", timeout=BOOT)


def test_a_match_goes_on_when_the_server_stops(phone: Phone, own_server: Server, again: Any) -> None:
    page = phone.open()
    page.set_default_timeout(BOOT)
    address = start(page, "block")
    kept(page, id_of(page), 1)
    own_server.kill()

    block.enter(page, 0, 9, 14, 20)
    assert totals(page) == [43, 0, 0, 0]
    expect(page.locator("#kept")).to_contain_text("1 round on this phone only")
    block.enter(page, None, 9, 14, 9, 20)
    expect(page.locator("#kept")).to_contain_text("2 rounds on this phone only")
    page.reload()
    expect(page.locator(".rounds > li")).to_have_count(2)

    again()
    expect(page.locator("#kept")).to_have_count(0)
    expect(page.locator(".rounds > li")).to_have_count(2)
    tally = true_tally(page, address)
    assert tally["totals"] == totals(page) and len(tally["rounds"]) == 2
