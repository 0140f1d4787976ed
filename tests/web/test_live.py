"""The streams, on the real server: what is written is heard, who is removed is put out, and the server can stop.

Also on PostgreSQL, by two app processes behind nginx: a phone's requests and its stream are anybody's of the two.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from app import GRACE
from scorekeeper.web.live import MOST_EACH
from tests.scale.site import env_of
from tests.serving import STOP_SECONDS, Server, serving, start, stop
from tests.web.asking import API, BLOCK, DOMINO
from tests.web.phones import OURS

pytestmark = [pytest.mark.each_database, pytest.mark.xdist_group("live")]

PATIENCE = 20.0


@dataclass
class Browser:
    """A browser without a window: a cookie jar and the forms' token."""

    server: Server
    jar: CookieJar = field(default_factory=CookieJar)

    def __post_init__(self) -> None:
        handlers = [urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.jar)]
        self.opener = urllib.request.build_opener(*handlers)

    def get(self, path: str) -> str:
        with self.opener.open(self.server.url + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **form: str) -> str:
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/import"))
        assert token
        body = urlencode({"csrf_token": token[1], **form}).encode()
        with self.opener.open(self.server.url + path, body, timeout=PATIENCE) as answer:
            return str(answer.url)

    def send(self, path: str, value: Any) -> Any:
        headers = {"Content-Type": "application/json", **OURS}
        asked = urllib.request.Request(self.server.url + API + path, json.dumps(value).encode(), headers)
        with self.opener.open(asked, timeout=PATIENCE) as answer:
            return json.load(answer)

    @property
    def cookie(self) -> str:
        return "; ".join(f"{each.name}={each.value}" for each in self.jar)


class Stream:
    """An open stream, read as it comes."""

    def __init__(self, server: Server, match_id: str, cookie: str) -> None:
        address = urlsplit(server.url)
        self.socket = socket.create_connection((address.hostname, address.port), PATIENCE)
        asked = f"GET /live/{match_id} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nAccept-Encoding: gzip, br\r\n\r\n"
        self.socket.sendall(asked.encode())
        self.file = self.socket.makefile("rb")
        self.head = b"".join(iter(self.file.readline, b"\r\n")).decode("latin-1").lower()

    @property
    def status(self) -> int:
        return int(self.head.split()[1])

    def next(self, name: str) -> Any:
        """The data of the next event of this name. Raises EOFError at the end of the stream."""
        event = ""
        for line in self.file:
            text = line.decode().strip()
            if text.startswith("event: "):
                event = text[7:]
            elif text.startswith("data: ") and event == name:
                return json.loads(text[6:])
        raise EOFError

    def ends(self) -> bool:
        """Whether the server ends it of its own will, with the last chunk: not cut off."""
        return any(line == b"0\r\n" for line in self.file)

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture(scope="module")
def server(database: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if database == "postgresql":
        yield request.getfixturevalue("site")
    else:
        with serving(tmp_path_factory.mktemp("live"), env={"SCOREKEEPER_WRITES": "9999 per second"}) as running:
            yield running


@dataclass
class Shared:
    """A shared match on a server, its owner, and the codes."""

    owner: Browser
    id: str

    def join(self, role: str) -> Browser:
        phone = Browser(self.owner.server)
        html = self.owner.get(f"/m/{self.id}/share?for={role}")
        code = re.search(r'data-invite="[^"]*/j/(\w+)"', html)
        assert code
        phone.post(f"/j/{code[1]}", name=role)
        return phone

    def void(self, version: int, by: Browser) -> None:
        """One more event."""
        kind = "undone" if version % 2 == 0 else "redone"
        by.send(f"/matches/{self.id}/events", {"events": [{"type": kind}], "expected": version, "key": f"k{version}"})

    def stream(self, phone: Browser) -> Stream:
        return Stream(self.owner.server, self.id, phone.cookie)


def shared(server: Server) -> Shared:
    owner = Browser(server)
    made = owner.send("/matches", {"document": {**BLOCK, "rounds": [DOMINO]}})
    owner.post(f"/m/{made['id']}/share")
    return Shared(owner, made["id"])


def test_what_is_written_is_heard_by_every_phone(server: Server) -> None:
    match = shared(server)
    phones = [match.owner, match.join("watcher"), match.join("scorer")]
    streams = [match.stream(phone) for phone in phones]
    assert [stream.next("version")["version"] for stream in streams] == [2, 2, 2]
    match.void(2, by=phones[2])
    assert [stream.next("version")["version"] for stream in streams] == [3, 3, 3]
    for stream in streams:
        stream.close()


def test_a_stream_is_not_held_back_on_its_way(server: Server) -> None:
    match = shared(server)
    stream = match.stream(match.owner)
    assert stream.status == 200
    assert "content-type: text/event-stream" in stream.head
    assert "cache-control: no-store" in stream.head
    # nginx, which was meant, keeps it to itself.
    assert ("x-accel-buffering: no" in stream.head) != ("server: nginx" in stream.head)
    assert "content-encoding" not in stream.head and "set-cookie" not in stream.head
    stream.close()


def test_strangers_hear_nothing(server: Server) -> None:
    match, other = shared(server), shared(server)
    for cookie in ("", "table=made-up", other.owner.cookie):
        stream = Stream(server, match.id, cookie)
        assert stream.status == 404 and "content-length: 0" in stream.head
        stream.close()


def test_whoever_was_away_is_told_where_the_match_is(server: Server) -> None:
    match = shared(server)
    phone = match.join("watcher")
    first = match.stream(phone)
    assert first.next("version")["version"] == 2
    first.close()
    for version in range(2, 9):
        match.void(version, by=match.owner)
    again = match.stream(phone)
    assert again.next("version")["version"] == 9
    again.close()


def test_a_removed_phone_is_put_out_and_the_others_stay(server: Server) -> None:
    match = shared(server)
    gone, stays = match.join("scorer"), match.join("watcher")
    streams = [match.stream(gone), match.stream(stays)]
    for stream in streams:
        stream.next("version")
    match.owner.post(f"/m/{match.id}/share/phone/2", do="remove")
    assert streams[0].next("bye") == {}
    assert streams[0].ends()
    assert match.stream(gone).status == 404
    match.void(2, by=match.owner)
    assert streams[1].next("version")["version"] == 3
    streams[1].close()


def test_a_phone_hears_that_it_may_write_no_more(server: Server) -> None:
    match = shared(server)
    stream = match.stream(match.join("scorer"))
    stream.next("version")
    match.owner.post(f"/m/{match.id}/share/lock", locked="yes")
    assert stream.next("access") == {"role": "scorer", "writes": False}
    match.owner.post(f"/m/{match.id}/share/lock", locked="no")
    assert stream.next("access") == {"role": "scorer", "writes": True}
    match.owner.post(f"/m/{match.id}/share/phone/2", do="watch")
    assert stream.next("access") == {"role": "watcher", "writes": False}
    stream.close()


def test_who_is_connected_is_told(server: Server) -> None:
    match = shared(server)
    first = match.stream(match.owner)
    assert first.next("presence") == {"connected": 1}
    phone = match.join("watcher")
    second = match.stream(phone)
    while first.next("presence")["connected"] != 2:
        pass
    assert 'class="dot on"' in match.owner.get(f"/m/{match.id}/share")
    second.close()
    while first.next("presence")["connected"] != 1:
        pass
    first.close()


def test_many_writes_at_once_end_at_the_newest(server: Server) -> None:
    match = shared(server)
    streams = [match.stream(match.owner) for _ in range(4)]
    for stream in streams:
        stream.next("version")
    def write() -> None:
        for version in range(2, 22):
            match.void(version, by=match.owner)

    writer = threading.Thread(target=write)
    writer.start()
    for stream in streams:
        heard = [0]
        while heard[-1] < 22:
            heard.append(stream.next("version")["version"])
        assert heard == sorted(set(heard))
    writer.join()
    for stream in streams:
        stream.close()


def test_one_phone_has_no_more_streams_than_it_can_need(server: Server, database: str) -> None:
    match, streams = shared(server), []
    while (last := match.stream(match.owner)).status == 200:
        last.next("version")
        streams.append(last)
    assert last.status == 429
    # Of processes that hear of each other's phones a moment later, each may have let in as many.
    assert len(streams) in (range(MOST_EACH, 2 * MOST_EACH + 1) if database == "postgresql" else [MOST_EACH])
    while streams:
        streams.pop().close()
    end = time.monotonic() + PATIENCE
    while (last := match.stream(match.owner)).status != 200:
        assert last.status == 429 and time.monotonic() < end
    last.close()


def test_of_many_streams_asked_for_at_once_as_few_are_given(server: Server, database: str) -> None:
    match = shared(server)
    with ThreadPoolExecutor(24) as pool:
        streams = list(pool.map(lambda _: match.stream(match.owner), range(24)))
    given = [stream.status for stream in streams].count(200)
    for stream in streams:
        stream.close()
    assert {stream.status for stream in streams} == {200, 429}
    assert given in (range(MOST_EACH, 2 * MOST_EACH + 1) if database == "postgresql" else [MOST_EACH])


def test_only_reading_is_possible(server: Server) -> None:
    match = shared(server)
    address = urlsplit(server.url)
    for asked in (f"POST /live/{match.id}", "GET /live/", f"GET /live/{match.id}/x", "GET /live/%00"):
        with socket.create_connection((address.hostname, address.port), PATIENCE) as connection:
            cookie = match.owner.cookie
            connection.sendall(f"{asked} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nContent-Length: 0\r\n\r\n".encode())
            # nginx takes %00 for no address at all.
            assert connection.recv(40).split()[1] in (b"404", b"405", b"400" if "%00" in asked else b"")


@pytest.fixture
def alone(database: str, request: pytest.FixtureRequest) -> dict[str, str]:
    """Settings of a process that others could run beside, if the database allows it."""
    return env_of(request.getfixturevalue("postgres").fresh()) if database == "postgresql" else {}


def test_the_server_stops_with_streams_open_and_phones_come_back(tmp_path: Path, alone: dict[str, str]) -> None:
    server = start(tmp_path, env=alone)
    match = shared(server)
    phone = match.join("watcher")
    streams = [match.stream(phone), match.stream(match.owner)]
    for stream in streams:
        stream.next("version")
    os.kill(server.process.pid, signal.SIGTERM)
    assert [stream.ends() for stream in streams] == [True, True]
    server.process.wait(STOP_SECONDS)
    again = start(tmp_path, port=urlsplit(server.url).port, env=alone)
    try:
        stream = Stream(again, match.id, phone.cookie)
        assert stream.next("version")["version"] == 2
        stream.close()
    finally:
        stop(again)


def test_a_request_that_never_ends_does_not_keep_the_server(tmp_path: Path, alone: dict[str, str]) -> None:
    server = start(tmp_path, env=alone)
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), PATIENCE) as connection:
        asked = f"POST {API}/tally HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
        connection.sendall(asked.encode())
        Browser(server).get("/healthz")
        os.kill(server.process.pid, signal.SIGTERM)
        # By its own clock; this machine's may be anybody's.
        server.process.wait(PATIENCE)
        assert GRACE < STOP_SECONDS and "timeout graceful shutdown exceeded" in server.log.read_text()
