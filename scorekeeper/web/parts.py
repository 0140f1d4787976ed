"""What is new of a page once its match has changed, drawn once for all phones to which it looks the same.

A thousand phones that each fetched the page would have to wait for each other; so their streams (live.py) bring it
along: from the title to the bar, in the phone's role and language, without what only one phone may know (its forms'
token) or has to make itself (keys); static/js/follow.js puts those in.
"""

from __future__ import annotations

import asyncio
import base64
import json
import zlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flask import Flask

from scorekeeper.core.events import Ledger, fold
from scorekeeper.pages import share, table
from scorekeeper.pages.page import Page, render
from scorekeeper.store.log import Log
from scorekeeper.store.sharing import Access, Sharing

from .share import seen_by

FRAME = "_part.html"
MOST = 400  # that are kept: what is asked for is asked for by all at once, and then never again
GONE = 2  # versions back, after which a match's parts are let go: each holds what every phone is to the match

# The pages that are brought along, by the name that they ask with (templates/share/_follow.html).
PAGES: dict[str, Callable[[str, Ledger, dict[str, Any]], Page]] = {
    "table": lambda match_id, ledger, here: table.table_page(match_id, ledger, "", here),
    "screen": share.screen_page,
}


@dataclass(frozen=True)
class Look:
    """All on which it depends how a version of a match looks: which page, in which language, to whom."""

    page: str
    language: str
    access: Access

    @classmethod
    def of(cls, page: str, language: str, access: Access) -> Look:
        """The look of a page for a phone, whichever of those with the same role it is."""
        return cls(page, language, access if access.number is None else replace(access, number=0))


@dataclass(frozen=True)
class Part:
    """What phones of one look are told of a version: the event, and what each browser was to the match by then."""

    event: bytes
    access: dict[str, Access]


class Parts:
    """Draws each version of a match once for each look; on the event loop, the work itself in threads."""

    def __init__(self, app: Flask) -> None:
        self._log: Log = app.extensions["log"]
        self._sharing: Sharing = app.extensions["sharing"]
        self._around = _around(app)
        self._kept: OrderedDict[tuple[str, int, Look], asyncio.Task[Part]] = OrderedDict()

    async def of(self, match_id: str, version: int, look: Look) -> Part:
        """The event `version` with the part: deflated, as base64. All who ask wait for the same. Raises `NoMatch`."""
        key = match_id, version, look
        task = self._kept.get(key)
        if task is None:
            task = self._kept[key] = asyncio.ensure_future(asyncio.to_thread(self._draw, match_id, version, look))
            self._let_go(match_id, version)
        try:
            return await asyncio.shield(task)  # who goes does not take it from the others
        except Exception:
            if self._kept.get(key) is task:
                del self._kept[key]
            raise

    def _let_go(self, match_id: str, version: int) -> None:
        for old in [key for key in self._kept if key[0] == match_id and key[1] <= version - GONE]:
            del self._kept[old]
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def _draw(self, match_id: str, version: int, look: Look) -> Part:
        events = self._log.read(match_id)[:version]
        access = self._sharing.everyone(match_id)  # after the events: who was put out before them is not in it
        ledger = fold([stored.as_event() for stored in events])
        page = PAGES[look.page](match_id, ledger, {**seen_by(look.access), "connected": 0})
        page.context["frame"] = FRAME
        html = render(page, look.language, self._around).encode("utf-8", "replace")
        packed = base64.b64encode(zlib.compress(html, 6, wbits=-zlib.MAX_WBITS)).decode()
        told = {"version": ledger.version, "look": look.access.look, "part": packed}
        return Part(event("version", told), access)


def event(name: str, data: dict[str, Any]) -> bytes:
    """A server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode("ascii")


def _around(app: Flask) -> dict[str, Any]:
    """What templates may use (respond.py), outside a request."""
    addresses = app.url_map.bind("localhost")

    def address(endpoint: str, **values: Any) -> str:
        if endpoint == "static":
            return str(app.extensions["asset_url"](values["filename"]))
        return addresses.build(endpoint, values)

    return {"url_for": address, "csrf_token": str, "theme": "", "messages": []}
