"""The browser worker's one door: JSON in, JSON out. Nothing is kept between two calls.

A request is a step of a practice match (scorekeeper/pages/practice.py), a scorekeeping page or what is done there
(scorekeeper/pages/away.py), or `{"do": "replay", "record": {…}}`. Its `home` says where the server keeps things, which
only the server knows: `{"static": "/static/<hash>/", "addresses": {"home.index": "/", …}}` (scorekeeper/web/device.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from .core.engine import record
from .core.errors import Invalid, wrong_type
from .pages import away, practice, words
from .pages.page import Page, render

AWAY = ("page", "submit", "kept")
_PART = re.compile(r"<(?:\w+:)?(\w+)>")


def handle(text: str) -> str:
    """The answer to one request. What is wrong with the request is an answer too: `{"error": {"code", …}}`."""
    return json.dumps(answer(json.loads(text)), ensure_ascii=False)


def answer(request: Any) -> dict[str, Any]:
    """`handle` between the two JSON texts."""
    if type(request) is not dict:
        return wrong_type("a request, a JSON object").as_dict()
    if request.get("do") == "replay":
        return _replayed(request.get("record"))
    asked = request.get("language")
    language = asked if asked in (*words.LANGUAGES, words.PSEUDO) else words.SOURCE
    place = request.get("home") or {}
    home = around(place)
    request = {**request, "language": language}
    if request.get("do") in AWAY:
        home["theme"] = request.get("theme", "")

        def draw(page: Page, messages: list[dict[str, str]]) -> str:
            return render(page, language, {**home, "messages": messages})

        return away.answer(request, place.get("addresses", {}), home["url_for"], draw)
    return practice.answer(request, lambda page: render(page, language, home))


def _replayed(raw: Any) -> dict[str, Any]:
    """Every deal and turn of a practice record, as the command line tells them."""
    try:
        return record.told(record.replay(record.read(raw)))
    except Invalid as error:
        return error.as_dict()


def around(home: Mapping[str, Any]) -> dict[str, Any]:
    """What every template may use (scorekeeper/web/respond.py), without a session: no token, no messages."""
    static, addresses = home.get("static", ""), home.get("addresses", {})

    def address(endpoint: str, **values: Any) -> str:
        if endpoint == "static":
            return str(static + values["filename"])
        return fill(addresses[endpoint], values)

    return {"url_for": address, "csrf_token": str, "theme": "", "messages": []}


def fill(rule: str, values: Mapping[str, Any]) -> str:
    """An address from its pattern, `/m/<match_id>/round`; what the pattern does not name becomes a query."""
    used = set(_PART.findall(rule))
    left = {name: value for name, value in values.items() if name not in used and value is not None}
    query = urlencode(left, safe="!$'()*,/:;?@")  # as Werkzeug has it
    path = _PART.sub(lambda part: quote(str(values[part[1]]), safe="!$&'()*+,/:;=@"), rule)
    return f"{path}?{query}" if query else path
