"""The log of a round entered turn by turn, and what follows from it.

A log is the opener's seat and then one sign a turn, clockwise: `p` for a tile played, `-` for a pass: `3pp-p`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.core.errors import Invalid, shown

PLAY, PASS = "p", "-"
_LOG = re.compile(r"([0-9])([p-]*)")


@dataclass
class Turns:
    """A log, read: `turns` counts them, `sign` is the newest one's. `seat` is whose turn it is (None: the round is
    over), `last` who played last.

    `played` counts each seat's tiles; `passes` is their JSON form, each with its `bunge` (D3) and `after`.
    The round is over once someone is `out` of tiles, or `stuck` is the seat after whose tile everyone passed (D5).
    """

    opener: int
    turns: int
    sign: str
    seat: int | None
    last: int | None = None
    out: int | None = None
    stuck: int | None = None
    played: list[int] = field(default_factory=list)
    passes: list[dict[str, Any]] = field(default_factory=list)


def read(log: str, seats: int, tiles_each: int) -> Turns:
    """What a log tells of a round with so many players and tiles each. Raises `Invalid("bad_turns")`."""
    found = _LOG.fullmatch(log)
    if not found or int(found[1]) >= seats:
        raise Invalid("bad_turns", f"{shown(log)} is no log of turns", "turns")
    opener = int(found[1])
    told = Turns(opener, len(found[2]), found[2][-1:], opener, played=[0] * seats)
    in_a_row = 0
    for turn, sign in enumerate(found[2]):
        seat = (opener + turn) % seats
        if told.seat is None or (sign == PASS and told.last is None):
            raise Invalid("bad_turns", f"turn {turn + 1} cannot be", "turns")
        if sign == PLAY:
            in_a_row, told.last = 0, seat
            told.played[seat] += 1
        else:
            in_a_row += 1
            told.passes.append(_passed(seat, told))
        told.out = seat if told.played[seat] == tiles_each else None
        told.stuck = told.last if in_a_row == seats else None
        told.seat = (seat + 1) % seats if told.out is None and told.stuck is None else None
    return told


def _passed(seat: int, told: Turns) -> dict[str, Any]:
    bunge = {"bunge": True} if not told.played[seat] else {}
    return {"seat": seat, **bunge, "after": told.last}


def readable(log: str | None, seats: int, tiles_each: int) -> Turns | None:
    """The log as read; None where there is none, or one in another program's words."""
    try:
        return None if log is None else read(log, seats, tiles_each)
    except Invalid:
        return None


def last_player(passes: Sequence[Mapping[str, Any]], place: int, seats: int) -> int:
    """The best guess at who had played last when pass number `place` was made.

    The seat before the passer, unless that one had just passed too: then the one before, and so on round the table.
    """
    guess: int = (passes[place]["seat"] - 1) % seats
    for before in reversed(passes[max(0, place - seats + 1) : place]):
        if before["seat"] != guess:
            break
        if before.get("after") is not None:
            return int(before["after"])
        guess = (guess - 1) % seats
    return guess


def closing(passes: Sequence[Mapping[str, Any]], manguno: int, seats: int) -> tuple[int, list[int]]:
    """The passes that close a round after `manguno`'s tile (D8): how many were made already, and the seats missing."""
    turn = [(manguno + step) % seats for step in range(1, seats + 1)]
    for made in range(min(seats, len(passes)), 0, -1):
        last = passes[-made:]
        if [one["seat"] for one in last] == turn[:made] and all(one.get("after") in (None, manguno) for one in last):
            return made, turn[made:]
    return 0, turn
