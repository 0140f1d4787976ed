"""The table screen: totals, the race, who leads next, the rounds and their verdicts, the end of the match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorekeeper.core import settle
from scorekeeper.core.documents import Match
from scorekeeper.core.events import Ledger

from . import chart
from .page import Page

# What this phone is at the table: where nothing else is known it is its own, and alone. `connected`: how many phones
# have the match open now. `look`: differs where the pages do.
ALONE: Mapping[str, Any] = {
    "role": "owner",
    "writes": True,
    "owns": True,
    "locked": False,
    "shared": False,
    "connected": 0,
    "look": "",
}


def table_page(match_id: str, ledger: Ledger, key: str, here: Mapping[str, Any] = ALONE) -> Page:
    """The table screen of one match. `key` is for the next thing done on it; `here`: what this phone is to it."""
    context = view(match_id, ledger, here) | {"key": key}
    context["chart"] = chart.drawn(context["match"], context["tally"], context["progress"])
    context["settlement"] = settlement(ledger, context)
    return Page("table/table.html", context)


def view(match_id: str, ledger: Ledger, here: Mapping[str, Any] = ALONE) -> dict[str, Any]:
    """What every page about a match shows: the match, its tally, its sides and its rounds, newest first."""
    match = ledger.match
    result = ledger.tally()
    shown = rounds(ledger, result)
    return {
        "match_id": match_id,
        "here": here,
        "ledger": ledger,
        "version": ledger.version,
        "match": match,
        "variant": match.variant,
        "players": match.players,
        "tally": result,
        "sides": sides(match, result),
        "rounds": shown,
        "progress": match.variant.progress(match, result),
        "ended": ledger.finished,
        "open": ledger.open,
        "number": len(ledger.rounds) + (0 if ledger.open else 1),
        "standing": standing(match, result),
        "waits": [entry["id"] for entry in shown if entry["verdict"].get("needs")],
    }


def sides(match: Match, result: dict[str, Any]) -> list[dict[str, Any]]:
    """Each side with its seats, names, total and marks: best so far, winner, opens the next round."""
    totals = result["totals"]
    best = min(totals) if match.variant.lowest_wins else max(totals)
    anything = any(any(verdict["points"]) for verdict in result["rounds"]) or match.start is not None
    return [
        {
            "index": index,
            "seats": seats,
            "names": [match.players[seat] for seat in seats],
            "total": totals[index],
            "leads": anything and totals[index] == best,
            "won": index in result["winners"],
            "opens": result["next_opener"] in seats and result["next_opener"] is not None,
            "camat": result.get("camat") in seats,
            "camats": result["camats"][index] if "camats" in result else 0,
        }
        for index, seats in enumerate(match.sides)
    ]


def rounds(ledger: Ledger, result: dict[str, Any]) -> list[dict[str, Any]]:
    """The rounds that count, newest first, each with its number, id, entry and verdict."""
    numbered = zip(ledger.rounds, result["rounds"], strict=True)
    return [
        {
            "number": number,
            "id": entry.id,
            "entry": entry.round,
            "verdict": verdict,
            "open": "ended" not in entry.round,
        }
        for number, (entry, verdict) in enumerate(numbered, 1)
    ][::-1]


def standing(match: Match, result: dict[str, Any]) -> list[dict[str, Any]]:
    """Sides from first to last, equal ones at the same place: winners first, then camats, then by total."""
    camats = result.get("camats", [0] * len(match.sides))

    def order(index: int) -> tuple[bool, int, int]:
        total = result["totals"][index]
        return index not in result["winners"], -camats[index], total if match.variant.lowest_wins else -total

    ranked = sorted(range(len(match.sides)), key=order)
    return [
        {
            "place": 1 + sum(order(other) < order(index) for other in ranked),
            "index": index,
            "seats": match.sides[index],
            "names": [match.players[seat] for seat in match.sides[index]],
            "total": result["totals"][index],
            "camats": camats[index],
            "won": index in result["winners"],
        }
        for index in ranked
    ]


def settlement(ledger: Ledger, context: dict[str, Any]) -> list[dict[str, Any]]:
    """Who pays whom, where the table plays for stakes; empty without stakes or before the end."""
    if not ledger.stakes or not context["ended"]:
        return []
    match, totals = context["match"], context["tally"]["totals"]
    worth = [totals[side] for side in match.side_of]
    balance = settle.balances(worth, match.side_of, lowest_wins=match.variant.lowest_wins)
    amount = ledger.stakes["amount"]
    return [
        {"from": payer, "to": payee, "amount": points * amount, "points": points}
        for payer, payee, points in settle.payments(balance)
    ]
