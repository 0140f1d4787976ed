"""The ways to enter a round, by the name a variant gives as its `kit`."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from scorekeeper.core.variants.base import Variant

from . import hands_kit, plays_kit, stones_kit

# Each kit is a module with `TEMPLATE`, `fields(match, round)` -> what its form shows for a round (text by field
# name), and `read(match, typed, round)` -> the round that a form describes; `round` is the one being played or
# corrected, or None. `LIVE`: entered while it is played, so that an unfinished round is saved too. A kit may have
# `context(ledger, draft)`, what its template needs besides, and `turns(match, typed, entry)` -> the log of turns that
# a tap leads to, which `read` then gets as its fourth argument.
KITS: Mapping[str, ModuleType] = {"hands": hands_kit, "plays": plays_kit, "stones": stones_kit}


def kit_of(variant: Variant) -> ModuleType:
    """The kit with which this variant's rounds are entered."""
    return KITS[variant.kit]
