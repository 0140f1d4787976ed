"""What every test shares: worked examples, Hypothesis' settings, browser tests that never vanish quietly."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.shared_cases import load_cases

__all__ = ["load_cases"]

BROWSER_TESTS = Path(__file__).parent / "browser"
HOW_TO_GET_CHROMIUM = "run `make browser` (as root on Debian), or install Chromium or Chrome yourself"

# No test is judged by the clock; in CI the same examples come every time.
settings.register_profile("here", deadline=None, print_blob=True)
settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def find_chromium() -> str | None:
    """Path of an installed Chromium or Chrome; None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, names) if path), None)


@pytest.fixture(scope="session")
def shared_cases():
    """`load_cases` as a fixture: `shared_cases("gaple")`."""
    return load_cases


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the browser tests; a file of them stays on one worker, so that it shares one server.

    Raises UsageError where two tests have the same id: with several workers only one of them would be run.
    """
    twice = sorted(name for name, count in Counter(item.nodeid for item in items).items() if count > 1)
    if twice:
        raise pytest.UsageError(f"these ids belong to several tests: {', '.join(twice)}")
    for item in items:
        if BROWSER_TESTS in item.path.parents:
            item.add_marker("browser")
            item.add_marker(pytest.mark.xdist_group(f"browser-{item.path.stem}"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Without Chromium: a skip at home, told again in the summary; a failure in CI."""
    if item.get_closest_marker("browser") and not find_chromium():
        if os.environ.get("CI"):
            pytest.fail(f"no Chromium: {HOW_TO_GET_CHROMIUM}", pytrace=False)
        pytest.skip("no Chromium")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Says last, in red, how many browser tests did not run."""
    yield
    skipped = terminalreporter.stats.get("skipped", [])
    missing = sum("browser" in each.keywords and "no Chromium" in str(each.longrepr) for each in skipped)
    if missing:
        terminalreporter.write_line(
            f"{missing} browser tests did NOT run: there is no Chromium. To run them, {HOW_TO_GET_CHROMIUM}.",
            red=True,
            bold=True,
        )
