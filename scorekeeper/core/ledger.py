"""What the events of a match amount to: a fold that leaves its document, its rounds and its history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from . import documents
from .documents import Match
from .errors import Invalid, shown, wrong_type
from .tally import tally

Event = Mapping[str, Any]

MOST_TURNS = 4000  # characters


@dataclass
class Entry:
    """A round as it stands: its id, its JSON form, and `turns`, the log of its turn-by-turn entry."""

    id: int
    round: dict[str, Any]
    turns: str | None = None
    voided: bool = False


@dataclass
class Change:
    """One line of the history: the event, the round's or value's form before and after; was it undone.

    For `undone` and `redone`, `target` is the event taken back or brought back.
    """

    event: Event
    before: Any = None
    after: Any = None
    undone: bool = False
    target: Event | None = None


@dataclass
class Ledger:
    """A match as its events leave it.

    `rounds` are those that count, in order; `history` is every event, oldest first; `can_undo` and `can_redo` are
    the events that would be taken and brought back.
    """

    document: dict[str, Any]
    rounds: list[Entry]
    version: int
    stakes: dict[str, Any] | None = None
    ended_early: bool = False
    history: list[Change] = field(default_factory=list)
    can_undo: Event | None = None
    can_redo: Event | None = None

    @cached_property
    def match(self) -> Match:
        """The match document, read once. Raises `Invalid` if the events do not make one."""
        return documents.read(self.document)

    def tally(self) -> dict[str, Any]:
        """The tally of the rounds that count, worked out once; to be read, not changed."""
        return self._tally

    @cached_property
    def _tally(self) -> dict[str, Any]:
        return tally(self.match)

    @property
    def finished(self) -> bool:
        """Whether the match is over: decided, or ended early by its players."""
        return self.ended_early or self.tally()["status"] == "finished"

    def entry(self, id_: int) -> Entry | None:
        """The round with this id, if it counts."""
        return next((entry for entry in self.rounds if entry.id == id_), None)

    @property
    def open(self) -> Entry | None:
        """The round that is still being played, if any."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].round.get("ended") is None else None


def fold(events: Sequence[Event]) -> Ledger:
    """The ledger that these events leave. Raises `Invalid` at `events[n]` for one that cannot apply."""
    alive, redo, targets = _effective(events)
    if not alive or alive[0]["type"] != "created" or type(alive[0]["document"]) is not dict:
        raise Invalid("not_created", "a match starts with the event created", "events[0]")
    ledger = Ledger(dict(alive[0]["document"]), [], len(events))
    entries: list[Entry] = []
    changes: dict[int, Change] = {}
    for event in alive:
        place = _place(event)
        try:
            changes[place] = _APPLY[event["type"]](ledger, entries, event)
        except Invalid as error:
            raise error.within(f"events[{place - 1}]") from None
    ledger.rounds = [entry for entry in entries if not entry.voided]
    ledger.document["rounds"] = [entry.round for entry in ledger.rounds]
    ledger.history = [changes.get(_place(event)) or _without_effect(event, targets) for event in events]
    ledger.can_undo = alive[-1] if len(alive) > 1 else None
    ledger.can_redo = redo[-1] if redo else None
    return ledger


def _place(event: Event) -> int:
    return int(event["version"])


def _effective(events: Iterable[Event]) -> tuple[list[Event], list[Event], dict[int, Event]]:
    """The events that count after every undo and redo; those a redo would bring back, the next one last; and by
    version what each undo and redo was aimed at."""
    alive: list[Event] = []
    redo: list[Event] = []
    targets: dict[int, Event] = {}
    for event in events:
        if event["type"] == "undone":
            if len(alive) < 2:
                raise Invalid("nothing_to_undo", "there is nothing to undo", f"events[{_place(event) - 1}]")
            redo.append(alive.pop())
            targets[_place(event)] = redo[-1]
        elif event["type"] == "redone":
            if not redo:
                raise Invalid("nothing_to_redo", "there is nothing to redo", f"events[{_place(event) - 1}]")
            alive.append(redo.pop())
            targets[_place(event)] = alive[-1]
        else:
            alive.append(event)
            redo.clear()
    return alive, redo, targets


def _without_effect(event: Event, targets: Mapping[int, Event]) -> Change:
    target = targets.get(_place(event))
    return Change(event, after=event.get("round"), undone=target is None, target=target)


def _created(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    if _place(event) != 1:
        raise Invalid("already_created", "a match is created once", "type")
    if ledger.document.get("rounds"):
        raise Invalid("unknown_field", "rounds are entered by events of their own", "document.rounds",
                      field="rounds")
    ledger.stakes = read_stakes(event.get("stakes"))
    return Change(event)


def _round_entered(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    entries.append(Entry(_place(event), _read_round(event), _read_turns(event)))
    return Change(event, None, entries[-1].round)


def _read_round(event: Event) -> dict[str, Any]:
    """The event's round, whose parts are checked with the whole document. One that is played has no `ended`, which may
    come as null too."""
    raw = event["round"]
    if type(raw) is not dict:
        raise wrong_type("a round, a JSON object", "round")
    return {key: part for key, part in raw.items() if key != "ended" or part is not None}


def _read_turns(event: Event) -> str | None:
    raw = event.get("turns")
    if raw is not None and (type(raw) is not str or len(raw) > MOST_TURNS or not raw.isprintable()):
        raise wrong_type(f"printable text of at most {MOST_TURNS} characters", "turns")
    return raw


def _find(entries: list[Entry], event: Event) -> Entry:
    for entry in entries:
        if entry.id == event["id"] and type(event["id"]) is int and not entry.voided:
            return entry
    raise Invalid("no_round", "there is no such round", "id")


def _round_corrected(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    entry = _find(entries, event)
    before, entry.round, entry.turns = entry.round, _read_round(event), _read_turns(event)
    return Change(event, before, entry.round)


def _round_voided(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    entry = _find(entries, event)
    entry.voided = True
    return Change(event, entry.round)


def _player_renamed(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    players, seat = list(ledger.document["players"]), event["seat"]
    if type(seat) is not int or not 0 <= seat < len(players):
        raise Invalid("not_a_seat", f"{shown(seat)} is not a seat", "seat")
    before, players[seat] = players[seat], documents.read_name(event["name"], "name")
    ledger.document["players"] = players
    return Change(event, before, players[seat])


def _rules_changed(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    before, ledger.document["rules"] = ledger.document.get("rules", {}), event["rules"]
    return Change(event, before, event["rules"])


def _opener_set(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    before, ledger.document["first_opener"] = ledger.document.get("first_opener"), event["seat"]
    return Change(event, before, event["seat"])


def _stakes_set(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    before, ledger.stakes = ledger.stakes, read_stakes(event["stakes"])
    return Change(event, before, ledger.stakes)


def _finished(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    ledger.ended_early = True
    return Change(event)


def _reopened(ledger: Ledger, entries: list[Entry], event: Event) -> Change:
    ledger.ended_early = False
    return Change(event)


_APPLY = {
    "created": _created,
    "round_entered": _round_entered,
    "round_corrected": _round_corrected,
    "round_voided": _round_voided,
    "player_renamed": _player_renamed,
    "rules_changed": _rules_changed,
    "opener_set": _opener_set,
    "stakes_set": _stakes_set,
    "finished": _finished,
    "reopened": _reopened,
}


def read_stakes(raw: Any) -> dict[str, Any] | None:
    """What a point or stone is worth: `{"amount": 1…1,000,000, "unit": "Rp"}`, or None. Raises `Invalid`."""
    if raw is None:
        return None
    if type(raw) is not dict or not raw.keys() <= {"amount", "unit"}:
        raise wrong_type("an object with amount and unit", "stakes")
    if type(raw.get("amount")) is not int or not 0 < raw["amount"] <= 1_000_000:
        raise Invalid("bad_stakes", "the amount must be a whole number from 1 to 1,000,000", "stakes.amount")
    unit = raw.get("unit", "")
    if type(unit) is not str or len(unit) > 8 or not unit.isprintable():
        raise Invalid("bad_stakes", "the unit has at most 8 characters", "stakes.unit")
    return {"amount": raw["amount"], "unit": unit}
