"""Sharing, on the embedded default: open streams, from commit to phone, rounds a second. `make bench-live`.

The phones are this process, on the same processors as the server: what is measured of waiting has both in it. `PART`
(0.1, say) makes everything smaller, to try it out.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import cycle
from pathlib import Path

from bench import Row
from bench.live import Browser, Hall, Phone, furnish, memory, percentile, processor, served, sit_down
from tests.serving import Server

PART = float(os.environ.get("PART") or 1)
ROUNDS_A_SECOND, SECONDS = 50, 20
CLIENTS = 8
ROUNDS_A_MATCH = 4  # of 23 points: a fifth one would end it
CALM = 3.0  # seconds after the phones have come, until the server has told them of each other

Heard = list[tuple[str, int, float]]  # match, version, when


def bench() -> list[Row]:
    """All of it, with the load on the machine before and after."""
    rows = [load("before")]
    with tempfile.TemporaryDirectory() as folder:
        rooms = (Path(folder) / str(number) for number in range(9))
        rows += asyncio.run(streams(next(rooms)))
        rows += asyncio.run(evening(next(rooms)))
        rows += asyncio.run(crowd(next(rooms)))
        rows += asyncio.run(writers(next(rooms)))
    return [*rows, load("after")]


def load(when: str) -> Row:
    """How busy the machine is: the mean of the last minute."""
    return Row(f"load {when}", os.getloadavg()[0], f"of {os.cpu_count()}")


async def streams(room: Path) -> list[Row]:
    """All phones open, nothing happens."""
    hall = furnish(room, tables=int(2000 * PART), phones=5)
    with served(hall) as server:
        empty, began = memory(server), time.monotonic()
        phones = await sit_down(server, hall, lambda *_: None)
        took = time.monotonic() - began
        await asyncio.sleep(CALM)
        full, before = memory(server), processor(server)
        await asyncio.sleep(10)
        quiet = (processor(server) - before) / 10
    return [
        Row(f"{len(phones):,} open streams: memory of the server", full, "MiB", "250 MiB", full / 250),
        Row("the server without streams", empty, "MiB"),
        Row("streams opened", len(phones) / took, "a second"),
        Row("processor used while nothing happens", 100 * quiet, "%"),
    ]


async def evening(room: Path) -> list[Row]:
    """Many tables of five phones each, rounds coming evenly, each at another table."""
    hall = furnish(room, tables=int(1000 * PART), phones=5)
    heard: Heard = []
    with served(hall) as server:
        phones = await sit_down(server, hall, noting(heard))
        await asyncio.sleep(CALM)
        heard.clear()
        used, began = processor(server), time.monotonic()
        tables = cycle(hall.tables)
        versions = dict.fromkeys(hall.tables, 1)
        browsers = pool(server, CLIENTS)

        async def enter(match_id: str) -> None:
            browser = await browsers.get()
            try:
                versions[match_id] = await browser.enter(match_id, hall.tables[match_id][0], versions[match_id])
            finally:
                browsers.put_nowait(browser)

        rounds = int(min(ROUNDS_A_SECOND * SECONDS, ROUNDS_A_MATCH * len(hall.tables)))
        await evenly(rounds, ROUNDS_A_SECOND, lambda: enter(next(tables)))
        await asyncio.sleep(1)
        used = (processor(server) - used) / (time.monotonic() - began - 1)
        waits = await waited(server, hall, heard)
    told = f"{len(hall.tables):,} tables × 5 phones, {ROUNDS_A_SECOND} rounds/s"
    assert len(waits) == rounds * 5, f"{len(waits)} of {rounds * 5} were heard"
    return [
        *waiting(f"{told}: from commit to phone", waits, 50),
        Row(f"{told}: processor used by the server", 100 * used, "%"),
        Row(f"{told}: phones", len(phones), ""),
    ]


async def crowd(room: Path) -> list[Row]:
    """A thousand watchers of one table."""
    hall = furnish(room, tables=1, phones=max(2, int(1000 * PART)))
    ((match_id, cookies),) = hall.tables.items()
    heard: Heard = []
    with served(hall) as server:
        await sit_down(server, hall, noting(heard))
        await asyncio.sleep(CALM)
        heard.clear()
        used, version, owner = processor(server), 1, Browser(server)
        for _ in range(ROUNDS_A_MATCH):
            version = await owner.enter(match_id, cookies[0], version)
            await asyncio.sleep(2)
        used = processor(server) - used
        waits = await waited(server, hall, heard)
    assert len(waits) == ROUNDS_A_MATCH * len(cookies)
    told = f"{len(cookies):,} watchers of one table"
    return [
        *waiting(f"{told}: from commit to phone", waits, 150),
        Row(f"{told}: processor used by the server for a round", 1000 * used / ROUNDS_A_MATCH, "ms"),
    ]


async def writers(room: Path) -> list[Row]:
    """Clients that enter one round after the other, as fast as they are accepted."""
    hall = furnish(room, tables=int(2500 * PART), phones=1)
    tables = iter(list(hall.tables.items()))
    done = 0

    async def write(server: Server, end: float) -> None:
        nonlocal done
        browser = Browser(server)
        for match_id, (cookie,) in tables:
            version = 1
            for _ in range(ROUNDS_A_MATCH):
                version = await browser.enter(match_id, cookie, version)
                done += 1
                if time.monotonic() > end:
                    return

    with served(hall) as server:
        used, began = processor(server), time.monotonic()
        await asyncio.gather(*(write(server, began + SECONDS) for _ in range(CLIENTS)))
        took, used = time.monotonic() - began, processor(server) - used
    return [
        Row(f"rounds accepted from {CLIENTS} clients", done / took, "a second", "200", done / took / 200),
        Row("processor used by the server for one of them", 1000 * used / done, "ms"),
    ]


def noting(heard: Heard) -> Callable[[Phone, int, float], None]:
    """What a phone heard, put into a list."""
    return lambda phone, version, now: heard.append((phone.match_id, version, now))


def pool(server: Server, size: int) -> asyncio.Queue[Browser]:
    """Connections that wait to be used."""
    made: asyncio.Queue[Browser] = asyncio.Queue()
    for _ in range(size):
        made.put_nowait(Browser(server))
    return made


async def evenly(count: int, a_second: float, act: Callable[[], Awaitable[None]]) -> None:
    """Begins `act` so often, whether those before have ended or not, and waits for all."""
    began, begun = time.monotonic(), []
    for number in range(count):
        await asyncio.sleep(max(0, began + number / a_second - time.monotonic()))
        begun.append(asyncio.ensure_future(act()))
    await asyncio.gather(*begun)


async def waited(server: Server, hall: Hall, heard: Heard) -> list[float]:
    """Milliseconds from when the server took an event in hand to write it until each phone had what is new."""
    written, browser = {}, Browser(server)
    for match_id in {each[0] for each in heard}:
        for version, at in (await browser.written(match_id, hall.tables[match_id][0])).items():
            written[match_id, version] = at
    return [1000 * (now - written[match_id, version]) for match_id, version, now in heard if version > 1]


def waiting(what: str, waits: list[float], limit: float | None = None) -> list[Row]:
    """Rows of a wait: half of all, and all but one in a hundred, which is held against the limit (ms)."""
    late = percentile(waits, 0.99)
    against = (f"{limit:g} ms", late / limit) if limit else ()
    return [Row(f"{what}, p50", percentile(waits, 0.5), "ms"), Row(f"{what}, p99", late, "ms", *against)]
