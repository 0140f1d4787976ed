"""The score sheet as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from scorekeeper.core.ledger import fold
from scorekeeper.pages.sheet import BOM, csv_text


def rows(*players: str) -> list[list[str]]:
    """The sheet of two rounds of Block as a spreadsheet reads it."""
    document = {"format": "scorekeeper/1", "variant": "block", "players": list(players)}
    rounds = [{"ended": "domino", "by": 0, "hands": [[], 9, 14, 20]}, {"ended": "blocked", "hands": [8, 9, 10, 8]}]
    events: list[dict[str, Any]] = [{"type": "created", "document": document}]
    events += [{"type": "round_entered", "round": one} for one in rounds]
    text = csv_text(fold([{**event, "version": place} for place, event in enumerate(events, 1)]))
    assert text.startswith(BOM)
    return list(csv.reader(io.StringIO(text.removeprefix(BOM))))


def test_a_line_a_round_with_points_and_running_totals() -> None:
    head, first, second = rows("Ani", "Budi", "Citra", "Dewi")
    assert head[:5] == ["round", "winner", "decided_by", "Ani points", "Ani total"]
    assert first == ["1", "Ani", "domino", "43", "43", "0", "0", "0", "0", "0", "0"]
    assert second == ["2", "", "push", "0", "43", "0", "0", "0", "0", "0", "0"]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
def test_no_name_is_a_formula(sign: str) -> None:
    cells = [cell for row in rows(f"{sign}1+1", "Budi", "Citra", "Dewi") for cell in row]
    assert not any(cell.startswith(sign) for cell in cells)
    assert f"'{sign}1+1" in cells
