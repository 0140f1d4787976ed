"""The leaderboard, and what a browser asks for the ranking in JSON: seeds, and what became of the records it sends.

A record that may count is kept at once and answered with 202; it is played again later (`replays.py`), and asked
about by its id until it is `counted` or `refused`.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, request, url_for
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from flask_limiter.util import get_remote_address
from werkzeug.exceptions import Unauthorized

from scorekeeper.core import ranking
from scorekeeper.core.errors import Invalid
from scorekeeper.core.variants import VARIANTS
from scorekeeper.pages import ranking as pages
from scorekeeper.store.accounts import Account
from scorekeeper.store.errors import BadSeed, TooManyWaiting
from scorekeeper.store.results import Result

from . import body
from .accounts import current, limit, results
from .api import from_our_pages
from .body import NotJson
from .replays import Replays
from .respond import answer_json, html, respond
from .security import csrf

blueprint = Blueprint("ranking", __name__)
json_blueprint = Blueprint("ranking_json", __name__, url_prefix="/practice")
BATCH = 10
SEEDS, RESULTS = "30 per hour", "60 per hour"
AGAIN = 60  # seconds after which a browser may try again
SEED_WRONG = {
    "seed_unknown": "this seed was not issued to this account",
    "seed_used": "another match on this seed was played to its end",
    "seed_expired": "this seed was issued too long ago",
}


class Sessions(SecureCookieSessionInterface):
    """A cookie is renewed by pages, not by what their scripts ask for meanwhile: an answer that is on its way while
    somebody signs out would sign them in again."""

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        script = request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate"  # not sent without https
        aside = script or request.is_json or request.blueprint == json_blueprint.name
        return session.modified or (not aside and super().should_set_cookie(app, session))


def install(app: Flask) -> None:
    """Adds the routes, and takes up what was not judged when the server stopped. `accounts` must be installed."""
    csrf.exempt(json_blueprint)  # these take JSON from our own pages only; a page on a device has no token
    app.session_interface = Sessions()
    app.register_blueprint(blueprint)
    app.register_blueprint(json_blueprint)
    limit(app, "ranking_json.seeds", SEEDS, _who)
    limit(app, "ranking_json.submit", RESULTS, _who)
    replays = app.extensions["replays"] = Replays(app.extensions["results"], app.config["ROOT"])
    if app.extensions["results"].waiting():
        replays.wake()


def _who() -> str:
    me = current()
    return me.id if me else get_remote_address()


@blueprint.get("/ranking")
def boards() -> Response:
    return board(next(iter(VARIANTS)))


@blueprint.get("/ranking/<key>")
def board(key: str) -> Response:
    variant, me = VARIANTS.get(key) or abort(404), current()
    bests = results().board(key, pages.MOST_ROWS + 1)  # one more tells whether the last shown is tied
    rows = pages.rows_of(bests, me.id if me else None)[: pages.MOST_ROWS]
    below = None
    if me and not any(row.mine for row in rows):
        points = results().best_of(me.id).get(key)
        if points:
            place, same = results().place(key, points)
            below = pages.Row(place, same > 1, me.name, points, pages.level_of(points), True)
    return respond(pages.ranking_page(variant, rows, below, me is not None))


# In JSON ----------------------------------------------------------------------------------------------------


def signed_in() -> Account:
    """Who is signed in, in a page of ours. Raises Unauthorized."""
    me = current() if from_our_pages() else None
    if me is None:
        raise Unauthorized("this is for a page of ours in which somebody is signed in")
    return me


@json_blueprint.get("/seeds")
def seeds() -> Response:
    """New seeds, each for one match: `{"account": id, "seeds": [{"seed", "until"}]}`."""
    me = signed_in()
    issued = [{"seed": seed, "until": until.isoformat()} for seed, until in results().issue(me.id, BATCH)]
    return answer_json({"account": me.id, "seeds": issued})


@json_blueprint.post("/results")
def submit() -> Response:
    """Takes a record: `{"record": {…}, "helped": false}`."""
    me = signed_in()
    asked = body.fields(body.read(), needed=("record", "helped"))
    ranking.enter(asked["record"], asked["helped"])
    kept = results().submit(me.id, asked["record"])
    if kept.verdict is None:
        current_app.extensions["replays"].wake()
    response = told(kept, 202 if kept.verdict is None else 200)
    response.headers["Location"] = url_for(".result", id_=kept.id)
    return response


@json_blueprint.get("/results/<id_>")
def result(id_: str) -> Response:
    """What became of a record."""
    return told(results().get(signed_in().id, id_) or abort(404))


def told(found: Result, status: int = 200) -> Response:
    """`{"id", "status": "pending" | "counted" | "refused", "points" or "error", "text"}`; the text in the reader's
    language."""
    verdict = found.verdict
    answer: dict[str, Any] = {"id": found.id, "status": "pending", "text": html(pages.verdict_part(found)).strip()}
    if verdict and verdict.points is not None:
        answer |= {"status": "counted", "points": verdict.points}
    elif verdict:
        answer |= {"status": "refused"} | Invalid(verdict.code, verdict.message, verdict.place).as_dict()
    return answer_json(answer, status)


def problem(status: int, error: Invalid) -> Response:
    """`{"error": {"code", "message", "at"}, "text"}`, the text in the reader's language."""
    return answer_json({**error.as_dict(), "text": html(pages.refusal_part(error.code)).strip()}, status)


@json_blueprint.errorhandler(Invalid)
def invalid(error: Invalid) -> Response:
    return problem(422, error)


@json_blueprint.errorhandler(NotJson)
def not_json(error: NotJson) -> Response:
    return problem(400, error)


@json_blueprint.errorhandler(BadSeed)
def bad_seed(error: BadSeed) -> Response:
    return problem(422, Invalid(error.code, SEED_WRONG[error.code], "record.seed"))


@json_blueprint.errorhandler(TooManyWaiting)
def too_many(_error: TooManyWaiting) -> Response:
    response = problem(429, Invalid("too_many_waiting", "earlier records are still being played again", "record"))
    response.headers["Retry-After"] = str(AGAIN)
    return response
