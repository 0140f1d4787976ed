"""What is done at the pages of one match, the same on the server and on a device: from a form to events, and to the
page that follows. A home brings a `Desk`, which knows how a match is kept there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Entry, Ledger
from scorekeeper.core.options import N_

from . import entry as entry_pages
from . import settings as settings_pages
from .kits import kit_of
from .page import Page
from .typed import number

CHANGED_MEANWHILE = N_("Another phone changed this match just now. Look again, then try once more.")
# What one button does: its event, and what is said of it.
ACTS: Mapping[str, tuple[str, str]] = {
    "undo": ("undone", N_("Taken back.")),
    "redo": ("redone", N_("Done again.")),
    "finish": ("finished", N_("The match is over.")),
    "reopen": ("reopened", N_("The match goes on.")),
}
VOIDED = N_("The round is out. Undo brings it back.")


class Overtaken(Exception):
    """The match has gone on since the form's page was made, or (`reused`) the form's key stands for something else."""

    def __init__(self, reused: bool = False) -> None:
        super().__init__("reused" if reused else "overtaken")
        self.reused = reused


@dataclass(frozen=True)
class Goto:
    """Instead of a page: the endpoint of another page of the match."""

    endpoint: str


class Desk(Protocol):
    """One request about a match: what was typed, and the match as it is kept where this runs."""

    match_id: str
    form: Mapping[str, str]

    def ledger(self, version: int | None = None) -> Ledger:
        """The match now, or as it was at a version."""

    def append(self, events: list[dict[str, Any]]) -> None:
        """Writes events with the form's key after the version that it was made from. Raises `Overtaken`, `Invalid`."""

    def new_key(self) -> str:
        """A key for the next thing that a person does."""

    def say(self, kind: str, message: str, **facts: Any) -> None:
        """Leaves a message (`good`, `bad`, `note`; a msgid) for the page that is shown next."""


def seen(desk: Desk) -> int | None:
    """The version that the form was made from; None without one."""
    return number(desk.form.get("version", "")) or None


def as_seen(desk: Desk) -> Ledger:
    """The match as the page was made from that is sent here.

    A form means what its page showed: read so, a form sent again is the same events, and one that is refused and
    mended is still held against what another phone wrote since its page was made.
    """
    return desk.ledger(seen(desk))


def round_page(desk: Desk, ledger: Ledger, entry: Entry | None) -> Page:
    """The page to enter a round, or to correct this one."""
    made = entry_pages.Draft(entry, {}, entry.round if entry else None)
    return entry_pages.entry_page(desk.match_id, ledger, made, desk.new_key())


def save_round(desk: Desk, ledger: Ledger, entry: Entry | None) -> Page | Goto:
    """Saves the round of the form; the same form again where it cannot be. `ledger`, `entry`: as the form's page
    showed them."""
    key = desk.form.get("key") or desk.new_key()
    if before := number(desk.form.get("instead", "")):
        entry = entry_pages.theirs(ledger, desk.ledger(before)) or entry
    made = entry_pages.draft(ledger, entry, desk.form)
    if made.error:
        return entry_pages.entry_page(desk.match_id, ledger, made, key)
    try:
        desk.append(made.events())
    except Overtaken:
        return _conflict(desk, entry)
    except Invalid as error:
        made.error = error
        return entry_pages.entry_page(desk.match_id, ledger, made, key)
    stays = kit_of(ledger.match.variant).LIVE and "ended" not in (made.round or {})
    return Goto("match.enter" if stays else "match.table")


def _conflict(desk: Desk, entry: Entry | None) -> Page:
    """Another phone was faster: its entry is shown, and what was typed here stays."""
    ledger, last = desk.ledger(), seen(desk) or 0
    since = [change for change in ledger.history if change.event["version"] > last]
    now = ledger.entry(entry.id) if entry and "ended" in entry.round else ledger.open
    made = entry_pages.draft(ledger, now, desk.form)
    before = number(desk.form.get("instead", "")) or last
    other = None if entry and "ended" in entry.round else entry_pages.theirs(ledger, desk.ledger(before))
    return entry_pages.entry_page(
        desk.match_id, ledger, made, desk.new_key(), conflict=since, theirs=other, before=before
    )


def preview(desk: Desk, id_: int) -> Page:
    """The verdict that a form would bring, as a piece of HTML. `id_`: the round that is corrected, or 0."""
    ledger = desk.ledger()
    entry = ledger.entry(id_) or ledger.open
    return entry_pages.preview_page(desk.match_id, ledger, entry_pages.draft(ledger, entry, desk.form))


def act(desk: Desk, event: Mapping[str, Any], done: str) -> Goto:
    """Writes one event and goes back with a message; what cannot be is said there too.

    The form field `back` = `enter` leads back to the round that is played, which shows by itself what was done.
    """
    back = "match.enter" if desk.form.get("back") == "enter" else "match.table"
    try:
        desk.append([dict(event)])
        if back == "match.table":
            desk.say("good", done)
    except Overtaken as overtaken:
        if overtaken.reused:
            desk.say("note", N_("That was done already."))
        else:
            desk.say("bad", CHANGED_MEANWHILE)
    except Invalid as error:
        desk.say("bad", N_("That cannot be done now (%(code)s)."), code=error.code)
    return Goto(back)


def void(desk: Desk, id_: int) -> Goto:
    """Takes a round out."""
    return act(desk, {"type": "round_voided", "id": id_}, VOIDED)


def change(desk: Desk) -> Page | Goto:
    """Names, house rules, stakes and the first opener, as the form has them: one event for each that differs."""
    ledger = as_seen(desk)
    typed: dict[str, str] = dict(desk.form)
    try:
        events = settings_pages.changes(ledger, typed)
        if events:
            desk.append(events)
            desk.say("good", N_("Changed."))
    except Overtaken:
        desk.say("bad", CHANGED_MEANWHILE)
        now = desk.ledger()
        typed = settings_pages.fields(now) | settings_pages.touched(ledger, typed)
        return settings_pages.more_page(desk.match_id, now, desk.new_key(), typed)
    except Invalid as error:
        return settings_pages.more_page(desk.match_id, ledger, desk.new_key(), typed, error)
    return Goto("match.table")
