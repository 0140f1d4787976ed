"""The pages before a match as a device makes them itself (away.py): which matches there are, a new one, the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.core.events import Ledger
from scorekeeper.core.variants import VARIANTS

from . import home
from .page import Page

Done = Page | list[dict[str, Any]]  # or the events of a new match


class NotHere(Exception):
    """Only the server has this page."""


@dataclass
class Door:
    """A request about no one match: `matches` are this phone's, the most recently changed first."""

    matches: list[tuple[str, Ledger]]
    form: Mapping[str, str]
    key: str

    @property
    def before(self) -> list[Ledger]:
        """The matches without their ids."""
        return [ledger for _, ledger in self.matches]


def _variant(key: str) -> Any:
    if key not in VARIANTS:
        raise NotHere
    return VARIANTS[key]


def _new(door: Door, key: str) -> Page:
    variant = _variant(key)
    form = home.NewMatch(variant, home.remembered(variant, door.before))
    return home.new_page(form, home.names_used(door.before), door.key)


SHOWN: Mapping[str, Callable[..., Done]] = {
    "home.index": lambda door: home.home_page(door.matches),
    "home.variants": lambda door: home.variants_page(),
    "home.new": _new,
    "home.rules_index": lambda door: home.rules_page(),
    "home.rules": lambda door, key: home.rules_page(_variant(key)),
}
SENT: Mapping[str, Callable[..., Done]] = {
    "home.create": lambda door, key: home.new_match(_variant(key), door.form, door.before, door.key),
}
