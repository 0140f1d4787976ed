"""A log on a fresh file, closed after the test."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from scorekeeper.core.errors import Invalid
from scorekeeper.store.log import Log


def check(existing: list[dict[str, Any]], new: list[dict[str, Any]]) -> None:
    """Stands in for the core's: refuses the type "wrong", and more than one "finished"."""
    kinds = [each["type"] for each in existing + new]
    if "wrong" in kinds or kinds.count("finished") > 1:
        raise Invalid("wrong", "this may not happen", "events[0]")


class Clock:
    """A clock that moves a minute each time it is looked at."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 30, 19, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.moment += timedelta(minutes=1)
        return self.moment


@pytest.fixture
def open_log(url: str) -> Iterator[Callable[[], Log]]:
    """Opens the log of this test, again and again if need be; closes what is still open."""
    opened: list[Log] = []

    def open_it() -> Log:
        opened.append(Log(url, check, Clock()))
        return opened[-1]

    yield open_it
    for log in opened:
        log.close()


@pytest.fixture
def log(open_log: Callable[[], Log]) -> Log:
    return open_log()
