"""A phone in the hand: Chromium at 390x844 with touch, and the real server behind it.

`page` opens paths of that server (`page.goto("/")`); a test that wants another size or theme makes
its own context: `new_context(viewport=..., color_scheme="dark")`.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page

from tests.browser.chromium import CHROMIUM_FLAGS, PHONE
from tests.browser.mistakes import mistakes
from tests.browser.places import House, furnish
from tests.conftest import find_chromium
from tests.serving import Server, serving

# The made-up language is on offer, and a test's many writes are no flood.
FOR_TESTS = {"SCOREKEEPER_PSEUDO": "1", "SCOREKEEPER_WRITES": "9999 per second"}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`python app.py` on a port and data folder of its own; `server.url` is its address."""
    with serving(tmp_path_factory.mktemp("data"), env=FOR_TESTS) as running:
        yield running


@pytest.fixture(scope="session")
def base_url(server: Server) -> str:
    """Makes paths in `page.goto("/...")` mean the server under test."""
    return server.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": find_chromium(), "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A phone at its first visit, for as long as a test takes: what makes it go on alone stays away."""
    return {**browser_context_args, **PHONE, "service_workers": "block"}


@pytest.fixture(scope="session")
def house(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[House]:
    """Matches in every state, for tests that look at all pages."""
    context = browser.new_context(**browser_context_args)
    yield furnish(context)
    context.close()


@pytest.fixture
def visitor(browser: Browser, browser_context_args: dict[str, Any], house: House) -> Iterator[Callable[..., Page]]:
    """Makes a page for the owner of the `house`; `visitor(color_scheme="dark")` changes the phone."""
    made: list[BrowserContext] = []

    def visit(**changes: Any) -> Page:
        made.append(browser.new_context(**{**browser_context_args, "storage_state": house.cookie, **changes}))
        return made[-1].new_page()

    yield visit
    for context in made:
        context.close()


@pytest.fixture
def phone(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Callable[..., Page]]:
    """Makes a phone; an error or an alert in its pages fails the test."""
    made: list[BrowserContext] = []
    wrong: list[str] = []
    thrown: list[list[str]] = []

    def alarmed(dialog: Dialog) -> None:
        wrong.append(dialog.message)
        dialog.dismiss()

    def make(**changes: Any) -> Page:
        made.append(browser.new_context(**{**browser_context_args, **changes}))
        page = made[-1].new_page()
        thrown.append(mistakes(page))
        page.on("dialog", alarmed)
        return page

    yield make
    for context in made:
        context.close()
    assert wrong == [] and not any(thrown), (wrong, thrown)
