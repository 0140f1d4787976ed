"""The routes by which a match is shared: joining by a code, the owner's controls, the big screen."""

from __future__ import annotations

import ipaddress
import re
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Flask, Response, abort, current_app, g, redirect, request, url_for
from flask import session as cookie
from markupsafe import Markup

from scorekeeper.core.documents import read_name
from scorekeeper.core.errors import Invalid
from scorekeeper.core.options import N_
from scorekeeper.pages import share as pages
from scorekeeper.pages import words
from scorekeeper.pages.typed import number
from scorekeeper.store.errors import BadCode, TooManyPhones
from scorekeeper.store.sharing import LINKS, NOBODY, OWNER, SCORER, WATCHER, Access, Phone

from . import access, session
from .access import OWN, WATCH, sharing
from .home import ledger_of
from .hub import ACCESS, PRESENCE, Hub
from .openapi import MOST_NUMBER
from .respond import respond, say

joining = Blueprint("join", __name__)
blueprint = Blueprint("share", __name__, url_prefix="/m/<match_id>")
# Wrong codes from one address. A table of players has one address, and each of them a finger that slips.
WRONG_CODES = "20 per minute; 100 per hour"


def install(app: Flask) -> None:
    """Adds the routes, and limits how often an address may be wrong."""
    app.register_blueprint(joining)
    app.register_blueprint(blueprint)
    (limiter,) = app.extensions["limiter"]
    counted = limiter.limit(WRONG_CODES, key_func=_address, deduct_when=lambda answer: answer.status_code == 404)
    app.view_functions["join.join"] = counted(join)


def hub() -> Hub:
    """Where open streams hear of what changed."""
    found: Hub = current_app.extensions["hub"]
    return found


def here(match_id: str) -> dict[str, Any]:
    """What this phone is at the table, for its pages; after `access.need`."""
    return {**seen_by(g.access), "connected": len(hub().present(match_id))}


def seen_by(found: Access) -> dict[str, Any]:
    """What a phone with this access is at the table, without who is connected."""
    return {
        "role": found.role,
        "writes": found.writes,
        "owns": found.role == OWNER,
        "locked": found.locked,
        "shared": found.number is not None,
        "look": found.look,
    }


def names(match_id: str) -> dict[str, str]:
    """The phones' names by what the events say in `by`."""
    return {str(phone.number): name_of(phone) for phone in sharing().phones(match_id)}


def name_of(phone: Phone) -> str:
    """A phone's name; one that has none is called by its number."""
    _ = words.catalogue(session.language()).gettext
    return phone.name or _(N_("Phone %(n)d")) % {"n": phone.number}


# Joining ----------------------------------------------------------------------------------------------------


def _address() -> str:
    """Who tries codes: an address, or for IPv6 the network of which one customer has 18 million million million."""
    try:
        found = ipaddress.ip_address(request.remote_addr or "127.0.0.1")
    except ValueError:
        return str(request.remote_addr)
    return str(found if found.version == 4 else ipaddress.ip_network((found, 64), strict=False))


@joining.get("/join")
def code() -> Any:
    typed = request.args.get("code", "").strip()
    plain = re.sub(r"[/.]", "-", typed[:40])  # these would make another path; a code is read without its signs
    return redirect(url_for("join.join", code=plain)) if typed else respond(pages.code_page())


@joining.route("/j/<code>", methods=["GET", "POST"])
def join(code: str) -> Any:
    try:
        match_id, role = sharing().find(code)
    except BadCode:
        return respond(pages.code_page(code[:40] if code.isprintable() else "", wrong=True))
    mine, ledger = sharing().access(match_id, session.owner()), ledger_of(match_id)
    if request.method == "GET":
        if mine and (mine.role in (role, SCORER, OWNER)):
            return redirect(url_for("match.table", match_id=match_id), 303)
        return respond(pages.join_page(code, ledger, role, {"name": str(cookie.get("name", ""))}))
    typed = request.form.to_dict()
    try:
        name = _name(typed.get("name", ""), needed=role != WATCHER)
        seat = number(typed.get("seat", ""))
        if seat is not None and seat >= len(ledger.match.players):
            abort(400)
        sharing().join(code, session.become_owner(), name, seat)
    except Invalid as error:
        return respond(pages.join_page(code, ledger, role, typed, error))
    except TooManyPhones:
        abort(429)
    if name:
        cookie["name"] = name
    hub().publish(match_id, PRESENCE)  # nobody else may do more or less than before
    return redirect(url_for("share.screen" if "screen" in typed else "match.table", match_id=match_id), 303)


def _name(typed: str, needed: bool) -> str:
    return read_name(typed, "name") if needed or typed.strip() else ""


# The share page ---------------------------------------------------------------------------------------------


@blueprint.get("/share")
def share(match_id: str) -> Response:
    access.need(WATCH, match_id)
    return _page(match_id)


def _page(match_id: str, error: Invalid | None = None) -> Response:
    mine = here(match_id)
    codes = sharing().codes(match_id)
    passed_on = LINKS if mine["owns"] else (WATCHER,)
    links = [_link(role, codes.get(role)) for role in passed_on]
    present = hub().present(match_id)
    phones = [
        {
            "number": phone.number,
            "name": name_of(phone),
            "own_name": phone.name,
            "seat": phone.seat,
            "role": phone.role,
            "connected": phone.who in present,
            "me": phone.number == g.access.number,
        }
        for phone in sharing().phones(match_id)
        if phone.role
    ]
    page = pages.share_page(
        match_id, ledger_of(match_id), mine, links, phones, request.args.get("for", WATCHER), error
    )
    page.context["reachable"] = urlsplit(request.host_url).hostname not in ("127.0.0.1", "localhost", "::1")
    return respond(page)


def _link(role: str, code: str | None) -> dict[str, Any]:
    if code is None:
        return {"role": role, "code": None, "address": "", "qr": ""}
    address = url_for("join.join", code=code, _external=True)
    drawn = segno.make(address, error="m", micro=False)
    picture = drawn.svg_inline(omitsize=True, border=3, svgclass="qr", lineclass=None)
    return {"role": role, "code": code, "address": address, "qr": Markup(picture)}


def _changed(match_id: str, role: str | None = None) -> Any:
    """Every stream looks again who it is; and back to the page."""
    hub().publish(match_id, ACCESS)
    chosen: dict[str, Any] = {"for": role} if role else {}
    return redirect(url_for("share.share", match_id=match_id, **chosen), 303)


def _me() -> str:
    return session.owner() or ""


@blueprint.post("/share")
def start(match_id: str) -> Any:
    access.need(OWN, match_id)
    sharing().start(match_id, _me())
    return _changed(match_id)


@blueprint.post("/share/link")
def link(match_id: str) -> Any:
    access.need(OWN, match_id)
    role, act = request.form.get("role", ""), request.form.get("do")
    if role not in LINKS or act not in ("renew", "off"):
        abort(400)
    (sharing().renew if act == "renew" else sharing().turn_off)(match_id, _me(), role)
    return _changed(match_id, role)


@blueprint.post("/share/lock")
def lock(match_id: str) -> Any:
    access.need(OWN, match_id)
    sharing().lock(match_id, _me(), request.form.get("locked") == "yes")
    return _changed(match_id)


@blueprint.post("/share/phone/<int:number_>")
def phone(match_id: str, number_: int) -> Any:
    """Gives a phone another role, hands the match over, or removes it."""
    access.need(OWN, match_id)
    roles = {"watch": WATCHER, "score": SCORER, "own": OWNER, "remove": NOBODY}
    act = request.form.get("do", "")
    if act not in roles:
        abort(400)
    if number_ > MOST_NUMBER:
        abort(404)
    sharing().give(match_id, _me(), number_, roles[act])
    if act == "remove":
        say("good", N_("Removed. The links are new, so it cannot come back by an old one."))
    return _changed(match_id)


@blueprint.post("/share/name")
def name(match_id: str) -> Any:
    """This phone's own name."""
    access.need(WATCH, match_id)
    try:
        chosen = _name(request.form.get("name", ""), needed=True)
    except Invalid as error:
        return _page(match_id, error)
    sharing().rename(match_id, _me(), chosen)
    cookie["name"] = chosen
    hub().publish(match_id, PRESENCE)
    return redirect(url_for("share.share", match_id=match_id), 303)


@blueprint.post("/share/leave")
def leave(match_id: str) -> Any:
    """Takes this phone from the table."""
    found = access.need(WATCH, match_id)
    if found.role == OWNER:
        abort(400)
    sharing().leave(match_id, _me())
    hub().publish(match_id, ACCESS)
    return redirect(url_for("home.index"), 303)


@blueprint.get("/screen")
def screen(match_id: str) -> Response:
    access.need(WATCH, match_id)
    return respond(pages.screen_page(match_id, ledger_of(match_id), here(match_id)))
