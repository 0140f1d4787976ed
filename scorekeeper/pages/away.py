"""The scorekeeping pages away from the server: a path, a form and a match's events in; HTML and new events out.

Nothing is kept here. A request is `{"do": "page" | "submit", "path": "/m/<id>/round", "form": {…}, "key", …}` with
- `events`: for a path within a match, all that happened, as the log gives them (`version`, `at`, `by` included);
- `here`, `phones`: what this phone is to the match, and the names by `by`, as the server last said;
- `matches`: elsewhere, `[{"id", "events"}, …]`, the most recently changed first;
- `id`: what a match that begins now is to be called on this phone; `messages`: what is to be said on the page.
`{"do": "kept", "waiting": {…}}` asks for the words of what is not on the server (kept.py).

An answer has `html`, `status` and `type`; or `redirect`, with the `messages` for the page there; and what was done:
`append`, events to be written after version `expected`, and `next`, the answer for the page there once they are; or
`begin`, the events of a new match. What cannot be done here is `{"error": …}` with the code `not_here`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from scorekeeper.core import documents
from scorekeeper.core import events as events_core
from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Entry, Ledger, fold

from . import door, scoring, settings, share, sheet, table, words
from .door import Door, NotHere
from .kept import kept
from .page import Page
from .paths import find
from .scoring import Goto, Overtaken

NOT_HERE = "not_here"
HTML, SVG, JSON, CSV = "text/html", "image/svg+xml", "application/json", "text/csv"
LOCAL = "here-"  # how the ids of matches begin that no server has seen
Address = Callable[..., str]
Draw = Callable[[Page, list[dict[str, str]]], str]


@dataclass
class Desk:
    """A request about a match whose events came along: `scoring.Desk`; `written` are the events to be queued."""

    match_id: str
    form: Mapping[str, str]
    events: list[dict[str, Any]]
    key: str
    language: str
    here: Mapping[str, Any]
    phones: Mapping[str, str]
    query: Mapping[str, str] = field(default_factory=dict)
    messages: list[dict[str, str]] = field(default_factory=list)
    written: list[dict[str, Any]] = field(default_factory=list)

    def ledger(self, version: int | None = None) -> Ledger:
        """The match as its events, up to a version, leave it."""
        return fold(self.events[:version])

    def append(self, events: list[dict[str, Any]]) -> None:
        """Puts the events in the answer. Raises `Overtaken`, `Invalid` as the log on the server would."""
        if scoring.seen(self) != len(self.events):
            raise Overtaken
        events_core.check(self.events, events)
        self.written = events

    def new_key(self) -> str:
        """The key that came along: the browser's own."""
        return self.key

    def say(self, kind: str, message: str, **facts: Any) -> None:
        """Puts a message in the answer, in the reader's language."""
        text = words.catalogue(self.language).gettext(message) % facts
        self.messages.append({"kind": kind, "text": text})


@dataclass(frozen=True)
class File:
    """Something to be downloaded or looked at that is no page."""

    text: str
    type: str


Done = Page | Goto | File


def answer(request: Mapping[str, Any], rules: Mapping[str, str], address: Address, draw: Draw) -> dict[str, Any]:
    """The answer to one request. `rules`: the address pattern of each endpoint; `draw(page, messages)` renders."""
    if request.get("do") == "kept":
        return kept(request.get("waiting") or {}, request["language"])
    try:
        asked = urlsplit(str(request.get("path", "")))
        acts = SENT if request.get("do") == "submit" else SHOWN
        found = find(asked.path, rules, acts)
        if found is None:
            raise NotHere
        endpoint, values = found
        query = {name: texts[-1] for name, texts in parse_qs(asked.query, keep_blank_values=True).items()}
        if "match_id" in values:
            return _about_match(request, acts[endpoint], values, query, address, draw)
        return _elsewhere(request, acts[endpoint], values, address, draw)
    except NotHere:
        return Invalid(NOT_HERE, "only the server has this page", "path").as_dict()
    except Invalid as error:
        return error.as_dict()


def _about_match(
    request: Mapping[str, Any], act: Any, values: dict[str, Any], query: dict[str, str], address: Address, draw: Draw
) -> dict[str, Any]:
    events = request.get("events")
    if not events:
        raise NotHere
    here = {**table.ALONE, "connected": 0, **(request.get("here") or {})}
    if act in SENT.values() and not here["writes"]:
        raise NotHere
    desk = Desk(
        values.pop("match_id"),
        request.get("form") or {},
        events,
        str(request.get("key", "")),
        request["language"],
        here,
        request.get("phones") or {},
        query,
        list(request.get("messages") or []),
    )
    done: Done | list[dict[str, Any]] = act(desk, **values)
    if isinstance(done, list):  # a new match
        return _begun(request, done, address)
    if isinstance(done, Page) and done.context.get("conflict"):
        done.context["phones"] = desk.phones

    def told(done: Done) -> dict[str, Any]:
        return _told(done, desk.messages, draw, lambda to: address(to, match_id=desk.match_id))

    if not desk.written:
        return told(done)
    answer = {**told(done), "append": desk.written, "expected": len(events)}
    if isinstance(done, Goto):
        after = len(events) + 1
        desk.events = [*events, *({"version": after + n, **event} for n, event in enumerate(desk.written))]
        answer["next"] = told(SHOWN[done.endpoint](desk))
    return answer


def _elsewhere(
    request: Mapping[str, Any], act: Any, values: dict[str, Any], address: Address, draw: Draw
) -> dict[str, Any]:
    matches = [(one["id"], fold(one["events"])) for one in request.get("matches") or []]
    done = act(Door(matches, request.get("form") or {}, str(request.get("key", ""))), **values)
    if isinstance(done, list):
        return _begun(request, done, address)
    return _told(done, list(request.get("messages") or []), draw, address)


def _begun(request: Mapping[str, Any], events: list[dict[str, Any]], address: Address) -> dict[str, Any]:
    events_core.check([], events)
    return {"begin": events, "redirect": address("match.table", match_id=request.get("id", "")), "messages": []}


def _told(done: Done, messages: list[dict[str, str]], draw: Draw, address: Callable[[str], str]) -> dict[str, Any]:
    if isinstance(done, Goto):
        return {"redirect": address(done.endpoint), "messages": messages}
    if isinstance(done, File):
        return {"html": done.text, "status": 200, "type": done.type}
    kind = SVG if done.template.endswith(".svg") else HTML
    return {"html": draw(done, messages), "status": done.status, "type": kind}


# A match's pages ----------------------------------------------------------------------------------------------


def _table(desk: Desk) -> Done:
    return table.table_page(desk.match_id, desk.ledger(), desk.key, desk.here)


def _enter(desk: Desk) -> Done:
    ledger = desk.ledger()
    if not desk.here["writes"]:
        raise NotHere
    if not ledger.open and ledger.finished:
        return Goto("match.table")
    return scoring.round_page(desk, ledger, ledger.open)


def _correct(desk: Desk, id_: int) -> Done:
    if not desk.here["writes"]:
        raise NotHere
    ledger = desk.ledger()
    return scoring.round_page(desk, ledger, _entry(ledger, id_))


def _entry(ledger: Ledger, id_: int) -> Entry:
    found = ledger.entry(id_)
    if found is None:
        raise NotHere
    return found


def _enter_sent(desk: Desk) -> Done:
    ledger = scoring.as_seen(desk)
    return scoring.save_round(desk, ledger, ledger.open)


def _correct_sent(desk: Desk, id_: int) -> Done:
    ledger = scoring.as_seen(desk)
    return scoring.save_round(desk, ledger, _entry(ledger, id_))


def _preview(desk: Desk) -> Done:
    return scoring.preview(desk, int(desk.query["id"]) if desk.query.get("id", "").isdecimal() else 0)


def _acted(name: str) -> Callable[[Desk], Done]:
    kind, done = scoring.ACTS[name]
    return lambda desk: scoring.act(desk, {"type": kind}, done)


def _more(desk: Desk) -> Done:
    return settings.more_page(desk.match_id, desk.ledger(), desk.key, here=desk.here)


def _history(desk: Desk) -> Done:
    return settings.history_page(desk.match_id, desk.ledger(), desk.key, desk.here, desk.phones)


def _rematch(desk: Desk) -> list[dict[str, Any]]:
    ledger = desk.ledger()
    return events_core.created(settings.again(ledger), ledger.stakes)


def _json(desk: Desk) -> Done:
    document = documents.write(desk.ledger().match)
    return File(json.dumps(document, ensure_ascii=False, indent=1) + "\n", JSON)


def _csv(desk: Desk) -> Done:
    return File(sheet.csv_text(desk.ledger()), CSV)


def _sheet(desk: Desk) -> Done:
    return sheet.sheet_page(desk.match_id, desk.ledger())


def _screen(desk: Desk) -> Done:
    return share.screen_page(desk.match_id, desk.ledger(), desk.here)


SHOWN: Mapping[str, Any] = {
    **door.SHOWN,
    "match.table": _table,
    "match.enter": _enter,
    "match.correct": _correct,
    "match.more": _more,
    "match.history": _history,
    "match.export_json": _json,
    "match.export_csv": _csv,
    "match.sheet": _sheet,
    "share.screen": _screen,
}
SENT: Mapping[str, Any] = {
    **door.SENT,
    "match.enter": _enter_sent,
    "match.correct": _correct_sent,
    "match.preview": _preview,
    "match.void": scoring.void,
    "match.change": scoring.change,
    "match.rematch": _rematch,
    **{f"match.{name}": _acted(name) for name in scoring.ACTS},
}
