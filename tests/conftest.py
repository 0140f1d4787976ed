"""What every test shares: worked examples, Hypothesis' settings, databases, and tests that never vanish quietly."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.shared_cases import load_cases

__all__ = ["load_cases"]

BROWSER_TESTS = Path(__file__).parent / "browser"
SCALE_TESTS = Path(__file__).parent / "scale"
DATABASES = ("sqlite", "postgresql")
NOT_ASKED = "SCOREKEEPER_SCALE is not set"
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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests marked `each_database` run on every one of them, with the fixture `database` as its name."""
    if "database" in metafunc.fixturenames and metafunc.definition.get_closest_marker("each_database"):
        others = [pytest.param(name, marks=pytest.mark.scale) for name in DATABASES[1:]]
        metafunc.parametrize("database", [DATABASES[0], *others], scope="session")


@pytest.fixture(scope="session")
def database() -> str:
    """The kind of database that a test runs on."""
    return DATABASES[0]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """A running PostgreSQL of our own (tests/scale/services.py)."""
    from tests.scale import services

    with services.folder() as home:
        service = services.Postgres(home)
        service.start()
        yield service
        service.stop()


@pytest.fixture(scope="session")
def redis() -> Iterator[Any]:
    """A running Redis of our own."""
    from tests.scale import services

    with services.folder() as home:
        service = services.Redis(home)
        service.start()
        yield service
        service.stop()


@pytest.fixture(scope="module")
def site(postgres: Any, redis: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Two app processes behind nginx (tests/scale/site.py); one for a file of tests."""
    from tests.scale.site import running

    with running(postgres, redis, tmp_path_factory.mktemp("site")) as made:
        yield made


@pytest.fixture
def url(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database of its own."""
    if database == "sqlite":
        yield f"sqlite:///{tmp_path / 'log.db'}"
        return
    postgres = request.getfixturevalue("postgres")
    address: str = postgres.fresh()
    yield address
    postgres.back(address)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the browser tests and those of several processes; a file of them stays on one worker and its server.

    Raises UsageError where two tests have the same id: with several workers only one of them would be run.
    """
    twice = sorted(name for name, count in Counter(item.nodeid for item in items).items() if count > 1)
    if twice:
        raise pytest.UsageError(f"these ids belong to several tests: {', '.join(twice)}")
    for item in items:
        if BROWSER_TESTS in item.path.parents:
            item.add_marker("browser")
            item.add_marker(pytest.mark.xdist_group(f"browser-{item.path.stem}"))
        if SCALE_TESTS in item.path.parents:
            item.add_marker("scale")
            item.add_marker(pytest.mark.xdist_group(f"scale-{item.path.stem}"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Without Chromium: a skip at home, told again in the summary; a failure in CI."""
    if item.get_closest_marker("browser") and not find_chromium():
        if os.environ.get("CI"):
            pytest.fail(f"no Chromium: {HOW_TO_GET_CHROMIUM}", pytrace=False)
        pytest.skip("no Chromium")
    if item.get_closest_marker("scale") and not os.environ.get("SCOREKEEPER_SCALE"):
        pytest.skip(NOT_ASKED)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Says last, in red, how many tests did not run for want of a browser, or of PostgreSQL, Redis and nginx."""
    yield
    skipped = terminalreporter.stats.get("skipped", [])
    apart = sum("scale" in each.keywords and NOT_ASKED in str(each.longrepr) for each in skipped)
    if apart:
        terminalreporter.write_line(
            f"{apart} tests on PostgreSQL, Redis and nginx did NOT run here: `make test-scale` runs them.",
            red=True,
            bold=True,
        )
    missing = sum("browser" in each.keywords and "no Chromium" in str(each.longrepr) for each in skipped)
    if missing:
        terminalreporter.write_line(
            f"{missing} browser tests did NOT run: there is no Chromium. To run them, {HOW_TO_GET_CHROMIUM}.",
            red=True,
            bold=True,
        )
