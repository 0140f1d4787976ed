"""Two app processes behind nginx, on PostgreSQL and Redis."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


def env_of(database: str, redis: str = "") -> dict[str, str]:
    """Settings of an app process that others run beside."""
    return {
        "SCOREKEEPER_DATABASE": database,
        "SCOREKEEPER_REDIS": redis,
        "SCOREKEEPER_SECRET": secrets.token_hex(16),
        "SCOREKEEPER_PROXY": "1",
        "SCOREKEEPER_WRITES": "1000000 per minute",
    }


@contextmanager
def running(postgres: Any, redis: Any, home: Path) -> Iterator[Site]:
    """Everything, on a database of its own; stopped at the end of the block."""
    from tests.scale import services

    made = Site(home, env_of(postgres.fresh(), redis.fresh()), redis)
    with ExitStack() as stack:
        for number in range(2):
            made.start(number)
            stack.callback(lambda number: serving.stop(made.processes[number]), number)
        folder = stack.enter_context(services.folder())
        ports = [int(process.url.rpartition(":")[2]) for process in made.processes]
        made.nginx = services.Nginx(folder, ports)
        made.nginx.start()
        stack.callback(made.nginx.stop)
        yield made


def killing(site: Site) -> Callable[[], serving.Server]:
    """Each call starts the process again that the last one gave, and gives one to be killed, whichever it is."""
    dice = random.Random(4)
    dead: list[int] = []

    def start() -> serving.Server:
        if dead:
            site.start(dead.pop())
        dead.append(dice.randrange(2))
        return site.processes[dead[0]]

    return start
