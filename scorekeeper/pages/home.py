"""The pages before a match: my matches, a new one, the rules, an import."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.core import events
from scorekeeper.core.documents import FORMAT, NAME_LENGTH
from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Ledger
from scorekeeper.core.options import Option
from scorekeeper.core.variants import VARIANTS
from scorekeeper.core.variants.base import Variant

from . import table
from .page import Page, exists
from .typed import number

OFFERED_NAMES = 16
_GROUPED = re.compile(r"[0-9]{1,3}([.,][0-9]{3})+")


def home_page(matches: Sequence[tuple[str, Ledger]], more: Mapping[str, Any] | None = None) -> Page:
    """My matches, the most recently played first; `more`: what the next page of them is asked with."""
    cards = [table.view(id_, ledger) for id_, ledger in matches]
    return Page("home/home.html", {"matches": cards, "more": more, "variants": list(VARIANTS.values())})


def variants_page() -> Page:
    """The choice of a variant for a new match."""
    return Page("home/variants.html", {"variants": list(VARIANTS.values())})


def names_used(ledgers: Sequence[Ledger]) -> list[str]:
    """The names to offer: those of my matches, the most recent first."""
    seen: dict[str, None] = {}
    for ledger in ledgers:
        for name in ledger.document["players"]:
            seen.setdefault(name)
    return list(seen)[:OFFERED_NAMES]


def remembered(variant: Variant, ledgers: Sequence[Ledger]) -> dict[str, str]:
    """The form as it was last time: names, sides and house rules of my last match of this variant; of another
    variant only the names. Empty if there is none. `ledgers`: the most recent first."""
    same = next((ledger for ledger in ledgers if ledger.document["variant"] == variant.key), None)
    last = same or next(iter(ledgers), None)
    if last is None:
        return {}
    names = last.document["players"][: max(variant.seats)]
    seats = len(names) if len(names) in variant.seats else variant.seats[0]
    form = {f"name-{seat}": name for seat, name in enumerate(names[:seats])} | {"seats": str(seats)}
    if same:
        match = same.match
        form["sides"] = str(variant.all_sides(seats).index(match.sides))
        form |= {f"rule-{name}": text_of(value) for name, value in match.rules.items()}
    return form


def check_names(names: Sequence[str]) -> None:
    """Nobody at a table is called like another. Raises `Invalid("name_twice")`."""
    seen: set[str] = set()
    for seat, name in enumerate(names):
        plain = " ".join(name.split()).casefold()
        if plain and plain in seen:
            raise Invalid("name_twice", "two players have this name", f"players[{seat}]", name=name)
        seen.add(plain)


@dataclass
class NewMatch:
    """What the new-match form holds: as typed, so that nothing is lost when something is wrong.

    Fields: `seats` (how many), `name-0`… , `sides` (an index into the variant's ways), `rule-<option>`,
    `stakes-amount`, `stakes-unit`, `key`.
    """

    variant: Variant
    typed: Mapping[str, str]

    @property
    def seats(self) -> int:
        """The number of players: as chosen, else as many as the last match had, else the variant's usual number."""
        typed = number(self.typed.get("seats", ""))
        return typed if typed in self.variant.seats else self.variant.seats[0]

    def name(self, seat: int) -> str:
        """The name typed for a seat."""
        return self.typed.get(f"name-{seat}", "")

    def rule(self, option: Option) -> str:
        """A house rule's value in the form, as text."""
        return self.typed.get(f"rule-{option.name}", text_of(option.default))

    def document(self) -> dict[str, Any]:
        """The match document that was asked for, checked only for names that are alike. Raises `Invalid`."""
        players = [self.name(seat) for seat in range(self.seats)]
        check_names(players)
        chosen: dict[str, Any] = {
            "format": FORMAT,
            "variant": self.variant.key,
            "players": players,
            "rules": read_rules(self.variant, self.typed),
        }
        ways = self.variant.all_sides(self.seats)
        place = number(self.typed.get("sides", ""))
        if place and place < len(ways):
            chosen["sides"] = [list(side) for side in ways[place]]
        return chosen

    def stakes(self) -> dict[str, Any] | None:
        """The stakes that were typed, unchecked; None for none."""
        return read_stakes(self.typed)


def read_stakes(typed: Mapping[str, str]) -> dict[str, Any] | None:
    """Stakes from the fields `stakes-amount` and `stakes-unit`; None where no amount was typed. Raises `Invalid`."""
    text = typed.get("stakes-amount", "").strip()
    if not text:
        return None
    # A thousand may be written 1.000 or 1,000; 1.50 is no whole number, and not 150.
    amount = number(re.sub(r"[.,]", "", text) if _GROUPED.fullmatch(text) else text)
    if amount is None:
        raise Invalid("bad_stakes", "the amount must be a whole number", "stakes.amount")
    return {"amount": amount, "unit": typed.get("stakes-unit", "").strip()}


def text_of(value: Any) -> str:
    """A house rule's value as a form holds it; the inverse of `value_of`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "" if value is None else str(value)


def value_of(option: Option, text: str) -> Any:
    """A house rule's value from its text; what cannot be one is left as text, for the core to refuse."""
    for choice in option.choices:
        if text_of(choice) == text:
            return choice
    if not text.strip():
        return option.default
    found = number(text)
    return text if found is None else found


def read_rules(variant: Variant, typed: Mapping[str, str]) -> dict[str, Any]:
    """The house rules in the form `rule-<name>`; those that are missing keep their default."""
    given = [(option, typed.get(f"rule-{option.name}")) for option in variant.options]
    return {option.name: value_of(option, text) for option, text in given if text is not None}


def new_page(form: NewMatch, names: Sequence[str], key: str, error: Invalid | None = None) -> Page:
    """The new-match form, with what was typed and, after a refusal, the error beside its field."""
    context = {
        "form": form,
        "variant": form.variant,
        "names": names,
        "key": key,
        "error": error,
        "text_of": text_of,
        "name_length": NAME_LENGTH,
        "ways": form.variant.all_sides(form.seats),
    }
    return Page("home/new.html", context, 422 if error else 200)


def new_match(
    variant: Variant, typed: Mapping[str, str], before: Sequence[Ledger], key: str
) -> Page | list[dict[str, Any]]:
    """The events of the match that the form asks for; the form again where it asks for other seats or something is
    wrong. `before`: my matches, the most recent first; `key`: a new one."""
    form, names = NewMatch(variant, typed), names_used(before)
    if "start" not in typed:  # another number of seats was chosen: the same form, nothing lost
        return new_page(form, names, key)
    try:
        return events.created(form.document(), form.stakes())
    except Invalid as error:
        return new_page(form, names, typed.get("key") or key, error)


def import_page(typed: str, key: str, error: Invalid | None = None) -> Page:
    """The form that takes a match document."""
    return Page("home/import.html", {"typed": typed, "key": key, "error": error}, 422 if error else 200)


def rules_page(variant: Variant | None = None) -> Page:
    """The rules of one variant, or the choice of them."""
    if variant is None:
        return Page("rules/index.html", {"variants": list(VARIANTS.values())})
    own = f"rules/{variant.key}.html"
    return Page(own if exists(own) else "rules/_generic.html", {"variant": variant})
