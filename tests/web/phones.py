"""A shared match, and the phones at its table: browsers with cookies of their own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.store.sharing import Sharing
from scorekeeper.web.live import Streams
from tests.web.asking import API, BLOCK, DOMINO

OURS = {"Sec-Fetch-Site": "same-origin"}  # as a script of our own pages asks


@dataclass
class Table:
    """A match with one round (version 2), shared by the browser `owner`."""

    app: Flask
    owner: Any
    match_id: str

    @property
    def sharing(self) -> Sharing:
        """What the app knows of who shares."""
        found: Sharing = self.app.extensions["sharing"]
        return found

    @property
    def codes(self) -> dict[str, str]:
        """The codes of the links that are on."""
        return self.sharing.codes(self.match_id)

    def path(self, rest: str = "") -> str:
        """An address of this match."""
        return f"/m/{self.match_id}{rest}"

    def join(self, role: str, name: str = "", client: Any = None) -> Any:
        """A browser that has joined by the link of this role."""
        client = client or self.app.test_client()
        answer = client.post(f"/j/{self.codes[role]}", data={"name": name or role})
        assert answer.status_code == 303, answer.text
        return client

    def number(self, name: str) -> int:
        """The number of the phone of this name."""
        (found,) = [phone.number for phone in self.sharing.phones(self.match_id) if phone.name == name]
        return found

    def version(self) -> int:
        """How many events the match has."""
        found: int = self.app.extensions["log"].version_of(self.match_id)
        return found

    def enter(self, client: FlaskClient, key: str = "k") -> Any:
        """Enters the next round with the form."""
        form = {"version": str(self.version()), "key": key, "ending": "domino:1"}
        return client.post(self.path("/round"), data=form | {"hands-0": "1", "hands-2": "2", "hands-3": "3"})


def shared_table(app: Flask) -> Table:
    """A new match of a new browser, shared. The app does without CSRF tokens."""
    owner: Any = app.test_client()
    made = owner.post(f"{API}/matches", json={"document": {**BLOCK, "rounds": [DOMINO]}}, headers=OURS)
    table = Table(app, owner, made.json["id"])
    assert owner.post(table.path("/share")).status_code == 303
    return table


def cookie_of(client: FlaskClient) -> bytes:
    """The header with which this browser says who it is."""
    kept = client.get_cookie("table")
    return f"table={kept.value}".encode() if kept else b""


async def listen(streams: Streams, match_id: str, cookie: bytes, query: bytes = b"") -> tuple[int, list[str]]:
    """Opens a stream: its status and its first two events, after which this phone goes."""
    told: list[dict[str, Any]] = []
    enough = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        told.append(message)
        if sum(event.count(b"event:") for event in (each.get("body", b"") for each in told)) >= 2:
            enough.set()

    headers = [(b"cookie", cookie)] if cookie else []
    scope = {"type": "http", "method": "GET", "path": f"/live/{match_id}", "query_string": query, "headers": headers}
    await asyncio.wait_for(streams(scope, receive, send), 20)
    text = b"".join(each.get("body", b"") for each in told).decode()
    return int(told[0]["status"]), [line[7:] for line in text.splitlines() if line.startswith("event: ")]
