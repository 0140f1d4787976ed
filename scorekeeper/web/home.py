"""The routes before a match: home, new, import, rules, choices, the manifest and the health check."""

from __future__ import annotations

import re
import uuid
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, redirect, request, url_for
from flask import session as cookie

from scorekeeper.core import events
from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Ledger, fold
from scorekeeper.core.variants import VARIANTS
from scorekeeper.pages import home as pages
from scorekeeper.pages.page import Page
from scorekeeper.pages.typed import number
from scorekeeper.store.errors import KeyReused
from scorekeeper.store.log import Log

from . import body, session
from .access import sharing
from .respond import html, respond

blueprint = Blueprint("home", __name__)
# An address on this site: browsers take // and /\ for another one, and drop tabs and line breaks on the way.
_OWN_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\\]*")
PAGE = 20


def install(app: Flask) -> None:
    """Adds the routes."""
    app.register_blueprint(blueprint)


def log() -> Log:
    """The event log."""
    store: Log = current_app.extensions["log"]
    return store


def ledger_of(match_id: str, version: int | None = None) -> Ledger:
    """The match as its events, up to a version, leave it. Raises `NoMatch`."""
    return fold([stored.as_event() for stored in log().read(match_id)[:version]])


def my_matches(limit: int, offset: int = 0, archived: bool = False) -> list[tuple[str, Ledger]]:
    """The matches that this browser began or joined, the most recently changed first: those in the lists, or those
    that are archived."""
    owner = session.owner()
    found = sharing().matches_of(owner, limit, offset, archived) if owner else []
    return [(id_, ledger_of(id_)) for id_ in found]


def new_key() -> str:
    """A key for one thing a person is about to do; tried again, it is done once."""
    return uuid.uuid4().hex


@blueprint.get("/")
def index() -> Response:
    offset, archived = number(request.args.get("from", "")) or 0, "archived" in request.args
    found = my_matches(PAGE + 1, offset, archived)
    more: dict[str, Any] | None = None
    if len(found) > PAGE:
        more = {"from": offset + PAGE} | ({"archived": 1} if archived else {})
    elif not archived and my_matches(1, archived=True):  # after all others: what nobody has touched for long
        more = {"archived": 1}
    return respond(pages.home_page(found[:PAGE], more))


@blueprint.get("/new")
def variants() -> Response:
    return respond(pages.variants_page())


@blueprint.get("/new/<key>")
def new(key: str) -> Response:
    variant, before = _variant(key), [ledger for _, ledger in my_matches(PAGE)]
    form = pages.NewMatch(variant, pages.remembered(variant, before))
    return respond(pages.new_page(form, pages.names_used(before), new_key()))


@blueprint.post("/new/<key>")
def create(key: str) -> Any:
    before = [ledger for _, ledger in my_matches(PAGE)]
    made = pages.new_match(_variant(key), request.form.to_dict(), before, new_key())
    return respond(made) if isinstance(made, Page) else begin(made)


def begin(made: list[dict[str, Any]]) -> Any:
    """Makes the match and leads to it. Sent twice, a form makes one; changed after going back to it, another."""
    owner, key = session.become_owner(), request.form.get("key") or new_key()
    try:
        match_id = log().create(owner, made, key).match_id
    except KeyReused:
        match_id = log().create(owner, made, new_key()).match_id
    return redirect(url_for("match.table", match_id=match_id), 303)


@blueprint.route("/import", methods=["GET", "POST"])
def import_() -> Any:
    if request.method == "GET":
        return respond(pages.import_page("", new_key()))
    file = request.files.get("file")
    typed = (
        file.read().decode("utf-8-sig", "replace")
        if file and file.filename
        else request.form.get("document", "")
    )
    try:
        made = events.created(body.parse(typed.encode()))
    except Invalid as error:
        return respond(pages.import_page(typed, new_key(), error))
    return begin(made)


@blueprint.get("/rules")
def rules_index() -> Response:
    return respond(pages.rules_page())


@blueprint.get("/rules/<key>")
def rules(key: str) -> Response:
    return respond(pages.rules_page(_variant(key)))


@blueprint.post("/choices")
def choices() -> Any:
    """Keeps a chosen language or theme and goes back to where it was chosen."""
    if request.form.get("language") in session.languages():
        cookie["language"] = request.form["language"]
    if request.form.get("theme") in session.THEMES:
        cookie["theme"] = request.form["theme"]
    cookie.permanent = True
    back = request.form.get("back", "/")
    return redirect(back if _OWN_PATH.fullmatch(back) else "/", 303)


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    return Response(
        html(Page("manifest.webmanifest")),
        mimetype="application/manifest+json",
        headers={"Cache-Control": "max-age=3600"},
    )


@blueprint.get("/healthz")
def healthz() -> Response:
    log().matches_of("", 1)
    return Response("ok\n", mimetype="text/plain")


def _variant(key: str) -> Any:
    return VARIANTS.get(key) or abort(404)
