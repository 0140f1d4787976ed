"""Entering a round at its end: how it ended, and what each player has left, by number or by tiles.

Form fields: `ending` (`domino:0`, `blocked`, …: the ending and, after the colon, by whom), and one text per seat for
each part of the round that holds hands (`hands-0`, `discards-0`): `14`, `2-5 3-3`, or `-` for no tiles;
`lowest-0`: the lowest tile of a tied player whose hand was counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorekeeper.core import hands
from scorekeeper.core.documents import Match
from scorekeeper.core.errors import Invalid
from scorekeeper.core.fields import Hands, Lowest

from .typed import asked_hand, number

TEMPLATE = "entry/hands.html"
LIVE = False
NO_TILE = "-"


def parts(match: Match) -> list[str]:
    """The names of the round's parts that hold a hand for each seat."""
    return [part.name for part in match.variant.fields if isinstance(part, Hands)]


def fields(match: Match, round_: Mapping[str, Any] | None) -> dict[str, str]:
    """What the form shows for a round as stored; all empty for a new one."""
    if not round_:
        return {}
    by = "" if round_.get("by") is None else f":{round_['by']}"
    shown = {"ending": f"{round_.get('ended', '')}{by}"}
    for name in parts(match):
        for seat, hand in enumerate(round_.get(name, [])):
            shown[f"{name}-{seat}"] = hands.text(hand)
    for seat, tile in round_.get("lowest", {}).items():
        shown[f"lowest-{seat}"] = tile or NO_TILE
    return shown


def read(match: Match, typed: Mapping[str, str], round_: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The round that the form describes, in its JSON form. Raises `Invalid` naming what is missing."""
    ended, _, by = typed.get("ending", "").partition(":")
    if not ended:
        raise Invalid("ending_missing", "how the round ended is missing", "ending")
    found: dict[str, Any] = {"ended": ended}
    if by:
        found["by"] = by if number(by) is None else number(by)
    for name in parts(match):  # in the order in which the page asks
        found[name] = [
            [] if name == "hands" and found.get("by") == seat else asked_hand(typed, name, seat)
            for seat in range(len(match.players))
        ]
    lowest = _read_lowest(match, typed)
    if lowest:
        found["lowest"] = lowest
    return found


def so_far(match: Match, typed: Mapping[str, str]) -> dict[str, Any] | None:
    """What an unfinished form already says: the ending, by whom, and the pips entered; None before the ending."""
    ended, _, by = typed.get("ending", "").partition(":")
    if ended not in match.variant.endings:
        return None
    pips = []
    for seat in range(len(match.players)):
        try:
            hand = hands.parse(typed.get(f"hands-{seat}", ""))
            pips += [] if hand is None else [hands.total(hands.read(hand))]
        except Invalid:
            continue
    doer = number(by)
    return {"ended": ended, "by": doer if doer is not None and doer < len(match.players) else None, "pips": pips}


def _read_lowest(match: Match, typed: Mapping[str, str]) -> dict[str, str | None]:
    if not any(isinstance(part, Lowest) for part in match.variant.fields):
        return {}
    given = {str(seat): typed.get(f"lowest-{seat}", "").strip() for seat in range(len(match.players))}
    return {seat: None if tile == NO_TILE else tile for seat, tile in given.items() if tile}
