"""Practice on the server: the choice, the table as a plain page, and single steps in JSON for the page's script.

The server keeps no match. A script keeps it in the browser and sends it along; without one it travels in the form, and
in the cookie where it is small enough, so that one can come back to it.
"""

from __future__ import annotations

import json
import secrets
import time
import zlib
from typing import Any

from flask import Blueprint, Flask, Response, redirect, request, url_for
from flask import session as cookie
from werkzeug.exceptions import Forbidden, RequestEntityTooLarge, TooManyRequests

from scorekeeper.core.engine import session as sessions
from scorekeeper.core.engine.session import Session
from scorekeeper.core.errors import Invalid
from scorekeeper.core.options import N_
from scorekeeper.pages import practice as pages
from scorekeeper.pages import words
from scorekeeper.pages.page import Page

from . import body, reviews, session
from .api import from_our_pages
from .respond import answer_json, html, respond, say
from .security import csrf

blueprint = Blueprint("practice", __name__, url_prefix="/practice")
json_blueprint = Blueprint("practice_json", __name__, url_prefix="/practice")
KEPT = "practice"  # in the cookie
MOST_KEPT = 2400  # bytes, compressed: Flask writes them as 3200 characters, and a cookie has 4096 with all the rest
MOST_SENT = 256 * 1024  # bytes of a step: a match of 500 long rounds fits
LOOKS = ("hint",)  # steps that only show something, and are gone with the next page
SEED_BITS = 50  # JavaScript counts to 53 without loss


def install(app: Flask) -> None:
    """Adds the routes."""
    csrf.exempt(json_blueprint)  # steps change nothing here, and a page on a device has no token
    app.register_blueprint(blueprint)
    app.register_blueprint(json_blueprint)


def seed() -> int:
    """A seed for a new match."""
    return secrets.randbits(SEED_BITS)


# -- the match without a script --------------------------------------------------------------------------------


def kept() -> Session | None:
    """The match in the cookie, if there is one that can still be read."""
    found = cookie.get(KEPT)
    try:
        return pages.read(found["state"]) if found else None
    except Invalid:
        return None


def keep(played: Session) -> None:
    """Puts the match into the cookie, if it fits."""
    cookie.pop(KEPT, None)
    if len(zlib.compress(_text(played).encode())) <= MOST_KEPT:
        cookie[KEPT] = {"state": sessions.write(played), "at": int(time.time() * 1000)}
        cookie.permanent = True


@blueprint.get("")
def choose() -> Response:
    choice = pages.Choice(request.args.to_dict())
    return respond(pages.choose_page(choice, session.language(), _running()))


def _running() -> Session | None:
    found = kept()
    return found if found and pages.turn_of(found) != "finished" else None


@blueprint.post("")
def start() -> Any:
    """A new match, its seed thrown here; the bots before the human have had their turn."""
    form = request.form.to_dict()
    try:
        made = pages.step({"do": "start", "form": form, "seed": seed()}).session.bot_turns()
    except Invalid as error:
        return respond(pages.choose_page(pages.Choice(form), session.language(), _running(), error))
    return _onwards(made)


@blueprint.get("/table")
def table() -> Response:
    found = kept()
    return _shown(found, pages.table_page(found, session.language()), cookie[KEPT]["at"]) if found else _nothing()


@blueprint.post("/table")
def play() -> Any:
    """One step of the human's and the bots' answers; the match comes in the form, or in the cookie."""
    form = request.form
    try:
        before = pages.read(json.loads(form["state"])) if form.get("state") else kept()
        if before is None:
            return redirect(url_for("practice.choose"), 303)
        if form.get("do") == "review":
            return _reviewed(before)
        made = pages.step(_asked(before))
        if form.get("pick") or form.get("do") in LOOKS:
            return _shown(made.session, made.page, int(time.time() * 1000))
        return _onwards(made.session.bot_turns())
    except (ValueError, RecursionError) as error:
        say("bad", N_("That cannot be done now (%(code)s)."), code=getattr(error, "code", "not_json"))
        return redirect(url_for("practice.table"), 303)


def _asked(before: Session) -> dict[str, Any]:
    form, state = request.form, sessions.write(before)
    do = "show" if form.get("pick") else form.get("do", "play" if "move" in form else "show")
    if do == "again":
        return {"do": "start", "seed": seed(), **{name: state[name] for name in ("variant", "rules", "seats")}}
    words = {"language": session.language(), "pick": form.get("pick"), "move": form.get("move")}
    return {"do": do, "state": state, **words}


def _reviewed(before: Session) -> Any:
    """The review, or as much of it as can be had now."""
    try:
        made = reviews.page(_asked(before) | {"found": json.loads(request.form.get("found") or "[]")})
    except TooManyRequests:
        say("bad", reviews.TOO_MANY)
        return _onwards(before)
    made.page.context["found_text"] = json.dumps(made.told["found"])
    return _shown(made.session, made.page, int(time.time() * 1000))


def _onwards(played: Session) -> Any:
    """To the table by its own address, so that reloading plays nothing again; a match too long for the cookie there
    and then."""
    keep(played)
    if KEPT in cookie:
        return redirect(url_for("practice.table"), 303)
    return _shown(played, pages.table_page(played, session.language()), int(time.time() * 1000))


def _shown(played: Session, part: Page, at: int) -> Response:
    return respond(pages.full_page(part, _text(played), at))


def _nothing() -> Response:
    return respond(pages.full_page(None))


def _text(played: Session) -> str:
    return json.dumps(sessions.write(played), separators=(",", ":"))


# -- single steps in JSON --------------------------------------------------------------------------------------


@json_blueprint.post("/step")
def step() -> Response:
    """A step as `scorekeeper/pages/practice.py` has it; a match started without a seed gets one from here."""
    if not from_our_pages():
        raise Forbidden("this is for our own pages")
    if (request.content_length or 0) > MOST_SENT:
        raise RequestEntityTooLarge
    try:
        asked = body.read()
    except Invalid as error:
        return answer_json(error.as_dict(), 422)
    if type(asked) is dict:
        asked["language"] = session.language()
        if asked.get("do") == "start" and asked.get("seed") is None:
            asked["seed"] = seed()
        if asked.get("do") == "review":
            return _review(asked)
    return _answered(pages.answer(asked, html))


def _review(asked: dict[str, Any]) -> Response:
    """A part of a review; where there is no turn to be had, that in the reader's language as `"text"`."""
    try:
        with reviews.turn():
            return _answered(pages.answer({"found": [], **asked}, html, reviews.effort(reviews.PART)))
    except TooManyRequests:
        error = Invalid("too_many_reviews", "only so many reviews are done at a time", "do")
        text = words.catalogue(session.language()).gettext(reviews.TOO_MANY)
        return answer_json({**error.as_dict(), "text": text}, 429)


def _answered(answered: dict[str, Any]) -> Response:
    return answer_json(answered, 422 if "error" in answered else 200)
