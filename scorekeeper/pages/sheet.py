"""The score sheet: as a picture to share and as a table for a spreadsheet."""

from __future__ import annotations

import csv
import io
from typing import Any

from scorekeeper.core.events import Ledger
from scorekeeper.core.tally import running_totals

from .page import Page
from .table import view

BOM = "\ufeff"  # without it spreadsheets take the names for another alphabet
# Signs with which a spreadsheet would take a cell for a formula; some take the full-width ones for the same.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
COLUMN, ROW, EDGE, TOP = 120, 36, 32, 150


def csv_text(ledger: Ledger) -> str:
    """A line per round: its number, who won and how, then points and running total for each side."""
    result, match = ledger.tally(), ledger.match
    names = [" & ".join(match.players[seat] for seat in side) for side in match.sides]
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(
        [
            "round",
            "winner",
            "decided_by",
            *(safe(f"{name} {what}") for name in names for what in ("points", "total")),
        ]
    )
    after = running_totals(match, result)[1:]
    for number, (verdict, totals) in enumerate(zip(result["rounds"], after, strict=True), 1):
        winner = "" if verdict["winner"] is None else names[verdict["winner"]]
        both = [number for pair in zip(verdict["points"], totals, strict=True) for number in pair]
        table.writerow([number, safe(winner), verdict["decided_by"] or "", *both])
    return BOM + out.getvalue()


def safe(text: str) -> str:
    """Text that a spreadsheet shows and never runs."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def sheet_page(match_id: str, ledger: Ledger) -> Page:
    """The score sheet as an SVG with its own size and colours."""
    context = view(match_id, ledger)
    counted = context["rounds"][::-1]
    width = 2 * EDGE + 60 + COLUMN * len(context["sides"])
    layout: dict[str, Any] = {
        "column": COLUMN,
        "row": ROW,
        "edge": EDGE,
        "top": TOP,
        "width": width,
        "height": TOP + ROW * (len(counted) + 2) + EDGE,
    }
    return Page("match/sheet.svg", context | {"layout": layout, "counted": counted})
