"""What bench_live.py needs: a hall of tables in a database, the server, and phones as bare connections."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import resource
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from app import create_app
from scorekeeper.store.log import Log
from scorekeeper.store.tables import phone
from scorekeeper.web.session import owner_of_token
from tests.serving import Server, serving
from tests.web.asking import API, BLOCK, DOMINO

KEY = "a key for measurements"
AT_ONCE = 100  # connections that are being made at a time
EACH_ADDRESS = 20_000  # connections from one address of 127.0.0.0/8, which has 28,000 ports to give
PATIENCE = 120.0


@dataclass
class Hall:
    """Tables and the cookies of the phones at each, the owner's first."""

    data: Path
    tables: dict[str, list[str]]


def furnish(data: Path, tables: int, phones: int) -> Hall:
    """A hall of matches of Block, each with so many phones, its owner's and watchers'."""
    app = create_app({"DATA": str(data), "SECRET_KEY": KEY})
    log: Log = app.extensions["log"]
    sign = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    made: dict[str, list[str]] = {}
    rows: list[dict[str, Any]] = []
    for _ in range(tables):
        tokens = [secrets.token_urlsafe(24) for _ in range(phones)]
        match_id = log.create(owner_of_token(tokens[0]), [{"type": "created", "document": BLOCK}], "k").match_id
        made[match_id] = [f"table={sign.dumps({'owner': token, '_permanent': True})}" for token in tokens]
        rows += [
            {"match_id": match_id, "number": number, "who": owner_of_token(token), "name": f"{number}", "seat": None,
             "role": "watcher" if number > 1 else "owner", "joined_at": datetime.now(UTC)}
            for number, token in enumerate(tokens, 1)
        ]
    with log.database.write() as db:
        db.execute(insert(phone), rows)
    app.extensions["hub"].close()
    log.close()
    return Hall(data, made)


@contextmanager
def served(hall: Hall) -> Iterator[Server]:
    """The server on a hall, with as many open files as this machine lets it have."""
    more_files()
    env = {"SCOREKEEPER_SECRET": KEY, "SCOREKEEPER_WRITES": "100000000 per minute"}
    with serving(hall.data, env=env) as server:
        yield server


def more_files() -> None:
    """Lets this process and its children have as many open files as they may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def memory(server: Server) -> float:
    """What the server's process has in memory, in MiB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) / 1024


def processor(server: Server) -> float:
    """Processor seconds that the server has used so far."""
    used = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


class Phone(asyncio.Protocol):
    """A phone that watches the table, or from which rounds are entered. `heard` is called with itself, a version and
    when that had come: to one that watches with what is new of the page."""

    def __init__(
        self, match_id: str, cookie: str, watches: bool, heard: Callable[[Phone, int, float], None]
    ) -> None:
        self.match_id, self.cookie, self._watches, self._heard = match_id, cookie, watches, heard
        self.open = asyncio.get_running_loop().create_future()
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        shown = f"/live/{self.match_id}" + ("?page=table&lang=en&since=0" if self._watches else "")
        transport.write(f"GET {shown} HTTP/1.1\r\nHost: localhost\r\nCookie: {self.cookie}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        now = time.time()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b'data: {"version": '):
                version = int(line[18 : line.index(b",")])
                assert (b'"part"' in line) is self._watches
                if not self.open.done():
                    self.open.set_result(None)
                self._heard(self, version, now)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError("no stream"))


async def sit_down(server: Server, hall: Hall, heard: Callable[[Phone, int, float], None]) -> list[Phone]:
    """Opens the streams of all phones of a hall."""
    port, loop = int(server.url.rpartition(":")[2]), asyncio.get_running_loop()
    gate, phones = asyncio.Semaphore(AT_ONCE), []

    async def come(number: int, match_id: str, cookie: str, watches: bool) -> None:
        async with gate:
            source = (f"127.0.0.{2 + number // EACH_ADDRESS}", 0)
            _, made = await loop.create_connection(
                lambda: Phone(match_id, cookie, watches, heard), "127.0.0.1", port, local_addr=source)
            await asyncio.wait_for(made.open, PATIENCE)
            phones.append(made)

    seats = [
        (match_id, cookie, place > 0)
        for match_id, cookies in hall.tables.items()
        for place, cookie in enumerate(cookies)
    ]
    await asyncio.gather(*(come(number, *seat) for number, seat in enumerate(seats)))
    return phones


@dataclass
class Browser:
    """A connection that stays open and asks one thing after the other."""

    server: Server
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = field(default=None, init=False)

    async def ask(self, method: str, path: str, cookie: str, body: Any = None) -> tuple[int, bytes]:
        """Status and body."""
        if self._streams is None or self._streams[0].at_eof():  # the server closes what is idle
            port = int(self.server.url.rpartition(":")[2])
            self._streams = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        reader, writer = self._streams
        sent = b"" if body is None else json.dumps(body).encode()
        head = (f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nSec-Fetch-Site: same-origin\r\n"
                f"Content-Type: application/json\r\nAccept-Encoding: gzip\r\nContent-Length: {len(sent)}\r\n\r\n")
        writer.write(head.encode() + sent)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        told = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        answer = await reader.readexactly(int(told.get("content-length", 0)))
        # What is asked for may come compressed, as to any browser.
        return int(lines[0].split()[1]), gzip.decompress(answer) if told.get("content-encoding") == "gzip" else answer

    async def enter(self, match_id: str, cookie: str, version: int) -> int:
        """Enters a round; the version it brought."""
        asked = {"events": [{"type": "round_entered", "round": DOMINO}], "expected": version,
                 "key": secrets.token_hex(8)}
        status, answer = await self.ask("POST", f"{API}/matches/{match_id}/events", cookie, asked)
        assert status == 201, (status, answer)
        return int(json.loads(answer)["version"])

    async def written(self, match_id: str, cookie: str) -> dict[int, float]:
        """When the server took each version in hand to write it: shortly before the commit."""
        status, answer = await self.ask("GET", f"{API}/matches/{match_id}/history", cookie)
        assert status == 200, (status, answer)
        events = [change["event"] for change in json.loads(answer)["changes"]]
        return {event["version"]: datetime.fromisoformat(event["at"]).timestamp() for event in events}


def percentile(values: list[float], part: float) -> float:
    """The value below which `part` (0 to 1) of them lie."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]
