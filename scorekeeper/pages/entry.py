"""The entry page: a round being entered, played or corrected; its preview; and what to do about a conflict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.core import documents
from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Change, Entry, Ledger
from scorekeeper.core.tally import tally

from .kits import kit_of
from .page import Page
from .table import view


@dataclass
class Draft:
    """A round on its way: which (`entry` None: a new one), what was typed, and the round it makes or the error.

    `turns` is the log of its turns, where it is entered turn by turn.
    """

    entry: Entry | None
    typed: Mapping[str, str]
    round: dict[str, Any] | None = None
    error: Invalid | None = None
    turns: str | None = None

    def events(self) -> list[dict[str, Any]]:
        """The event that saves it: a correction, or a new round."""
        head: dict[str, Any] = (
            {"type": "round_entered"}
            if self.entry is None
            else {"type": "round_corrected", "id": self.entry.id}
        )
        return [{**head, "round": self.round, **({} if self.turns is None else {"turns": self.turns})}]


def draft(ledger: Ledger, entry: Entry | None, typed: Mapping[str, str]) -> Draft:
    """Reads a form and tries it on the match: `error` says what the core would refuse."""
    made, kit, match = Draft(entry, typed), kit_of(ledger.match.variant), ledger.match
    try:
        if hasattr(kit, "turns"):
            made.turns = kit.turns(match, typed, entry)
            made.round = kit.read(match, typed, entry and entry.round, made.turns)
        else:
            made.round = kit.read(match, typed, entry and entry.round)
        documents.read(with_round(ledger, made))
    except Invalid as error:
        made.error = error
    return made


def with_round(ledger: Ledger, made: Draft) -> dict[str, Any]:
    """The match document as it would be with the draft saved. Errors in it are placed inside the round."""
    rounds = [
        made.round if made.entry and entry.id == made.entry.id else entry.round for entry in ledger.rounds
    ]
    return {**ledger.document, "rounds": rounds if made.entry else [*rounds, made.round]}


def theirs(ledger: Ledger, before: Ledger) -> Entry | None:
    """The round that another phone has entered, or gone on with, since `before`: as it was then, to be written again
    from there. None if there is none, or it no longer counts."""
    open_ = before.open
    if open_ and ledger.entry(open_.id):
        return open_
    newer = [entry.id for entry in ledger.rounds if entry.id > before.version]
    return Entry(newer[0], {}) if newer else None  # the next one to `before`, which this phone took its own for


def entry_page(
    match_id: str,
    ledger: Ledger,
    made: Draft,
    key: str,
    *,
    conflict: Sequence[Change] | None = None,
    theirs: Entry | None = None,
    before: int = 0,
) -> Page:
    """The page to enter or correct a round.

    `conflict`: what another phone wrote since this form was opened, at version `before`; `theirs`: the round of that
    phone which may be the same one.
    """
    kit = kit_of(ledger.match.variant)
    context = view(match_id, ledger) | {
        "kit": kit,
        "entry": made.entry,
        "typed": made.typed or kit.fields(ledger.match, made.entry and made.entry.round),
        "key": key,
        "error": made.error,
        "field": field_of(made.error),
        "conflict": conflict,
        "theirs": theirs and ledger.entry(theirs.id),
        "before": before,
        "mine": made.round,
        "phones": {},
        "number": place_of(ledger, made.entry),
        "preview": preview(ledger, made),
        "so_far": so_far(ledger, made),
    }
    context.update(kit.context(ledger, made) if hasattr(kit, "context") else {})
    status = 409 if conflict is not None else 422 if made.error and made.typed else 200
    return Page(kit.TEMPLATE, context, status)


def preview_page(match_id: str, ledger: Ledger, made: Draft) -> Page:
    """Only the verdict that the draft would bring, for the live preview."""
    context = view(match_id, ledger) | {
        "preview": preview(ledger, made),
        "error": made.error,
        "field": field_of(made.error),
        "so_far": so_far(ledger, made),
    }
    return Page("entry/_preview.html", context)


def preview(ledger: Ledger, made: Draft) -> dict[str, Any] | None:
    """The tally as it would be, with the draft's own verdict and number; None while the draft makes no round."""
    if made.error or made.round is None:
        return None
    result = tally(documents.read(with_round(ledger, made)))
    number = place_of(ledger, made.entry)
    return {"tally": result, "verdict": result["rounds"][number - 1], "number": number}


def so_far(ledger: Ledger, made: Draft) -> dict[str, Any] | None:
    """What an incomplete form already says, where its kit can tell."""
    kit = kit_of(ledger.match.variant)
    return kit.so_far(ledger.match, made.typed) if hasattr(kit, "so_far") else None


def place_of(ledger: Ledger, entry: Entry | None) -> int:
    """The round's number, counted from 1."""
    ids = [each.id for each in ledger.rounds]
    return ids.index(entry.id) + 1 if entry and entry.id in ids else len(ids) + 1


def field_of(error: Invalid | None) -> str:
    """The form field an error is about: `rounds[3].hands[2]` and `events[0].round.hands[2]` are `hands-2`."""
    if error is None:
        return ""
    inside = re.sub(r"^(rounds\[\d+\]|events\[\d+\]\.round)\.", "", error.at)
    return inside.replace("[", "-").replace("]", "").replace(".", "-")
