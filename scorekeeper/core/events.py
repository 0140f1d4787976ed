"""What happens to a match, as append-only events: their kinds, and which may follow which.

An event is a dict with `type`, its own keys as listed in `KINDS`, and, once stored, `version` (1, 2, …), `at`
(ISO time) and `by` (whose phone). A round is named by the version of the event that entered it. What the
events of a match amount to is a `Ledger`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import documents
from .errors import Invalid, shown, wrong_type
from .ledger import Change, Entry, Event, Ledger, fold, read_stakes

__all__ = ["KINDS", "Change", "Entry", "Event", "Ledger", "check", "created", "fold", "read_stakes"]

# The keys of each kind of event; those with a "?" may be missing.
KINDS: dict[str, tuple[str, ...]] = {
    "created": ("document", "stakes?"),
    "round_entered": ("round", "turns?"),
    "round_corrected": ("id", "round", "turns?"),
    "round_voided": ("id",),
    "player_renamed": ("seat", "name"),
    "rules_changed": ("rules",),
    "opener_set": ("seat",),
    "stakes_set": ("stakes",),
    "finished": (),
    "reopened": (),
    "undone": (),
    "redone": (),
}
MOST_EVENTS = 5000
MOST_STATES = 200  # to be checked in one go


def check(existing: Sequence[Event], new: Sequence[Event]) -> None:
    """Whether `new` events may follow the existing ones: all that is written has passed here.

    Every state on the way must hold, so that undo always leads back to one that does. Raises `Invalid`, its
    place counted from the first new event: `events[0].round.hands[2]`.
    """
    if len(existing) + len(new) > MOST_EVENTS:
        raise Invalid("too_many_events", f"a match has at most {MOST_EVENTS} events", "events")
    numbered, offset = [*existing], len(existing)
    for event in new:
        _check_shape(event, len(numbered) - offset)
        numbered.append({**event, "version": len(numbered) + 1})
    steps = list(_steps(numbered, offset))
    if len(steps) > MOST_STATES:
        raise Invalid("too_many_events", f"at most {MOST_STATES} changes can be made at once", "events")
    for start, end in steps:
        _check_step(numbered[:end], start, offset)


def _steps(events: Sequence[Event], offset: int) -> Iterator[tuple[int, int]]:
    """The new events in pieces, start and end: a run of rounds entered, or one event of another kind.

    Within a run only its end needs a check: every state before is the beginning of the last one.
    """
    start = offset
    for end in range(offset + 1, len(events) + 1):
        last = events[end - 1]["type"]
        if last != "round_entered" or end == len(events) or events[end]["type"] != last:
            yield start, end
            start = end


def _check_shape(event: Any, place: int) -> None:
    at = f"events[{place}]"
    if type(event) is not dict or type(event.get("type")) is not str:
        raise wrong_type("an event, an object with a type", at)
    if event["type"] not in KINDS:
        raise Invalid("unknown_event", f"no event {shown(event['type'])}", f"{at}.type")
    wanted = KINDS[event["type"]]
    allowed = {key.rstrip("?") for key in wanted} | {"type"}
    for key in event:
        if key not in allowed:
            raise Invalid("unknown_field", f"the event has no {shown(key)}", at, field=str(key)[:40])
    for key in wanted:
        if not key.endswith("?") and key not in event:
            raise Invalid("field_missing", f"{event['type']} needs {key}", f"{at}.{key}", field=key)


def _check_step(events: Sequence[Event], start: int, offset: int) -> None:
    """The document that the events make is valid, and a decided match takes no further rounds.

    Those from `start` are one step, those from `offset` are new; a match may be created with more rounds.
    """
    try:
        ledger = fold(events)
        verdicts = _tally(ledger, events, start)["rounds"]
    except Invalid as error:
        raise _relative(error, offset) from None
    if events[start]["type"] != "round_entered":
        return
    late = [entry.id for entry, verdict in zip(ledger.rounds, verdicts, strict=True)
            if offset and entry.id > start and verdict.get("after_end")]
    if ledger.ended_early or late:
        place = start if ledger.ended_early else late[0] - 1
        raise Invalid("match_over", "the match is over: correct a round or reopen it",
                      f"events[{place - offset}]")


def _tally(ledger: Ledger, events: Sequence[Event], start: int) -> dict[str, Any]:
    """The tally. An error is placed in the event that brought it in."""
    try:
        return ledger.tally()
    except Invalid as error:
        last = events[-1]
        place, inside = len(events) - 1, error.at
        found = re.match(r"rounds\[(\d+)\]\.?(.*)", error.at, re.DOTALL)
        entry = ledger.rounds[int(found[1])] if found else None
        if found and entry and (entry.id > start or last.get("id") == entry.id):
            place = entry.id - 1 if entry.id > start else place
            inside = f"round.{found[2]}" if found[2] else "round"
        elif last["type"] == "created":
            inside = f"document.{inside}" if inside else "document"
        elif last["type"] == "opener_set":
            inside = "seat"
        bare = Invalid(error.code, error.message, inside, **error.facts)
        raise bare.within(f"events[{place}]") from None


def _relative(error: Invalid, offset: int) -> Invalid:
    """The error with its place counted from the first new event."""
    place, _, rest = error.at.removeprefix("events[").partition("]")
    if not place.isdigit():
        return error
    return Invalid(error.code, error.message, f"events[{int(place) - offset}]{rest}", **error.facts)


def created(document: Mapping[str, Any], stakes: Any = None) -> list[dict[str, Any]]:
    """The events that open a match with this document: one for the table, one for each round it brings along.

    Raises `Invalid` if the document is not one.
    """
    match = documents.read(document)
    whole = documents.write(match)
    rounds = whole.pop("rounds")
    first: dict[str, Any] = {"type": "created", "document": whole}
    if stakes is not None:
        first["stakes"] = read_stakes(stakes)
    return [first, *({"type": "round_entered", "round": round_} for round_ in rounds)]
