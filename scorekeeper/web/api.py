"""The JSON API, `/api/v1`: the pages' validation, errors and versions for programs. `openapi.py` describes it.

Who asks is told by a bearer token: a secret that the client makes, or is given with its first match. A script of
our own pages may rely on the browser's cookie instead.
"""

from __future__ import annotations

import re
import secrets
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, request, url_for
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from scorekeeper.core import documents, events, schema
from scorekeeper.core.errors import Invalid, shown, wrong_type
from scorekeeper.core.ledger import Change, fold, read_stakes
from scorekeeper.core.tally import tally, tally_document
from scorekeeper.store.errors import Conflict, KeyReused, NoMatch

from . import access, body, openapi, session
from .access import SCORE, WATCH
from .body import NotJson
from .home import log, new_key
from .respond import answer_json
from .security import csrf

blueprint = Blueprint("api", __name__, url_prefix=openapi.PREFIX)
TOKEN = re.compile(openapi.TOKEN_PATTERN)
KEY = re.compile(openapi.KEY_PATTERN)


def install(app: Flask) -> None:
    """Adds the routes. No form of another site can reach them: they take JSON, and a cookie only from here."""
    csrf.exempt(blueprint)
    app.register_blueprint(blueprint)


# Who asks ---------------------------------------------------------------------------------------------------


def caller() -> str | None:
    """The owner's name of who asks, None for a stranger. Raises Unauthorized for a token that cannot be one."""
    header = request.headers.get("Authorization")
    if header is None:
        return session.owner() if from_our_pages() else None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not TOKEN.fullmatch(token.strip()):
        raise unauthorized("the header must be: Authorization: Bearer, and a token of 20 to 200 characters")
    return session.owner_of_token(token.strip())


def from_our_pages() -> bool:
    """Whether a script of our own pages asks. Browsers say so; without TLS some only name the page's origin."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site == "same-origin"
    return origin is not None and urlsplit(origin).netloc == request.host


def known_caller() -> str:
    """The owner's name of who asks. Raises Unauthorized."""
    owner = caller()
    if owner is None:
        raise unauthorized("this needs the header Authorization: Bearer <token>")
    return owner


def unauthorized(message: str) -> Unauthorized:
    return Unauthorized(message, www_authenticate=WWWAuthenticate("bearer"))


def allowed(match_id: str, what: str = WATCH) -> str:
    """The id, if the caller may do `what` with the match. Raises as `access.need` does; Unauthorized for nobody."""
    who = known_caller()
    if not (match_id.isascii() and match_id.isalnum()):
        raise NoMatch(match_id)
    access.need(what, match_id, who)
    return match_id


# Reading what was asked -------------------------------------------------------------------------------------


def numbers(**wanted: tuple[int, int, int]) -> list[int]:
    """Whole numbers from the address, each with its default, least and most. Raises `Invalid`, for others too."""
    for name in request.args:
        if name not in wanted:
            raise Invalid("unknown_field", f"the request has no {shown(name)}", name[:40])
    found = []
    for name, (default, low, high) in wanted.items():
        texts = request.args.getlist(name) or [str(default)]
        # The length first: a database takes no more than 18 digits, and Python's int() none of 5000.
        fits = len(texts) == 1 and len(texts[0]) <= len(str(high)) and texts[0].isascii() and texts[0].isdigit()
        if not fits or not low <= int(texts[0]) <= high:
            raise wrong_type(f"a whole number from {low} to {high}", name)
        found.append(int(texts[0]))
    return found


def read_key(raw: Any) -> str:
    """A client's key for one write. Raises `Invalid("bad_key")`."""
    if type(raw) is not str or not KEY.fullmatch(raw):
        raise Invalid("bad_key", "a key has 1 to 64 printable ASCII characters", "key")
    return raw


def events_of(match_id: str, version: int | None = None) -> list[dict[str, Any]]:
    """The match's events, up to a version."""
    return [stored.as_event() for stored in log().read(match_id)[:version]]


# Answers ----------------------------------------------------------------------------------------------------


def kept(value: Any) -> Response:
    """An answer that is not sent again to a client that still has it."""
    response = answer_json(value)
    response.add_etag(weak=True)
    response.make_conditional(request)
    return response


def problem(status: int, error: Invalid, **more: Any) -> Response:
    return answer_json({**error.as_dict(), **more}, status)


@blueprint.errorhandler(Invalid)
def invalid(error: Invalid) -> Response:
    return problem(422, error)


@blueprint.errorhandler(NotJson)
def not_json(error: NotJson) -> Response:
    return problem(400, error)


@blueprint.errorhandler(KeyReused)
def key_reused(_error: KeyReused) -> Response:
    return problem(422, Invalid("key_reused", "this key was used before, for something else", "key"))


@blueprint.errorhandler(Conflict)
def conflict(error: Conflict) -> Response:
    """Another client was faster: where the match is now, and what happened since."""
    told = Invalid("conflict", f"the match is at version {error.version}", "expected")
    return problem(409, told, version=error.version, since=[stored.as_event() for stored in error.since])


def summary(match_id: str) -> dict[str, Any]:
    """A match as a list shows it."""
    stored = log().read(match_id)
    ledger = fold([each.as_event() for each in stored])
    match = ledger.match
    result = tally(match)
    return {
        "id": match_id,
        "version": ledger.version,
        "status": "finished" if ledger.finished else "playing",
        "variant": match.variant.key,
        "players": list(match.players),
        "totals": result["totals"],
        "changed_at": stored[-1].at.isoformat(),
    }


def change(made: Change) -> dict[str, Any]:
    """One line of the history: from what to what, and whether that was taken back since."""
    return {
        "event": dict(made.event),
        "before": made.before,
        "after": made.after,
        "undone": made.undone,
        "target": made.target and made.target["version"],
    }


# The description --------------------------------------------------------------------------------------------


@blueprint.get("/openapi.json")
def openapi_document() -> Response:
    return kept(openapi.document())


@blueprint.get("/schema/match.json")
def match_schema() -> Response:
    return kept(schema.match_document())


@blueprint.get("/schema/tally.json")
def tally_schema() -> Response:
    return kept(schema.tally())


# Matches ----------------------------------------------------------------------------------------------------


@blueprint.post("/tally")
def stateless_tally() -> Response:
    """The tally of the document in the body; nothing is kept."""
    return answer_json(tally_document(body.read()))


@blueprint.get("/matches")
def matches() -> Response:
    """The caller's matches, the most recently changed first."""
    owner = known_caller()
    start, limit = numbers(**{"from": (0, 0, openapi.MOST_NUMBER), "limit": (20, 1, openapi.MOST_MATCHES)})
    found = access.sharing().matches_of(owner, limit + 1, start)
    more = f"{url_for('.matches')}?from={start + limit}&limit={limit}" if len(found) > limit else None
    return kept({"matches": [summary(match_id) for match_id in found[:limit]], "next": more})


@blueprint.post("/matches")
def create() -> Response:
    """Begins a match, with the rounds that its document brings along."""
    owner, token = caller(), None
    asked = body.fields(body.read(), needed=("document",), optional=("key", "stakes"))
    key = read_key(asked["key"]) if "key" in asked else new_key()
    stakes = read_stakes(asked.get("stakes"))
    try:
        made = events.created(asked["document"], stakes)
    except Invalid as error:
        raise error.within("document") from None
    if owner is None and from_our_pages():
        owner = session.become_owner()
    if owner is None:
        token = secrets.token_urlsafe(24)
        owner = session.owner_of_token(token)
    done = log().create(owner, made, key)
    answer: dict[str, Any] = {
        "id": done.match_id,
        "version": done.version,
        "replayed": done.replayed,
        "tally": fold(events_of(done.match_id, done.version)).tally(),
    }
    response = answer_json(answer | ({"token": token} if token else {}), 201)
    response.headers["Location"] = url_for(".match", match_id=done.match_id)
    return response


@blueprint.get("/matches/<match_id>")
def match(match_id: str) -> Response:
    ledger = fold(events_of(allowed(match_id)))
    return kept(
        {
            "id": match_id,
            "version": ledger.version,
            "status": "finished" if ledger.finished else "playing",
            "document": documents.write(ledger.match),
            "rounds": [entry.id for entry in ledger.rounds],
            "stakes": ledger.stakes,
        }
    )


@blueprint.get("/matches/<match_id>/tally")
def match_tally(match_id: str) -> Response:
    ledger = fold(events_of(allowed(match_id)))
    return kept({"version": ledger.version, "tally": ledger.tally()})


@blueprint.get("/matches/<match_id>/history")
def history(match_id: str) -> Response:
    """Every event after version `since`, with what it changed from what to what."""
    ledger = fold(events_of(allowed(match_id)))
    (since,) = numbers(since=(0, 0, openapi.MOST_NUMBER))
    return kept({"version": ledger.version, "changes": [change(made) for made in ledger.history[since:]]})


@blueprint.post("/matches/<match_id>/events")
def append(match_id: str) -> Response:
    """Writes events after the version that the client has seen, all or none."""
    allowed(match_id, SCORE)
    asked = body.fields(body.read(), needed=("events", "expected", "key"))
    key, new, expected = read_key(asked["key"]), asked["events"], asked["expected"]
    if type(new) is not list or not new:
        raise wrong_type("a list of at least one event", "events")
    if type(expected) is not int or expected < 0:
        raise wrong_type("a version, a whole number", "expected")
    done = log().append(match_id, new, expected=expected, key=key, by=access.by(), may=access.still(match_id))
    told = fold(events_of(match_id, done.version)).tally()
    return answer_json({"version": done.version, "replayed": done.replayed, "tally": told}, 201)
