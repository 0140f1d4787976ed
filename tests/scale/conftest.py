"""Two app processes behind nginx, on PostgreSQL and Redis."""

import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests import serving


@dataclass
class Site:
    """What is running. `processes`: the app's, which can be killed and started again; `url`: nginx."""

    home: Path
    env: dict[str, str]
    redis: Any
    processes: list[serving.Server] = field(default_factory=list)
    nginx: Any = None

    @property
    def url(self) -> str:
        """Where phones go."""
        return str(self.nginx.url)

    def start(self, number: int) -> serving.Server:
        """Starts a process, on the port it had before if it ran already."""
        port = int(self.processes[number].url.rpartition(":")[2]) if number < len(self.processes) else None
        started = serving.start(self.home / str(number), port, self.env)
        self.processes[number : number + 1] = [started]
        return started


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
def site(postgres: Any, redis: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Everything, running; one for a file of tests."""
    from tests.scale import services

    env = {
        "SCOREKEEPER_DATABASE": postgres.fresh(),
        "SCOREKEEPER_REDIS": redis.url,
        "SCOREKEEPER_SECRET": secrets.token_hex(16),
        "SCOREKEEPER_PROXY": "1",
        "SCOREKEEPER_WRITES": "1000000 per minute",
    }
    made = Site(tmp_path_factory.mktemp("site"), env, redis)
    with ExitStack() as stack:
        for number in range(2):
            made.start(number)
            stack.callback(lambda number: serving.stop(made.processes[number]), number)
        home = stack.enter_context(services.folder())
        ports = [int(process.url.rpartition(":")[2]) for process in made.processes]
        made.nginx = services.Nginx(home, ports)
        made.nginx.start()
        stack.callback(made.nginx.stop)
        yield made
