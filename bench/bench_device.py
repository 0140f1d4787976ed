"""The engine in Chromium's worker: its bytes over the wire, its boot, and how fast it is against this Python.

Needs Chromium and `make runtime`. Seconds are the processor's, of the worker's thread alone: the browser compiles on
others beside it.
"""

from __future__ import annotations

import inspect
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench import Row
from bench.bench_engine import simulated
from scorekeeper.core.engine.session import Session, new
from tests.browser import processes
from tests.browser.chromium import CHROMIUM_FLAGS, PHONE
from tests.conftest import find_chromium
from tests.core.tables import TABLES, open_match
from tests.serving import serving

BOOTS = 5
ROUNDS = 4000
MOST_BYTES = 4.5e6
MOST_BOOT = 1.0  # s
MOST_MOVE = 1.5  # s
MATCH = {"variant": "block", "rules": {}, "seed": 5, "seats": ["human", "normal", "normal", "normal"]}
# A worker of the page's origin that boots the app's own worker and runs a piece of Python in it.
WORKER = "/bench-worker.js"
SCRIPT = """
import {{ boot }} from "{static}js/worker.js";
const where = await (await fetch("/runtime.json")).json();
const python = await boot(where);
addEventListener("message", ({{ data }}) => data.python && postMessage({{ done: python.runPython(data.python) }}));
postMessage({{ booted: true }});
"""
# Starts the app's worker and has a match started in it.
FIRST_STEP = """async (match) => {
  const where = await (await fetch("/runtime.json")).json();
  const worker = new Worker(where.home.static + "js/worker.js", { type: "module", name: "engine" });
  const told = (wanted) => new Promise((done, failed) => {
    worker.onmessage = ({ data }) => (data.fatal || data.failed ? failed(data) : data[wanted] && done(data[wanted]));
  });
  const ready = told("ready");
  worker.postMessage({ boot: where });
  await ready;
  const answer = told("answer");
  worker.postMessage({ id: 1, request: JSON.stringify({ do: "start", language: "en", ...match, home: where.home }) });
  return (await answer).length;
}"""
START = """(address) => new Promise((done, failed) => {
  globalThis.bench = new Worker(address, { type: "module" });
  bench.onmessage = ({ data }) => (data.fatal ? failed(data.fatal) : data.booted && done());
})"""
RUN = """(python) => new Promise((done) => {
  bench.onmessage = ({ data }) => "done" in data && done(data.done);
  bench.postMessage({ python });
})"""


def bench() -> list[Row]:
    """Each row against its limit; speeds against this Python, in one run."""
    with browser() as (page, profile):
        size = on_the_wire(page)
        boot = median(boot_seconds(page, profile) for _ in range(BOOTS))
        rows = [
            Row("engine and app over the wire, brotli", size / 1e6, "MB", "limit 4.5 MB", size / MOST_BYTES),
            Row(f"warm boot to the first step, median of {BOOTS}", boot, "CPU-s", "limit 1.0 s", boot / MOST_BOOT),
        ]
        run = starts(page, profile)
        for table in ("block", "pontas"):
            there, here = run(rounds_source(table), ROUNDS), natively(partial(play_rounds, table), ROUNDS)
            rows.append(Row(f"{table}, random rounds in the worker", there, "rounds/s", "this Python", there / here))
        moves = bot_moves("master")
        there, here = run(moves_source("master"), moves), natively(partial(bot_moves, "master"), moves)
        rows.append(Row("Master's move in the worker, mean", 1 / there, "CPU-s", "limit 1.5 s", 1 / there / MOST_MOVE))
        rows.append(Row("Master's moves in the worker", there, "moves/s", "this Python", there / here))
        return rows


@contextmanager
def browser() -> Iterator[tuple[Page, Path]]:
    """A page of a server of its own, and the browser's profile. The first boot, which fetches, is done."""
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as made, serving(Path(data)) as server, \
            sync_playwright() as playwright:
        profile = Path(made)
        context = playwright.chromium.launch_persistent_context(
            made, executable_path=find_chromium(), args=CHROMIUM_FLAGS, base_url=server.url, **PHONE
        )
        page = context.pages[0]
        boot_seconds(page, profile)
        yield page, profile
        context.close()


def on_the_wire(page: Page) -> int:
    """Bytes of everything that is fetched beyond the page, headers included."""
    where = page.request.get("/runtime.json").json()
    worker = where["home"]["static"] + "js/worker.js"
    total = 0
    for address in [*(path for path in where["files"] if path.startswith("/runtime/")), worker]:
        answer = page.request.get(address, headers={"Accept-Encoding": "br"})
        headers = sum(len(name) + len(value) + 4 for name, value in answer.headers.items())
        total += headers + int(answer.headers["content-length"])
    return total


def boot_seconds(page: Page, profile: Path) -> float:
    """Seconds of the worker's thread from its start to its answer to the first step. On a page that starts none."""
    page.goto("/")
    assert page.evaluate(FIRST_STEP, MATCH) > 1000
    return processes.worker_seconds(profile)


def starts(page: Page, profile: Path) -> Callable[[str, int], float]:
    """Starts a worker that runs any Python; gives `run(source, calls)`: calls per second of its thread."""
    page.goto("/")
    static = page.request.get("/runtime.json").json()["home"]["static"]
    script = SCRIPT.format(static=static)
    page.route(f"**{WORKER}", lambda route: route.fulfill(body=script, content_type="text/javascript"))
    page.evaluate(START, WORKER)

    def run(source: str, calls: int) -> float:
        page.evaluate(RUN, source)  # once to warm up
        before = processes.worker_seconds(profile)
        page.evaluate(RUN, source)
        return calls / (processes.worker_seconds(profile) - before)

    return run


def natively(play: Callable[[], Any], calls: int) -> float:
    """Calls per second of this process."""
    play()
    before = time.process_time()
    play()
    return calls / (time.process_time() - before)


def play_rounds(table: str) -> None:
    """That many random rounds of the simulation layer."""
    play = simulated(table)
    for _ in range(ROUNDS):
        play()


def bot_moves(level: str) -> int:
    """How many moves the bots made in one round of theirs against a human who plays the first legal tile."""
    session: Session = new("block", {}, 5, ["human", level, level, level])
    moves = 0
    while not session.position.ended:
        if session.human:
            session = session.play(session.position.legal()[0])
        else:
            session, moves = session.bot_turn(), moves + 1
    return moves


def rounds_source(table: str) -> str:
    """`play_rounds`, as text for a Python that has the app but not this file."""
    shown = {"TABLES": TABLES, "ROUNDS": ROUNDS}
    return "\n".join([
        "import random", "from typing import Any", "from collections.abc import Callable",
        "from scorekeeper.core.engine import masks, playout",
        "from scorekeeper.core.engine.game import begin, deal, new_match",
        "Match = Any",
        *(f"{name} = {value!r}" for name, value in shown.items()),
        *map(inspect.getsource, (open_match, simulated, play_rounds)),
        f"play_rounds({table!r})",
    ])


def moves_source(level: str) -> str:
    """`bot_moves`, likewise."""
    return "\n".join([
        "from scorekeeper.core.engine.session import Session, new",
        inspect.getsource(bot_moves),
        f"bot_moves({level!r})",
    ])
