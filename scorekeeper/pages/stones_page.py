"""What the page shows of a round that is entered while it is played: the table, the newest pass, what to ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scorekeeper.core import hands, tiles
from scorekeeper.core.documents import Match
from scorekeeper.core.events import Entry, Ledger

from . import turns as turn_log

if TYPE_CHECKING:
    from .entry import Draft


def fields(match: Match, round_: Mapping[str, Any] | None) -> dict[str, str]:
    """What the form shows for a round as stored; nothing for a new one."""
    if not round_ or round_.get("ended") is None:
        return {}
    shown = {"ended": round_["ended"], "by": str(round_["by"]), "rows": str(len(round_["passes"]))}
    for row, one in enumerate(round_["passes"]):
        shown[f"seat-{row}"] = str(one["seat"])
        shown[f"kind-{row}"] = "2" if one.get("bunge") else "1"
        shown[f"after-{row}"] = "" if one.get("after") is None else str(one["after"])
    for seat, hand in enumerate(round_.get("hands", [])):
        shown[f"hands-{seat}"] = hands.text(hand)
    return shown


def context(ledger: Ledger, made: Draft) -> dict[str, Any]:
    """What the template needs beyond every entry page.

    - `opener` leads this round; `passes` are those made so far; `newest` is the step of the last one;
    - `told` is the log of turns, read (None: passes are tapped by hand), `tracked` whether turns are wanted;
    - `unsaid` is the pass before which somebody played whom the table must name;
    - `short` are the passes that were not paid by the table alone;
    - `missing` has for each seat whose closing passes are missing, were that seat the manguno;
    - `heaviest` is the most pips a hand can show, `helps` whether the last tile tells the ending.
    """
    match, entry, result = ledger.match, made.entry or ledger.open, ledger.tally()
    seats, each = len(match.players), match.variant.hand_limit(match)
    correcting = entry is not None and entry.round.get("ended") is not None
    verdict = result["rounds"][ledger.rounds.index(entry)] if entry in ledger.rounds else None
    passes = entry.round.get("passes", []) if entry else []
    told = None if correcting else turn_log.readable(entry.turns if entry else None, seats, each)
    return {
        "opener": verdict["opener"] if verdict else result["next_opener"],
        "told": told,
        "tracked": told is not None or (not passes and _is_tracked(ledger, entry)),
        "newest": verdict["why"][-1] if verdict and passes else None,
        "passes": passes,
        "unsaid": _unsaid(match, passes, verdict) if verdict else None,
        "short": _short(verdict) if verdict else [],
        "missing": [turn_log.closing(passes, seat, seats)[1] for seat in range(seats)],
        "typed": {**fields(match, entry.round), **made.typed} if entry else made.typed,
        "heaviest": tiles.heaviest(each),
        "helps": match.variant.going_out(tiles.SET[0], (0, 0)) is not None,
    }


def _is_tracked(ledger: Ledger, entry: Entry | None) -> bool:
    """Whether turns are wanted before there are any: a table that tracked its last round will want to again."""
    if entry is not None:
        return entry.turns == ""
    return bool(ledger.rounds) and ledger.rounds[-1].turns is not None


def _unsaid(match: Match, passes: list[dict[str, Any]], verdict: Mapping[str, Any]) -> dict[str, Any] | None:
    """The first pass that waits for who had played last: its place and seat, and all seats, the best guess first."""
    places = verdict.get("needs", {}).get("after")
    if not places:
        return None
    seats = len(match.players)
    guess = turn_log.last_player(passes, places[0], seats)
    return {
        "place": places[0],
        "seat": passes[places[0]]["seat"],
        "seats": [(guess - step) % seats for step in range(seats)],
    }


def _short(verdict: Mapping[str, Any]) -> list[int]:
    """The places of the passes that were not paid by the table alone."""
    steps = [step for step in verdict["why"] if step["step"] in ("pass", "passebunge")]
    return [
        place
        for place, step in enumerate(steps)
        if step["lapsed"] or any(part["from"] is not None for part in step["paid"])
    ]
