"""A position in JSON: a deal and the moves since, for cross-checks with other engines."""

from __future__ import annotations

from typing import Any

from .. import tiles
from ..errors import Invalid, wrong_type
from ..fields import read_seat
from .game import new_match
from .position import Position, replay, start

KEYS = {"variant", "rules", "opener", "hands", "set", "must", "moves"}


def read(raw: Any) -> Position:
    """The position that a deal and the moves since lead to. Raises `Invalid` with a code and a place."""
    if type(raw) is not dict:
        raise wrong_type("a position, a JSON object")
    for key in raw:
        if key not in KEYS:
            raise Invalid("unknown_field", f"a position has no {key!r:.40}", field=key[:40])
    hands, made = raw.get("hands"), raw.get("moves", [])
    if type(hands) is not list or not all(type(hand) is list for hand in hands):
        raise wrong_type("a list of hands", "hands")
    if type(made) is not list:
        raise wrong_type("a list of moves in text form", "moves")
    match = new_match(raw.get("variant"), raw.get("rules", {}), [f"seat {seat}" for seat in range(len(hands))])
    dealt = [[_tile(text, f"hands[{seat}][{place}]") for place, text in enumerate(hand)]
             for seat, hand in enumerate(hands)]
    opener = read_seat(raw.get("opener"), match, "opener")
    given = {name: _tile(raw[name], name) if raw.get(name) is not None else None for name in ("set", "must")}
    return replay(start(match, opener, dealt, given["must"], given["set"]), made)


def _tile(text: Any, at: str) -> tiles.Tile:
    try:
        return tiles.parse(text)
    except Invalid as error:
        raise error.within(at) from None


def answer(raw: Any) -> dict[str, Any]:
    """`{"seat": 2, "legal": ["pass"]}`, or `{"round": {…}}` once the round is over. Raises `Invalid`."""
    position = read(raw)
    if position.ended:
        return {"round": position.round()}
    return {"seat": position.seat, "legal": [str(move) for move in position.legal()]}
