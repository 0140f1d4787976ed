"""Reviews of practice on the server: long work for the one interpreter that answers everybody.

So they are done in parts, one at a time, each of some seconds at most: what is not found by then is estimated. Nobody
waits for a turn in a thread that others need: who comes while another part is under way, or too often, is told so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from flask import current_app, g
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from werkzeug.exceptions import TooManyRequests

from scorekeeper.core.options import N_
from scorekeeper.core.review import Effort
from scorekeeper.pages import practice as pages
from scorekeeper.pages.practice import Step

RATE = "24 per minute; 300 per hour"  # parts, for each address; a round has up to nine
PART = 5.0  # seconds of a part: one move takes up to two of them, on a machine that has nothing else to do
PAGE = 6.0  # seconds after which a page for a browser without a script begins no other part
PAGE_COST = 4  # parts that such a page counts for
SOON = 1  # seconds until another turn may be free
TOO_MANY = N_("The server does only so many reviews at a time. Try again in a minute.")

_turn = Lock()


class Busy(TooManyRequests):
    """Another review is under way."""


def effort(seconds: float) -> Effort:
    """How hard to look at moves from now on: until so many seconds are over."""
    end = time.monotonic() + seconds
    return Effort(stop=lambda: time.monotonic() > end)


@contextmanager
def turn(cost: int = 1) -> Iterator[None]:
    """The turn to review. Raises `Busy`, and `RateLimitExceeded` for who has had too many."""
    if not _turn.acquire(blocking=False):
        g.retry_after = SOON
        raise Busy
    try:
        limiter: Limiter = next(iter(current_app.extensions["limiter"]))
        with limiter.shared_limit(RATE, "reviews", key_func=get_remote_address, cost=cost):
            yield
    finally:
        _turn.release()


def page(asked: dict[str, Any]) -> Step:
    """As much of a review as there is time for, for a browser without a script: `found` is what was found before.
    Raises `Invalid` and what `turn` does."""
    with turn(PAGE_COST):
        end = time.monotonic() + PAGE
        made = pages.step({"found": [], **asked}, effort(PART))
        while made.told["left"] and time.monotonic() < end:
            made = pages.step({**asked, "found": made.told["found"]}, effort(PART))
    return made
