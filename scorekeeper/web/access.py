"""What this browser may do with a match: the one place that decides, for every page, the API and the streams."""

from __future__ import annotations

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
    found = sharing().access(match_id, who if who is not None else session.owner())
    if found is None:
        raise NoMatch(match_id)
    g.access = found
    if (what == SCORE and not found.writes) or (what == OWN and found.role != OWNER):
        raise Forbidden("this phone may look on, not write" if what == SCORE else "only the owner may do this")
    return found


def by() -> str | None:
    """Whose phone it is that writes, as the log keeps it; after `need`."""
    found: Access = g.access
    return None if found.number is None else str(found.number)
