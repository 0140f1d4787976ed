"""What people type, or strangers send: numbers and hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorekeeper.core import hands
from scorekeeper.core.errors import Invalid

MOST_DIGITS = 9


def number(text: str) -> int | None:
    """A whole number from plain digits, blanks around them allowed; None for anything else.

    `str.isdigit` is no help: it takes digits that `int` refuses (²) or reads in other scripts, and any length.
    """
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else None


def hand(typed: Mapping[str, str], part: str, seat: int) -> Any:
    """The JSON form of the hand in the field `hands-0`, `discards-2`, …; None where it is blank. Raises `Invalid`."""
    try:
        return hands.parse(typed.get(f"{part}-{seat}", ""))
    except Invalid as error:
        raise error.within(f"{part}[{seat}]") from None


def asked_hand(typed: Mapping[str, str], part: str, seat: int) -> Any:
    """The same where a hand is asked for: blank is not zero. Raises `Invalid("hand_missing")`."""
    found = hand(typed, part, seat)
    if found is None:
        raise Invalid("hand_missing", "blank is not zero", f"{part}[{seat}]", seat=seat, part=part)
    return found
