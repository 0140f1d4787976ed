"""The routes of one match: its table, its rounds, undo and redo, its history and settings, its ways out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Flask, Response, abort, redirect, request, url_for

from scorekeeper.core import documents
from scorekeeper.core import events as events_core
from scorekeeper.core.events import Entry, Ledger
from scorekeeper.pages import scoring
from scorekeeper.pages import settings as settings_pages
from scorekeeper.pages import sheet as sheet_pages
from scorekeeper.pages import table as table_pages
from scorekeeper.pages.page import Page
from scorekeeper.store.errors import Conflict, KeyReused

from . import access
from .access import SCORE, WATCH
from .home import begin, ledger_of, log, new_key
from .respond import html, respond, say
from .share import here, names

blueprint = Blueprint("match", __name__, url_prefix="/m/<match_id>")


def install(app: Flask) -> None:
    """Adds the routes."""
    app.register_blueprint(blueprint)


def read(match_id: str, what: str) -> Ledger:
    """The match, for a browser that may do `what` with it. Raises as `access.need` does."""
    access.need(what, match_id)
    return ledger_of(match_id)


class Desk:
    """This request about a match that is kept in the event log, by somebody who may write: `scoring.Desk`.

    Raises as `access.need` does; aborts with 400 where a form does not say what it was made from.
    """

    def __init__(self, match_id: str) -> None:
        access.need(SCORE, match_id)
        self.match_id = match_id
        self.form: Mapping[str, str] = request.form.to_dict()
        if request.method == "POST" and request.endpoint != "match.preview" and not scoring.seen(self):
            abort(400)

    def ledger(self, version: int | None = None) -> Ledger:
        return ledger_of(self.match_id, version)

    def append(self, events: list[dict[str, Any]]) -> None:
        key = self.form.get("key") or new_key()
        try:
            log().append(self.match_id, events, expected=scoring.seen(self) or 0, key=key, by=access.by(),
                         may=access.still(self.match_id))
        except (Conflict, KeyReused) as error:
            raise scoring.Overtaken(isinstance(error, KeyReused)) from None

    def new_key(self) -> str:
        return new_key()

    def say(self, kind: str, message: str, **facts: Any) -> None:
        say(kind, message, **facts)


def answer(desk: Desk, done: Page | scoring.Goto) -> Any:
    """The page, or the way to the next one."""
    if isinstance(done, Page):
        if done.context.get("conflict"):
            done.context["phones"] = names(desk.match_id)
        return respond(done)
    return redirect(url_for(done.endpoint, match_id=desk.match_id), 303)


@blueprint.get("")
def table(match_id: str) -> Response:
    ledger = read(match_id, WATCH)
    return respond(table_pages.table_page(match_id, ledger, new_key(), here(match_id)))


@blueprint.route("/round", methods=["GET", "POST"])
def enter(match_id: str) -> Any:
    """A new round; or the open one, while it is being played."""
    desk = Desk(match_id)
    ledger = scoring.as_seen(desk)
    if request.method == "GET" and not ledger.open and ledger.finished:
        return redirect(url_for("match.table", match_id=match_id), 303)
    return _round(desk, ledger, ledger.open)


@blueprint.route("/round/<int:id_>", methods=["GET", "POST"])
def correct(match_id: str, id_: int) -> Any:
    """A round as it stands, to be corrected."""
    desk = Desk(match_id)
    ledger = scoring.as_seen(desk)
    return _round(desk, ledger, ledger.entry(id_) or abort(404))


def _round(desk: Desk, ledger: Ledger, entry: Entry | None) -> Any:
    if request.method == "GET":
        return respond(scoring.round_page(desk, ledger, entry))
    return answer(desk, scoring.save_round(desk, ledger, entry))


@blueprint.post("/preview")
def preview(match_id: str) -> Response:
    """The verdict that a form would bring, as a piece of HTML."""
    return respond(scoring.preview(Desk(match_id), request.args.get("id", 0, type=int)))


def _action(name: str, kind: str, done: str) -> Callable[..., Any]:
    def view(match_id: str) -> Any:
        desk = Desk(match_id)
        return answer(desk, scoring.act(desk, {"type": kind}, done))

    blueprint.add_url_rule(f"/{name}", name, view, methods=["POST"])
    return view


for _name, _said in scoring.ACTS.items():
    _action(_name, *_said)


@blueprint.post("/round/<int:id_>/void")
def void(match_id: str, id_: int) -> Any:
    desk = Desk(match_id)
    return answer(desk, scoring.void(desk, id_))


@blueprint.get("/more")
def more(match_id: str) -> Response:
    ledger = read(match_id, WATCH)
    return respond(settings_pages.more_page(match_id, ledger, new_key(), here=here(match_id)))


@blueprint.post("/more")
def change(match_id: str) -> Any:
    """Names, house rules, stakes and the first opener, as the form has them: one event for each that differs."""
    desk = Desk(match_id)
    return answer(desk, scoring.change(desk))


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
