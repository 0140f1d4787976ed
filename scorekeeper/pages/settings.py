"""A match's settings and history, and its rematch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Ledger

from .home import check_names, read_rules, read_stakes, text_of
from .page import Page
from .table import ALONE, view
from .typed import number


def fields(ledger: Ledger) -> dict[str, str]:
    """The settings as the form holds them: names, house rules, stakes, the first opener."""
    match, stakes = ledger.match, ledger.stakes or {}
    shown = {f"name-{seat}": name for seat, name in enumerate(match.players)}
    shown |= {f"rule-{name}": text_of(value) for name, value in match.rules.items()}
    opener = "" if match.first_opener is None else str(match.first_opener)
    return shown | {
        "stakes-amount": str(stakes.get("amount", "")),
        "stakes-unit": stakes.get("unit", ""),
        "opener": opener,
    }


def touched(ledger: Ledger, typed: Mapping[str, str]) -> dict[str, str]:
    """The fields that were changed in a form made from this ledger: the others may have changed elsewhere since."""
    shown = fields(ledger)
    return {name: text for name, text in typed.items() if text != shown.get(name)}


def changes(ledger: Ledger, typed: Mapping[str, str]) -> list[dict[str, Any]]:
    """One event for each setting that the form changes. Raises `Invalid`."""
    match = ledger.match
    made: list[dict[str, Any]] = []
    check_names([typed.get(f"name-{seat}", name) for seat, name in enumerate(match.players)])
    for seat, name in enumerate(match.players):
        new = typed.get(f"name-{seat}", name)
        if new != name:
            made.append({"type": "player_renamed", "seat": seat, "name": new})
    rules = {**match.rules, **read_rules(match.variant, typed)}
    if rules != match.rules:
        defaults = {option.name: option.default for option in match.variant.options}
        made.append(
            {
                "type": "rules_changed",
                "rules": {name: value for name, value in rules.items() if value != defaults[name]},
            }
        )
    opener = typed.get("opener")
    if opener is not None and opener != fields(ledger)["opener"]:
        made.append({"type": "opener_set", "seat": number(opener)})
    if "stakes-amount" in typed and read_stakes(typed) != ledger.stakes:
        made.append({"type": "stakes_set", "stakes": read_stakes(typed)})
    return made


def more_page(
    match_id: str,
    ledger: Ledger,
    key: str,
    typed: Mapping[str, str] | None = None,
    error: Invalid | None = None,
    here: Mapping[str, Any] = ALONE,
) -> Page:
    """Settings and the ways out of a match, with what was typed and the error beside its field."""
    context = view(match_id, ledger, here) | {
        "typed": typed or fields(ledger),
        "key": key,
        "error": error,
        "text_of": text_of,
    }
    return Page("match/more.html", context, 422 if error else 200)


def history_page(
    match_id: str, ledger: Ledger, key: str, here: Mapping[str, Any] = ALONE, phones: Mapping[str, str] | None = None
) -> Page:
    """Everything that happened, the newest first. `phones`: the names of those that did it, as the events have `by`."""
    told = {"key": key, "changes": ledger.history[::-1], "phones": phones or {}}
    return Page("match/history.html", view(match_id, ledger, here) | told)


def again(ledger: Ledger) -> dict[str, Any]:
    """The document of a rematch: everything kept but the rounds, what stood before them, and who led round 1."""
    return {
        key: value for key, value in ledger.document.items() if key not in ("rounds", "start", "first_opener")
    }
