"""The chart of running totals, as points for an SVG: 350 wide, 104 high, one line a side."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from scorekeeper.core.documents import Match

WIDTH, HEIGHT, EDGE = 350, 104, 10
MARK = 12  # a seat's mark at the end of its line; equal totals stand side by side


def running_totals(match: Match, tally: dict[str, Any], progress: dict[str, Any]) -> dict[str, Any] | None:
    """The lines (`seat`, `points`, `end`) and the height of the target line, if any; None before a first round."""
    counted = [verdict for verdict in tally["rounds"] if not verdict.get("after_end")]
    if not counted:
        return None
    lines = [_totals(match, counted, side) for side in range(len(match.sides))]
    target = progress.get("target")
    top = max([*(max(line) for line in lines), target or 0, 1])
    low = min([*(min(line) for line in lines), 0])
    across, down = (WIDTH - 2 * EDGE) / max(len(counted), 1), (HEIGHT - 2 * EDGE) / (top - low)

    def height(value: int) -> float:
        return round(HEIGHT - EDGE - (value - low) * down, 1)

    drawn = [
        {
            "seat": match.sides[side][0],
            "points": " ".join(
                f"{round(EDGE + place * across, 1)},{height(value)}" for place, value in enumerate(line)
            ),
            "end": [round(EDGE + len(counted) * across - MARK * _level(lines, side), 1), height(line[-1])],
        }
        for side, line in enumerate(lines)
    ]
    return {
        "lines": drawn,
        "target": height(target) if target else None,
        "top": top,
        "rounds": len(counted),
        "width": WIDTH,
        "height": HEIGHT,
    }


def _level(lines: list[list[int]], side: int) -> int:
    """How many sides before this one end at the same total."""
    return sum(line[-1] == lines[side][-1] for line in lines[:side])


def _totals(match: Match, counted: list[dict[str, Any]], side: int) -> list[int]:
    """The side's total before each round and after the last; stones that went back to the table are gone again."""
    start = match.start.totals[side] if match.start else 0

    def after(total: int, verdict: dict[str, Any]) -> int:
        return 0 if verdict.get("camat") is not None else int(total + verdict["points"][side])

    return list(accumulate(counted, after, initial=start))
