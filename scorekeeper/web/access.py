"""What this browser may do with a match: the one place that decides, for every page, the API and the streams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import current_app, g
from werkzeug.exceptions import Forbidden

from scorekeeper.store.errors import NoMatch
from scorekeeper.store.sharing import OWNER, Access, Sharing

from . import session

# What a route asks for: to see the match, to write its events, to say who else may.
WATCH, SCORE, OWN = "watch", "score", "own"


def sharing() -> Sharing:
    """Who shares which match."""
    store: Sharing = current_app.extensions["sharing"]
    return store


def need(what: str, match_id: str, who: str | None = None) -> Access:
    """What the asker is to the match, if that is enough for `what`. `who`: as `session.owner`, which is the default.

    Raises `NoMatch` for strangers, to whom it does not exist, and Forbidden for those who may only look on.
    """
    g.asker = who if who is not None else session.owner()
    found = g.access = enough(what, match_id, sharing().access(match_id, g.asker))
    return found


def still(match_id: str) -> Callable[[Any], Access]:
    """Asks in the transaction that writes whether the asker may write now; after `need`. Raises as that does."""
    who = g.asker
    return lambda db: enough(SCORE, match_id, sharing().access_in(db, match_id, who))


def enough(what: str, match_id: str, found: Access | None) -> Access:
    """What was found, where it is enough. Raises as `need` does."""
    if found is None:
        raise NoMatch(match_id)
    if (what == SCORE and not found.writes) or (what == OWN and found.role != OWNER):
        raise Forbidden("this phone may look on, not write" if what == SCORE else "only the owner may do this")
    return found


def by() -> str | None:
    """Whose phone it is that writes, as the log keeps it; after `need`."""
    found: Access = g.access
    return None if found.number is None else str(found.number)
