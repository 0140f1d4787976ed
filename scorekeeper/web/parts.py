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
from collections.abc import Callable, Hashable, MutableMapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from flask import Flask

from scorekeeper.core.events import Ledger, fold
from scorekeeper.pages import share, table
from scorekeeper.pages.page import Page, render
from scorekeeper.store.log import Log
from scorekeeper.store.sharing import Access, Sharing

from .share import seen_by

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
FRAME = "_part.html"
MOST = 200  # versions that are kept: what is asked for is asked for by all at once, and then never again

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


@dataclass
class Version:
    """A match as it was at one version, and what each browser was to it once that was written."""

    match_id: str
    ledger: Ledger
    access: dict[str, Access]
    drawn: dict[Look, asyncio.Task[bytes]] = field(default_factory=dict)


class Parts:
    """Draws each version of a match once for each look; on the event loop, the work itself in threads."""

    def __init__(self, app: Flask) -> None:
        self._log: Log = app.extensions["log"]
        self._sharing: Sharing = app.extensions["sharing"]
        self._around = _around(app)
        self._kept: OrderedDict[tuple[str, int], asyncio.Task[Version]] = OrderedDict()

    async def at(self, match_id: str, version: int) -> Version:
        """The match at this version. Raises `NoMatch`."""
        key = match_id, version
        if key not in self._kept:
            self._kept[key] = asyncio.ensure_future(asyncio.to_thread(self._read, match_id, version))
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return await _shared(self._kept, key)

    async def draw(self, version: Version, look: Look) -> bytes:
        """The event `version` for phones of this look, with the part: deflated, as base64."""
        if look not in version.drawn:
            version.drawn[look] = asyncio.ensure_future(asyncio.to_thread(self._draw, version, look))
        return await _shared(version.drawn, look)

    def _read(self, match_id: str, version: int) -> Version:
        events = self._log.read(match_id)[:version]
        # Read after the events: whoever was put out before they were written is not in it.
        return Version(match_id, fold([stored.as_event() for stored in events]), self._sharing.everyone(match_id))

    def _draw(self, version: Version, look: Look) -> bytes:
        page = PAGES[look.page](version.match_id, version.ledger, {**seen_by(look.access), "connected": 0})
        page.context["frame"] = FRAME
        html = render(page, look.language, self._around).encode("utf-8", "replace")
        packed = base64.b64encode(zlib.compress(html, 6, wbits=-zlib.MAX_WBITS)).decode()
        return event("version", {"version": version.ledger.version, "look": look.access.look, "part": packed})


async def _shared(kept: MutableMapping[Key, asyncio.Task[Value]], key: Key) -> Value:
    """What all who ask for it wait for together. Who goes does not take it from the others; what failed is not kept."""
    task = kept[key]
    try:
        return await asyncio.shield(task)
    except BaseException:
        if task.done() and kept.get(key) is task:
            del kept[key]
        raise


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
