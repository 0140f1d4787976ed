"""Entering a round while it is played, when stones move at each pass, and how it ended.

Each tap sends one operation, the field `op`:
- `pass:2`, `bunge:2`: seat 2 passed · `after:3:1`: before pass 3, seat 1 had played last;
- turn by turn: `track`, `opener:1`, `play`, `skip`, and `byhand` to leave that;
- `end`: how it ended, with `ended`, `by`, for hands `hands-0` … as in `hands_kit` and `closing-0` … (how a missing
  closing pass counts: 0, 1 or 2); or with `ended` = `tile` the last tile, `tile`, and the open ends, `end-0`, `end-1`.
A finished round is corrected as a whole: `rows`, and for each pass `seat-0`, `kind-0` (0: remove it), `after-0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorekeeper.core import tiles
from scorekeeper.core.documents import Match
from scorekeeper.core.errors import Invalid, shown
from scorekeeper.core.events import Entry
from scorekeeper.core.tally import tally

from . import turns as turn_log
from .stones_page import context, fields
from .typed import asked_hand

__all__ = ["LIVE", "TEMPLATE", "context", "fields", "read", "turns"]

TEMPLATE = "entry/stones.html"
LIVE = True
BY_TILE = "tile"
SIGNS = {"play": turn_log.PLAY, "skip": turn_log.PASS}
MOST_ROWS = 300

Typed = Mapping[str, str]
Passes = list[dict[str, Any]]


def turns(match: Match, typed: Typed, entry: Entry | None) -> str | None:
    """The log of turns that the tap leads to; None where the round is not tracked turn by turn. Raises `Invalid`."""
    op, _, about = typed.get("op", "").partition(":")
    log = entry.turns if entry else None
    if op in ("track", "opener", *SIGNS):
        if log is None and entry and entry.round.get("passes"):
            raise Invalid("turns_unknown", "the turns before the first pass are not known", "op")
        if op == "opener":
            if log and turn_log.read(log, len(match.players), match.variant.hand_limit(match)).turns:
                raise Invalid("turns_unknown", "the opener has played", "op")
            return str(_seat(about, match))
        if op == "track":
            return _opener(match, entry)
        if not (log or _opener(match, entry)):
            raise Invalid("opener_missing", "who opens is not known", "op")
        return (log or _opener(match, entry)) + SIGNS[op]
    if op == "after" or (op == "end" and entry and _told_the_same(match, typed, entry)):
        return log
    return None


def _opener(match: Match, entry: Entry | None) -> str:
    """A log without turns: the opener's seat, or nothing yet where the table must say who that is."""
    told = tally(match)
    opener = told["rounds"][-1]["opener"] if entry else told["next_opener"]
    return "" if opener is None else str(opener)


def _told_the_same(match: Match, typed: Typed, entry: Entry) -> bool:
    """Whether the round as it ended is the one that the log tells of."""
    told = turn_log.readable(entry.turns, len(match.players), match.variant.hand_limit(match))
    if told is None:
        return False
    round_ = _ended(match, typed, entry.round)
    by = told.stuck if "hands" in round_ else told.out
    return by is not None and round_.get("by") == by and round_["passes"] == told.passes


def read(match: Match, typed: Typed, round_: Mapping[str, Any] | None = None, log: str | None = None) -> dict[str, Any]:
    """The round that a tap or a form leads to, in its JSON form; `log` is what `turns` returned.

    Raises `Invalid` naming what is missing.
    """
    op, _, about = typed.get("op", "").partition(":")
    if op == "end":
        return _ended(match, typed, round_)
    passes: Passes = list(round_.get("passes", [])) if round_ else []
    if log and op != "after":
        passes = turn_log.read(log, len(match.players), match.variant.hand_limit(match)).passes
    elif op in ("pass", "bunge"):
        passes.append({"seat": _seat(about, match)} | ({"bunge": True} if op == "bunge" else {}))
    elif op == "after":
        place, _, seat = about.partition(":")
        if not _number(place) or int(place) >= len(passes):
            raise Invalid("no_pass", "there is no such pass", "op")
        passes[int(place)] = {**passes[int(place)], "after": _seat(seat, match)}
    elif op not in ("byhand", "track"):
        raise Invalid("ending_missing", "how the round ended is missing", "ended")
    return {"passes": passes}


def _ended(match: Match, typed: Typed, round_: Mapping[str, Any] | None) -> dict[str, Any]:
    passes: Passes = list(round_.get("passes", [])) if round_ else []
    if "rows" in typed:
        passes = _rows(match, typed)
    ended, by = typed.get("ended", ""), typed.get("by", "")
    if ended == BY_TILE:
        ended = _by_tile(match, typed)
    if not ended:
        raise Invalid("ending_missing", "how the round ended is missing", "ended")
    found: dict[str, Any] = {"ended": ended}
    if by:
        found["by"] = _seat(by, match, "by")
    if match.variant.asks_for("hands", ended, match):
        if by and "rows" not in typed:
            passes = _closed(match, typed, passes, found["by"])
        found["hands"] = [asked_hand(typed, "hands", seat) for seat in range(len(match.players))]
    return {**found, "passes": passes}


def _by_tile(match: Match, typed: Typed) -> str:
    """The ending that the last tile and the two open ends make it."""
    ends = [typed.get(f"end-{side}", "") for side in (0, 1)]
    if not typed.get("tile") or not all(end in "0123456" and len(end) == 1 for end in ends):
        raise Invalid("tile_missing", "the last tile and both open ends are needed", "tile")
    found = match.variant.going_out(tiles.parse(typed["tile"]), (int(ends[0]), int(ends[1])))
    return found or ""


def _closed(match: Match, typed: Typed, passes: Passes, manguno: int) -> Passes:
    """The passes with those that close the round (D8): all of them were made after the manguno's tile."""
    made, missing = turn_log.closing(passes, manguno, len(match.players))
    before = passes[: len(passes) - made]
    closed = [{**one, "after": manguno} for one in passes[len(passes) - made :]]
    for seat in missing:
        kind = typed.get(f"closing-{seat}", "1")
        if kind != "0":
            bunge = {"bunge": True} if kind == "2" else {}
            closed.append({"seat": seat, **bunge, "after": manguno})
    return before + closed


def _rows(match: Match, typed: Typed) -> Passes:
    """The passes of a round that is corrected as a whole."""
    if not _number(typed["rows"]) or int(typed["rows"]) > MOST_ROWS:
        raise Invalid("wrong_type", "the number of rows is wrong", "rows")
    found: Passes = []
    for row in range(int(typed["rows"])):
        seat, kind, after = (typed.get(f"{name}-{row}", "") for name in ("seat", "kind", "after"))
        if seat and kind != "0":
            bunge = {"bunge": True} if kind == "2" else {}
            last = {"after": _seat(after, match, f"after-{row}")} if after else {}
            found.append({"seat": _seat(seat, match, f"seat-{row}"), **bunge, **last})
    return found


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 4


def _seat(text: str, match: Match, at: str = "op") -> int:
    if not _number(text) or int(text) >= len(match.players):
        raise Invalid("not_a_seat", f"{shown(text)} is no seat at this table", at)
    return int(text)
