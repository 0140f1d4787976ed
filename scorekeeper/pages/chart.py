"""The chart of running totals, as points for an SVG: 350 wide, 104 high, one line a side."""

from __future__ import annotations

from typing import Any

from scorekeeper.core.documents import Match
from scorekeeper.core.tally import running_totals

WIDTH, HEIGHT, EDGE = 350, 104, 10
MARK = 12  # a seat's mark at the end of its line; equal totals stand side by side


def drawn(match: Match, tally: dict[str, Any], progress: dict[str, Any]) -> dict[str, Any] | None:
    """The lines (`seat`, `points`, `end`) and the height of the target line, if any; None before a first round."""
    counted = [verdict for verdict in tally["rounds"] if not verdict.get("after_end")]
    if not counted:
        return None
    lines = [list(line) for line in zip(*running_totals(match, {"rounds": counted}), strict=True)]
    target = progress.get("target")
    top = max([*(max(line) for line in lines), target or 0, 1])
    low = min([*(min(line) for line in lines), 0])
    across, down = (WIDTH - 2 * EDGE) / len(counted), (HEIGHT - 2 * EDGE) / (top - low)

    def height(value: int) -> float:
        return float(round(HEIGHT - EDGE - (value - low) * down, 1))

    shapes = [
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
        "lines": shapes,
        "target": height(target) if target else None,
        "top": top,
        "rounds": len(counted),
        "width": WIDTH,
        "height": HEIGHT,
    }


def _level(lines: list[list[int]], side: int) -> int:
    """How many sides before this one end at the same total."""
    return sum(line[-1] == lines[side][-1] for line in lines[:side])
