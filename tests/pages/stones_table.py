"""A match at the kit's table for tests: tapped, tallied and drawn without a server."""

from __future__ import annotations

from typing import Any

from scorekeeper.core import documents, events
from scorekeeper.core.events import Entry, Ledger
from scorekeeper.pages import entry, stones_kit
from scorekeeper.pages.page import render

PLAYERS = ["Ani", "Budi", "Citra", "Dewi", "Eko"]
AROUND = {
    "url_for": lambda endpoint, **values: "/" + endpoint + "".join(f"/{value}" for value in values.values()),
    "csrf_token": lambda: "token",
    "theme": "",
    "messages": [],
}


class Table:
    """A match as its events make it, played by the kit's taps."""

    def __init__(self, *, start: list[int] | None = None, camat: int | None = None, **more: Any) -> None:
        document: dict[str, Any] = {"format": documents.FORMAT, "variant": "domeng", "players": PLAYERS, **more}
        if start:
            document["start"] = {"totals": start, **({} if camat is None else {"camat": camat})}
        self.log = [{**event, "version": 1} for event in events.created(document)]

    @property
    def ledger(self) -> Ledger:
        return events.fold(self.log)

    @property
    def open(self) -> Entry | None:
        return self.ledger.open

    @property
    def round(self) -> dict[str, Any]:
        return self.ledger.rounds[-1].round

    @property
    def passes(self) -> list[dict[str, Any]]:
        return self.round["passes"]

    def draft(self, op: str, at: Entry | None = None, **typed: Any) -> entry.Draft:
        named = {name.replace("_", "-"): text for name, text in typed.items()}
        return entry.draft(self.ledger, at or self.open, {"op": op, **named})

    def tap(self, *ops: str, at: Entry | None = None, **typed: Any) -> Table:
        for op in ops:
            made = self.draft(op, at, **typed)
            if made.error:
                raise made.error
            self.write(*made.events())
        return self

    def write(self, *new: dict[str, Any]) -> None:
        events.check(self.log, new)
        for event in new:
            self.log.append({**event, "version": len(self.log) + 1})

    def page(self, language: str = "en", at: Entry | None = None) -> str:
        shown = at or self.open
        made = entry.Draft(shown, {}, shown.round if shown else None)
        return render(entry.entry_page("abc", self.ledger, made, "key"), language, AROUND)

    def context(self) -> dict[str, Any]:
        return stones_kit.context(self.ledger, entry.Draft(self.open, {}))


def pips(*numbers: int | str) -> dict[str, Any]:
    return {f"hands_{seat}": str(number) for seat, number in enumerate(numbers)}


def refused(table: Table, op: str, **typed: Any) -> tuple[str, str]:
    error = table.draft(op, **typed).error
    assert error is not None
    return error.code, error.at


def finished() -> Table:
    table = Table().tap("pass:0", "bunge:1", "pass:2")
    return table.tap("end", ended="manguno", by="3", **pips(9, "2-5", 10, 8, 12))
