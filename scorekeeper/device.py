"""The browser worker's one door: JSON in, JSON out. Nothing is kept between two calls.

A request is a step of a practice match (scorekeeper/pages/practice.py), or `{"do": "replay", "record": {…}}`. `around`
in it says where this home keeps things: `{"static": "/static/<hash>/"}`.
"""

from __future__ import annotations

import json
from typing import Any

from .core.engine import record
from .core.errors import Invalid

ADDRESSES = {
    "home.index": "/",
    "home.manifest": "/manifest.webmanifest",
}


def handle(text: str) -> str:
    """The answer to one request, both in JSON. What is wrong with the request is an answer too: `{"error": {…}}`."""
    return json.dumps(answer(json.loads(text)), ensure_ascii=False)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """`handle` between the two JSON texts."""
    try:
        if request.get("do") == "replay":
            return record.told(record.replay(record.read(request.get("record"))))
    except Invalid as error:
        return error.as_dict()
    return {}
