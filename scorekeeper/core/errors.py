"""The one error that bad input raises, with a code for programs and a place for people."""

from __future__ import annotations

from typing import Any


class Invalid(ValueError):
    """Input that breaks the contract.

    `code` is stable (`tile_twice`); `at` is the place in what was read (`rounds[1].hands[2]`, empty for the
    whole); `message` is for programmers, in English; `facts` hold what a template needs to say it in a
    player's words.
    """

    def __init__(self, code: str, message: str, at: str = "", **facts: Any) -> None:
        super().__init__(message)
        self.code, self.message, self.at, self.facts = code, message, at, facts

    def within(self, place: str) -> Invalid:
        """The same error seen from outside: `hands[2]` within `rounds[1]` is `rounds[1].hands[2]`."""
        joint = "" if not self.at or self.at.startswith("[") else " " if " " in place else "."
        return Invalid(self.code, self.message, f"{place}{joint}{self.at}", **self.facts)

    def as_dict(self) -> dict[str, Any]:
        """`{"error": {"code", "message", "at"}}`, as the command line and the API answer it."""
        return {"error": {"code": self.code, "message": self.message, "at": self.at}}


def shown(value: object) -> str:
    """A bad value as a message quotes it: short and printable, however long or deeply nested the value is."""
    if value is None or isinstance(value, bool | float):
        return repr(value)
    if isinstance(value, int):
        return repr(value) if value.bit_length() < 128 else "a huge number"
    if isinstance(value, str):
        return repr(value[:40])[:40]
    return "a list" if isinstance(value, list | tuple) else "an object"


def wrong_type(wanted: str, at: str = "") -> Invalid:
    """The error for a value of the wrong kind; `wanted` completes "must be …"."""
    return Invalid("wrong_type", f"must be {wanted}", at, wanted=wanted)
