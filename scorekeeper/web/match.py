"""The routes of one match: its table, its rounds, undo and redo, its history and settings, its ways out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Flask, Response, abort, redirect, request, url_for

from scorekeeper.core import documents
from scorekeeper.core import events as events_core
from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Entry, Ledger
from scorekeeper.core.options import N_
from scorekeeper.pages import entry as entry_pages
from scorekeeper.pages import settings as settings_pages
from scorekeeper.pages import sheet as sheet_pages
from scorekeeper.pages import table as table_pages
from scorekeeper.pages.kits import kit_of
from scorekeeper.pages.typed import number
from scorekeeper.store.errors import Conflict, KeyReused

from . import access
from .access import SCORE, WATCH
from .home import begin, ledger_of, log, new_key
from .respond import html, respond, say
from .share import here, names

blueprint = Blueprint("match", __name__, url_prefix="/m/<match_id>")
CHANGED_MEANWHILE = N_("Another phone changed this match just now. Look again, then try once more.")


def install(app: Flask) -> None:
    """Adds the routes."""
    app.register_blueprint(blueprint)


def read(match_id: str, what: str, version: int | None = None) -> Ledger:
    """The match (as it was at a version), for a browser that may do `what` with it. Raises as `access.need` does."""
    access.need(what, match_id)
    return ledger_of(match_id, version)


def as_seen(match_id: str) -> Ledger:
    """The match as the page was made from that is posted here, or as it is now for a GET; for those who score.

    A form means what its page showed: read so, a form sent again is the same events, and one that is refused and
    mended is still held against what another phone wrote since its page was made.
    """
    return read(match_id, SCORE, seen() if request.method == "POST" else None)


def append(match_id: str, events: list[dict[str, Any]]) -> None:
    """Writes events with the form's key and expected version. Raises `Conflict`, `Invalid`."""
    log().append(match_id, events, expected=seen(), key=request.form.get("key") or new_key(), by=access.by())


def seen() -> int:
    """The version that the form was made from. Aborts with 400 without one."""
    return number(request.form.get("version", "")) or abort(400)


@blueprint.get("")
def table(match_id: str) -> Response:
    ledger = read(match_id, WATCH)
    return respond(table_pages.table_page(match_id, ledger, new_key(), here(match_id)))


@blueprint.route("/round", methods=["GET", "POST"])
def enter(match_id: str) -> Any:
    """A new round; or the open one, while it is being played."""
    ledger = as_seen(match_id)
    if request.method == "GET" and not ledger.open and ledger.finished:
        return redirect(url_for("match.table", match_id=match_id), 303)
    return _round(match_id, ledger, ledger.open)


@blueprint.route("/round/<int:id_>", methods=["GET", "POST"])
def correct(match_id: str, id_: int) -> Any:
    """A round as it stands, to be corrected."""
    ledger = as_seen(match_id)
    return _round(match_id, ledger, ledger.entry(id_) or abort(404))


def _round(match_id: str, ledger: Ledger, entry: Entry | None) -> Any:
    if request.method == "GET":
        made = entry_pages.Draft(entry, {}, entry.round if entry else None)
        return respond(entry_pages.entry_page(match_id, ledger, made, new_key()))
    key = request.form.get("key") or new_key()
    made = entry_pages.draft(ledger, entry, request.form.to_dict())
    if made.error:
        return respond(entry_pages.entry_page(match_id, ledger, made, key))
    try:
        append(match_id, made.events())
    except (Conflict, KeyReused):
        return _conflict(match_id, entry)
    except Invalid as error:
        made.error = error
        return respond(entry_pages.entry_page(match_id, ledger, made, key))
    stays = kit_of(ledger.match.variant).LIVE and "ended" not in (made.round or {})
    return redirect(url_for("match.enter" if stays else "match.table", match_id=match_id), 303)


def _conflict(match_id: str, entry: Entry | None) -> Response:
    """Another phone was faster: its entry is shown, and what was typed here stays."""
    ledger = read(match_id, SCORE)
    since = [change for change in ledger.history if change.event["version"] > seen()]
    made = entry_pages.draft(ledger, ledger.entry(entry.id) if entry else ledger.open, request.form.to_dict())
    return respond(entry_pages.entry_page(match_id, ledger, made, new_key(), conflict=since))


@blueprint.post("/preview")
def preview(match_id: str) -> Response:
    """The verdict that a form would bring, as a piece of HTML."""
    ledger = read(match_id, SCORE)
    entry = ledger.entry(request.args.get("id", 0, type=int)) or ledger.open
    return respond(
        entry_pages.preview_page(match_id, ledger, entry_pages.draft(ledger, entry, request.form.to_dict()))
    )


def _act(match_id: str, event: Mapping[str, Any], done: str, **facts: Any) -> Any:
    """Writes one event and goes back with a message; what cannot be is said there too.

    The form field `back` = `enter` leads back to the round that is played, which shows by itself what was done.
    """
    access.need(SCORE, match_id)
    back = "match.enter" if request.form.get("back") == "enter" else "match.table"
    try:
        append(match_id, [dict(event)])
        if back == "match.table":
            say("good", done, **facts)
    except Conflict:
        say("bad", CHANGED_MEANWHILE)
    except KeyReused:
        say("note", N_("That was done already."))
    except Invalid as error:
        say("bad", N_("That cannot be done now (%(code)s)."), code=error.code)
    return redirect(url_for(back, match_id=match_id), 303)


def _action(name: str, event: Mapping[str, Any], done: str) -> Callable[..., Any]:
    def view(match_id: str) -> Any:
        return _act(match_id, event, done)

    blueprint.add_url_rule(f"/{name}", name, view, methods=["POST"])
    return view


_action("undo", {"type": "undone"}, N_("Taken back."))
_action("redo", {"type": "redone"}, N_("Done again."))
_action("finish", {"type": "finished"}, N_("The match is over."))
_action("reopen", {"type": "reopened"}, N_("The match goes on."))


@blueprint.post("/round/<int:id_>/void")
def void(match_id: str, id_: int) -> Any:
    return _act(match_id, {"type": "round_voided", "id": id_}, N_("The round is out. Undo brings it back."))


@blueprint.get("/more")
def more(match_id: str) -> Response:
    ledger = read(match_id, WATCH)
    return respond(settings_pages.more_page(match_id, ledger, new_key(), here=here(match_id)))


@blueprint.post("/more")
def change(match_id: str) -> Any:
    """Names, house rules, stakes and the first opener, as the form has them: one event for each that differs."""
    ledger, typed = as_seen(match_id), request.form.to_dict()
    try:
        events = settings_pages.changes(ledger, typed)
        if events:
            append(match_id, events)
            say("good", N_("Changed."))
    except (Conflict, KeyReused):
        say("bad", CHANGED_MEANWHILE)
        now = read(match_id, SCORE)
        typed = settings_pages.fields(now) | settings_pages.touched(ledger, typed)
        return respond(settings_pages.more_page(match_id, now, new_key(), typed))
    except Invalid as error:
        return respond(settings_pages.more_page(match_id, ledger, new_key(), typed, error))
    return redirect(url_for("match.table", match_id=match_id), 303)


@blueprint.get("/history")
def history(match_id: str) -> Response:
    ledger = read(match_id, WATCH)
    return respond(settings_pages.history_page(match_id, ledger, new_key(), here(match_id), names(match_id)))


@blueprint.post("/rematch")
def rematch(match_id: str) -> Any:
    """The same players at the same seats with the same house rules, from nothing."""
    ledger = read(match_id, SCORE)
    return begin(events_core.created(settings_pages.again(ledger), ledger.stakes))


@blueprint.get("/match.json")
def export_json(match_id: str) -> Response:
    """The match document."""
    document = documents.write(read(match_id, WATCH).match)
    return download(
        json.dumps(document, ensure_ascii=False, indent=1) + "\n",
        "application/json",
        f"match-{match_id}.json",
    )


@blueprint.get("/match.csv")
def export_csv(match_id: str) -> Response:
    """One line a round, points and running totals for each side."""
    return download(sheet_pages.csv_text(read(match_id, WATCH)), "text/csv", f"match-{match_id}.csv")


@blueprint.get("/sheet.svg")
def sheet(match_id: str) -> Response:
    """The score sheet as a picture."""
    picture = html(sheet_pages.sheet_page(match_id, read(match_id, WATCH)))
    return download(picture, "image/svg+xml", f"score-{match_id}.svg", "inline")


def download(text: str, kind: str, name: str, how: str = "attachment") -> Response:
    return Response(text, mimetype=kind, headers={"Content-Disposition": f'{how}; filename="{name}"'})
