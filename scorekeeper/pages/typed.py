"""What people type, or strangers send, as numbers."""

from __future__ import annotations

MOST_DIGITS = 9


def number(text: str) -> int | None:
    """A whole number from plain digits, blanks around them allowed; None for anything else.

    `str.isdigit` is no help: it takes digits that `int` refuses (²) or reads in other scripts, and any length.
    """
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else None
