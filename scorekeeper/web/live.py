"""The open streams, `/live/<match_id>`: server-sent events on the event loop, beside the Flask app.

Events: `version` {"version": 12, "look": "watcher-shared"} on connecting and whenever a newer one was written, `look`
being what the page shows of this phone's role; `access` {"role": "scorer", "writes": true} when what this phone may do
has changed; `presence` {"connected": 3} when somebody came or went; `beat` while nothing else happens; `bye` when the
role was withdrawn.

With `?page=table&lang=en&since=11`, what a page of `parts.PAGES` asks for, `version` has that page in `part` too
(parts.py), after looking again what this phone is to the match; on connecting only if it is newer than `since`. All
others hear the number, and ask for their page.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask
from itsdangerous import BadSignature
from werkzeug.http import parse_cookie

from scorekeeper.store.errors import NoMatch
from scorekeeper.store.log import Log
from scorekeeper.store.sharing import Access, Sharing

from . import session
from .hub import ACCESS, PRESENCE, Hub, Subscription
from .parts import PAGES, Look, Parts, event

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

PREFIX = "/live/"
BEAT = 15.0  # seconds without an event, at most
LOOK = 120.0  # seconds after which the role is looked up again, in case no hint of its end arrived
AGE = 1800.0  # seconds a stream lasts, give or take a fifth: so that after a start not all come again at once
MOST_EACH = 8  # streams of one phone on one match
MOST = 20_000  # streams in all
SPARE = 200  # files that are kept for everything else, where a process may not have that many
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx passes each event on at once
    (b"x-content-type-options", b"nosniff"),
]


@dataclass(frozen=True)
class Shown:
    """What a phone has before it: a page of `PAGES` or another one (empty), in a language, at a version."""

    page: str
    language: str
    version: int


class Streams:
    """The ASGI app of the streams."""

    def __init__(self, app: Flask, beat: float = BEAT, age: float = AGE) -> None:
        self._app = app
        self._hub: Hub = app.extensions["hub"]
        self._log: Log = app.extensions["log"]
        self._sharing: Sharing = app.extensions["sharing"]
        self._parts = Parts(app)
        self._languages = session.offered(app)
        self._beat, self._age, self._most = beat, age, min(MOST, open_files() - SPARE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request: 404 to strangers, as everywhere; 429 and 503 where there are too many streams."""
        match_id, who = scope["path"].removeprefix(PREFIX), self._who(scope)
        if scope["method"] != "GET":
            return await _refuse(send, 405)
        found = await self._access(match_id, who)
        if found is None or who is None:
            return await _refuse(send, 404)
        # Looked at when nothing is waited for any more before this stream counts too.
        if self._hub.open >= self._most:
            return await _refuse(send, 503)
        if self._hub.streams_of(match_id, who) >= MOST_EACH:
            return await _refuse(send, 429)
        # Heard from before the version is read: nothing is missed between the two.
        async with self._hub.subscribe(match_id, who) as news:
            gone = asyncio.ensure_future(_until_gone(receive, news))
            try:
                await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
                await self._tell(news, send, found, self._shown(scope))
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            except NoMatch:
                return
            finally:
                gone.cancel()

    async def _tell(self, news: Subscription, send: Send, access: Access, shown: Shown) -> None:
        """Sends what happens until the client goes, the role ends, the stream is old or the server stops."""
        match_id, who = news.match_id, news.who
        started = looked = time.monotonic()
        ends = started + self._age * random.uniform(0.8, 1.2)
        version = await asyncio.to_thread(self._version, match_id)
        first = await self._news(news, version, access, shown if version > shown.version else None)
        here = {"connected": self._hub.connected(match_id)}
        await _send(send, first + event("presence", here))
        async for told in news.with_pauses(self._beat):
            now = time.monotonic()
            if told == ACCESS or now - looked > LOOK:
                looked, found = now, await self._access(match_id, who)
                if found is None:
                    return await _send(send, BYE)
                if found != access:
                    access = found
                    await _send(send, event("access", {"role": found.role, "writes": found.writes}))
            if told == PRESENCE:
                await _send(send, event("presence", {"connected": self._hub.connected(match_id)}))
            elif told is None:
                await _send(send, BEAT_EVENT)
            elif told > version:
                version, told_of = told, await self._news(news, told, access, shown)
                await _send(send, told_of)
                if told_of is BYE:
                    return None
            if now > ends:
                return None
        return None

    async def _news(self, stream: Subscription, version: int, access: Access, shown: Shown | None) -> bytes:
        """The event that tells of a version, with the part if a page of `PAGES` is `shown`; or that of the end."""
        if shown is None or not shown.page:
            return event("version", {"version": version, "look": access.look})
        part = await self._parts.of(stream.match_id, version, Look.of(shown.page, shown.language, access))
        if part.access.get(stream.who) != access:  # changed, and the hint of it is under way
            now = await self._access(stream.match_id, stream.who)
            if now is None:
                return BYE
            part = await self._parts.of(stream.match_id, version, Look.of(shown.page, shown.language, now))
        return part.event

    def _version(self, match_id: str) -> int:
        return self._log.version_of(match_id)

    async def _access(self, match_id: str, who: str | None) -> Access | None:
        return await asyncio.to_thread(self._sharing.access, match_id, who)

    def _shown(self, scope: Scope) -> Shown:
        asked = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
        page, language, since = asked.get("page", ""), asked.get("lang", ""), asked.get("since", "")
        known = page in PAGES and language in self._languages
        seen = int(since) if since.isascii() and since.isdecimal() and len(since) < 10 else 0
        return Shown(page if known else "", language, seen)

    def _who(self, scope: Scope) -> str | None:
        """Who asks, by the cookie that Flask signed."""
        cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("ascii", "ignore")
        signed = parse_cookie(cookies).get(self._app.config["SESSION_COOKIE_NAME"])
        serializer = self._app.session_interface.get_signing_serializer(self._app)  # type: ignore[attr-defined]
        if not signed or serializer is None:
            return None
        try:
            kept = serializer.loads(signed, max_age=int(self._app.permanent_session_lifetime.total_seconds()))
        except BadSignature:
            return None
        return session.owner_of_token(kept["owner"]) if "owner" in kept else None


def open_files() -> int:
    """How many files this process may have open; where nobody says, enough."""
    try:
        import resource
    except ImportError:
        return MOST + SPARE
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST + SPARE if most == resource.RLIM_INFINITY else most


@dataclass
class Site:
    """The whole server: the streams on the event loop, everything else in Flask's threads."""

    streams: Streams
    pages: Any

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends each request where it belongs."""
        streaming = scope["type"] == "http" and scope["path"].startswith(PREFIX)
        await (self.streams if streaming else self.pages)(scope, receive, send)


BEAT_EVENT, BYE = event("beat", {}), event("bye", {})


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _until_gone(receive: Receive, news: Subscription) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    news.end()


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-length", b"0"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
