"""Entering a round while it is played, one tap for each scoring play, and how it ended.

Each tap sends one operation, the field `op`:
`play:0:15` (the side and what it scores) · `ends:0` (the side that scores what the open ends make, with `end-0` …
`end-3`: `""`, `4`, or `44` for a double, which counts twice) · `bonus:0` (the side that made an opponent pass) ·
`end`: how it ended, with `ending` (`blocked`, `domino:1`) and where its pips count `hands-0` … as in `hands_kit`.
Whose play it was stands in `credit-0`, `credit-1`, a seat for each side; without it the side's first seat.
A finished round is corrected as a whole: `rows`, and for each play `who-0` and `points-0` (`15`; `20:pass`, a pass
bonus; blank: no play), in order, or before another with `before-0`; `ending` and the hands as above.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scorekeeper.core import hands, tiles
from scorekeeper.core.documents import Match
from scorekeeper.core.errors import Invalid, shown
from scorekeeper.core.events import Ledger

from .typed import hand

if TYPE_CHECKING:
    from .entry import Draft

TEMPLATE = "entry/plays.html"
LIVE = True
ENDS = 4
NEW_ROWS = 2
MOST_ROWS = 100

Typed = Mapping[str, str]
Play = list[Any]


# -- reading -------------------------------------------------------------------------------------------------


def fields(match: Match, round_: Mapping[str, Any] | None) -> dict[str, str]:
    """What the form shows for a finished round; nothing for one that is played."""
    if not round_ or "ended" not in round_:
        return {}
    by = "" if round_.get("by") is None else f":{round_['by']}"
    found = {"ending": f"{round_['ended']}{by}", "rows": str(len(round_["plays"]) + NEW_ROWS)}
    for row, play in enumerate(round_["plays"]):
        found[f"who-{row}"] = str(play[0])
        found[f"points-{row}"] = ":".join(str(part) for part in play[1:])
    for seat, held in enumerate(round_.get("hands", [])):
        found[f"hands-{seat}"] = hands.text(held)
    return found


def read(match: Match, typed: Typed, round_: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The round that a tap or a form leads to, in its JSON form. Raises `Invalid` naming what is missing."""
    op, _, about = typed.get("op", "").partition(":")
    if "rows" in typed:
        return _ended(match, typed, _rows(match, typed))
    plays: list[Play] = list(round_.get("plays", [])) if round_ else []
    if op == "end":
        return _ended(match, typed, plays)
    side, _, points = about.partition(":")
    seat = _credited(match, typed, _number(side, len(match.sides), "op"))
    if op == "play":
        return {"plays": [*plays, [seat, _points(points, "op")]]}
    if op == "ends":
        return {"plays": [*plays, [seat, _ends_score(match, typed)]]}
    if op == "bonus":
        return {"plays": [*plays, [seat, match.rules["pass_bonus"], match.variant.pass_mark]]}
    raise Invalid("ending_missing", "how the round ended is missing", "ending")


def _credited(match: Match, typed: Typed, side: int) -> int:
    """Whose play it was: a seat of the side."""
    chosen = typed.get(f"credit-{side}", "")
    if not chosen:
        return match.sides[side][0]
    seat = _number(chosen, len(match.players), f"credit-{side}")
    if match.side_of[seat] != side:
        raise Invalid("not_a_seat", f"seat {seat} plays for the other side", f"credit-{side}")
    return seat


def _ends_score(match: Match, typed: Typed) -> int:
    """What the open ends typed score. Raises `Invalid("not_a_score")` with what they make."""
    given = [typed.get(f"end-{place}", "") for place in range(ENDS)]
    worth = [end_worth(end, f"end-{place}") for place, end in enumerate(given) if end]
    points = match.variant.score_ends(worth, match.rules)
    if not points:
        raise Invalid("not_a_score", f"{sum(worth)} cannot be scored here", "op", points=sum(worth))
    return points


def end_worth(end: str, at: str = "") -> int:
    """What an open end counts: `4` is 4, `44`, a double, is 8. Raises `Invalid("not_an_end")`."""
    if end not in ENDS_TEXTS:
        raise Invalid("not_an_end", f"{shown(end)} is no open end", at)
    return sum(int(digit) for digit in end)


ENDS_TEXTS = tuple(str(pips) * times for times in (1, 2) for pips in range(tiles.HIGHEST + 1))


def _ended(match: Match, typed: Typed, plays: list[Play]) -> dict[str, Any]:
    ended, _, by = typed.get("ending", "").partition(":")
    if not ended:
        raise Invalid("ending_missing", "how the round ended is missing", "ending")
    found: dict[str, Any] = {"ended": ended}
    if by:
        found["by"] = _number(by, len(match.players), "by")
    found["plays"] = plays
    needed = match.variant.asks_for("hands", ended, match)
    given = [_hand(match, typed, seat, found.get("by"), needed) for seat in range(len(match.players))]
    if needed or any(given):
        found["hands"] = given
    return found


def _hand(match: Match, typed: Typed, seat: int, out: int | None, needed: bool) -> Any:
    """A seat's hand at the end; None where it is not given. Only opponents of who went out are asked (P7)."""
    if seat == out:
        return []
    given = hand(typed, "hands", seat)
    if given is not None and given != []:
        return given
    if needed and out is not None and match.side_of[seat] != match.side_of[out]:
        raise Invalid("hand_missing", "an opponent's hand is asked for", f"hands[{seat}]", seat=seat, part="hands")
    return None


def _rows(match: Match, typed: Typed) -> list[Play]:
    """The plays of a round that is corrected as a whole, in order."""
    rows = _number(typed["rows"], MOST_ROWS + 1, "rows")
    placed: list[tuple[int, int, Play]] = []
    for row in range(rows):
        points, _, kind = typed.get(f"points-{row}", "").partition(":")
        if not points:
            continue
        seat = _number(typed.get(f"who-{row}", ""), len(match.players), f"who-{row}")
        play = [seat, _points(points, f"points-{row}"), *([kind] if kind else [])]
        before = typed.get(f"before-{row}", "")
        place = _number(before, MOST_ROWS, f"before-{row}") if before else row
        placed.append((place, 0 if before else 1, play))
    return [play for _, _, play in sorted(placed, key=lambda one: one[:2])]


def _points(text: str, at: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise Invalid("not_a_score", f"{shown(text)} cannot be scored", at, points=text[:8])
    return int(text)


def _number(text: str, most: int, at: str) -> int:
    """A number below `most`: a seat, a side, a place."""
    if not (text.isascii() and text.isdigit() and len(text) < 4) or int(text) >= most:
        raise Invalid("not_a_seat", f"{shown(text)} is not on this table", at)
    return int(text)


# -- showing -------------------------------------------------------------------------------------------------


def context(ledger: Ledger, made: Draft) -> dict[str, Any]:
    """What the template needs beyond every entry page.

    `halves`: each side's index, what it gained this round and `credit`, the seat its next play is for; `scores` and
    `pass_bonus`: what one tap can score; `plays`: this round's, newest first; `scoring`: by number of open ends the
    sums that score; `reached`: the step that says which side reached the target in this open round; `undoable`:
    whether undo takes back a tap of this round; `most_pips`: the most that one hand can hold; `asks_pips`: by ending,
    whether it asks for hands.
    """
    match, entry = ledger.match, made.entry
    open_ = entry is not None and "ended" not in entry.round
    verdict = ledger.tally()["rounds"][-1] if open_ else None
    plays: list[Play] = entry.round.get("plays", []) if entry else []
    last = ledger.can_undo or {}
    return {
        "halves": [
            {
                "index": side,
                "gained": verdict["points"][side] if verdict else 0,
                "credit": next((play[0] for play in reversed(plays) if play[0] in seats), seats[0]),
            }
            for side, seats in enumerate(match.sides)
        ],
        "scores": match.variant.scores(match.rules),
        "pass_bonus": match.rules["pass_bonus"],
        "pass_word": match.variant.pass_mark,
        "plays": plays[::-1],
        "scoring": {ends: scoring_sums(ends, match) for ends in range(1, ENDS + 1)},
        "reached": _reached(verdict) if verdict else None,
        "undoable": open_ and entry is not None and last.get("id", last.get("version")) == entry.id,
        "most_pips": tiles.heaviest(match.variant.hand_limit(match)),
        "asks_pips": {ended: match.variant.asks_for("hands", ended, match) for ended in match.variant.endings},
        "tapped": _tapped(match, made),
    }


def scoring_sums(ends: int, match: Match) -> list[int]:
    """The sums that score with so many open ends, under this match's house rules."""
    most, rest = 2 * tiles.HIGHEST * ends, [0] * (ends - 1)
    return [total for total in range(most + 1) if match.variant.score_ends([total, *rest], match.rules)]


def _reached(verdict: Mapping[str, Any]) -> Any:
    return next((step for step in verdict["why"] if step["step"] == "reached_first"), None)


def _tapped(match: Match, made: Draft) -> Play | None:
    """The play that a tap would add, to be shown where it could not be."""
    plays = (made.round or {}).get("plays", [])
    return plays[-1] if plays and made.typed.get("op", "").startswith(("play", "ends", "bonus")) else None
