"""The leaderboard, a variant at a time, and what became of a result, in a player's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.core.options import N_
from scorekeeper.core.ranking import POINTS
from scorekeeper.core.variants import VARIANTS
from scorekeeper.core.variants.base import Variant

from .page import Page

MOST_ROWS = 50
LEVELS = {"easy": N_("Easy"), "normal": N_("Normal"), "expert": N_("Expert"), "master": N_("Master")}


@dataclass(frozen=True)
class Row:
    """A line of the leaderboard. `place`: from 1, the same for equal points (`tied`); `level`: what was beaten."""

    place: int
    tied: bool
    name: str
    points: int
    level: str
    mine: bool


def rows_of(bests: Sequence[Any], me: str | None) -> list[Row]:
    """The lines for best results (`account_id`, `name`, `points`), best first. `me`: the reader's account, if any."""
    found = []
    points = [best.points for best in bests]
    for best in bests:
        place = points.index(best.points) + 1
        tied = points.count(best.points) > 1
        found.append(Row(place, tied, best.name, best.points, level_of(best.points), best.account_id == me))
    return found


def level_of(points: int) -> str:
    """The level that a win of so many points was played against."""
    return next((level for level, worth in POINTS.items() if worth == points), "")


def ranking_page(variant: Variant, rows: Sequence[Row], below: Row | None, signed_in: bool) -> Page:
    """The leaderboard of a variant. `below`: the reader's own line where it is not among the first."""
    context = {"variant": variant, "variants": list(VARIANTS.values()), "rows": rows, "below": below,
               "signed_in": signed_in, "levels": POINTS, "words": LEVELS}
    return Page("ranking/ranking.html", context)


def verdict_part(result: Any) -> Page:
    """What became of a result, as a sentence."""
    return Page("ranking/_said.html", {"result": result, "variants": VARIANTS})


def refusal_part(code: str) -> Page:
    """Why a record is not taken in, as a sentence. `code`: the error's."""
    return Page("ranking/_refused.html", {"code": code})
