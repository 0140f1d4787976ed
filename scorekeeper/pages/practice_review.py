"""The review of a finished round: what each move of the human's cost, the dearest first, in a player's words.

A step `{"do": "review", "state": …}` does it all at once. With `"found"` (first `[]`, then what the last answer told)
it judges one move more and tells `"found"` and `"left"`, how many wait: long work in short parts, with nothing kept
between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scorekeeper.core import review as reviews
from scorekeeper.core.engine.moves import Move
from scorekeeper.core.engine.position import Position
from scorekeeper.core.engine.session import Session
from scorekeeper.core.errors import Invalid
from scorekeeper.core.review import EACH, Effort, Judged, Left
from scorekeeper.core.tally import tally

from . import words
from .page import Page
from .practice_layout import Drawing, draw
from .practice_table import ME, SEATS

DECIMAL = {"id": ","}
SHOWN = 0.05  # less is shown as nothing


def review_step(session: Session, request: Mapping[str, Any], language: str, turn: str,
                effort: Effort | None = None) -> tuple[Page, dict[str, Any]]:
    """The review of the round just finished, and what the answer tells beside it. Raises `Invalid`.

    `effort`: how hard to look, where somebody has to be done in time.
    """
    number, parts = len(session.rounds) - 1, "found" in request
    try:
        known = reviews.read(request["found"], session, number) if parts else []
    except Invalid as error:
        raise error.within("found") from None
    more = reviews.judge(session, number, effort, known)
    found = [*known, *(_up_to_a_choice(more) if parts else more)]
    left = len(reviews.moves_of(session, number)) - len(found)
    told = {"found": reviews.write(found), "left": left} if parts else {}
    return review_page(session, found, left, language, turn), told


def _up_to_a_choice(more: Iterator[Judged]) -> Iterator[Judged]:
    """The next move that took some thought, and those before it that took none."""
    for each in more:
        yield each
        if each.solution:
            return


def review_page(session: Session, found: Sequence[Judged], left: int, language: str, turn: str) -> Page:
    """The review as a part of a page. `left`: how many moves are not judged yet; `turn`: `over` or `finished`."""
    gettext = words.catalogue(language).gettext
    review = reviews.gathered(len(session.rounds) - 1, iter(found))
    names = [gettext(name) for name in SEATS[session.position.seats]]

    def text(number: float) -> str:
        return decimal(number, language)

    rows = [_row(each, names, text) for each in review.worst_first]
    lost = sum(each.cost for each in review.worst_first if counts(each))
    return Page("practice/_review.html", {
        "state_text": "",
        "found_text": "",
        "session": session,
        "other_length": bool(session.match.variant.other_length(session.match.rules)),
        "variant": session.match.variant,
        "progress": session.match.variant.progress(session.match, tally(session.match)),
        "players": names,
        "me": ME,
        "turn": turn,
        "number": len(session.rounds),
        "rows": rows,
        "forced": len(found) - len(rows),
        "lost": text(lost) if lost >= SHOWN else "",
        "about": any(not each.exact for each in review.worst_first if counts(each)),
        "left": left,
        "done": len(found),
    })


def counts(each: Judged) -> bool:
    """Whether a move's cost says something: more than nothing, and more than an estimate is unsure of."""
    return each.cost >= SHOWN and each.cost > each.error


def decimal(number: float, language: str) -> str:
    """A number with one digit after the point, as the language writes it, without a sign: `3.7`, `3,7`."""
    return f"{abs(number):.1f}".removesuffix(".0").replace(".", DECIMAL.get(language, "."))


def _row(each: Judged, names: Sequence[str], text: Callable[[float], str]) -> dict[str, Any]:
    """One move, for its place in the list."""
    position = each.before
    assert each.solution
    drawing = draw(position)
    return {
        "move": each.move,
        "best": each.best,
        "same": not counts(each),
        "cost": text(each.cost) if counts(each) else "",
        "exact": each.exact,
        "way": each.solution.way,
        "position": position,
        "drawing": drawing,
        "ends": sorted(position.layout.open().items()),
        "ghosts": _ghosts(each, drawing),
        "weighed": _weighed(each, text),
        "scarce": _scarce(each),
        "stuck": {name: _stuck(position, left, names) for name, left in (("played", each.facts.played),
                                                                          ("best", each.facts.best))},
        "hands": [{"seat": seat, "tiles": hand} for seat, hand in enumerate(position.hands) if seat != position.seat],
    }


def _weighed(each: Judged, text: Callable[[float], str]) -> list[dict[str, Any]]:
    """The moves there were, the best first, and how far behind it each was. A tile that comes to the same on two ends
    is there once; `end`: the number it goes to, where that makes a difference."""
    assert each.solution
    top, ends = each.solution.best.value, each.before.layout.open()
    by_tile: dict[Any, dict[str, list[Move]]] = {}
    behind = {}
    for valued in each.solution.moves:
        behind[valued.move] = top - valued.value
        by_tile.setdefault(valued.move.tile, {}).setdefault(text(top - valued.value), []).append(valued.move)
    found = []
    for groups in by_tile.values():
        for shown, moves in groups.items():
            move = each.move if each.move in moves else moves[0]
            found.append({"tile": move.tile, "behind": behind[move], "text": shown if behind[move] >= SHOWN else "",
                          "played": each.move in moves, "end": ends.get(move.side) if len(groups) > 1 else None})
    return sorted(found, key=lambda one: one["behind"])


def _ghosts(each: Judged, drawing: Drawing) -> list[dict[str, Any]]:
    """Where the move made and the best one lie; on the same end only the best."""
    moves = {"best": each.best} if counts(each) else {"played": each.move}
    if counts(each) and each.best.side != each.move.side:
        moves["played"] = each.move
    open_sides = {mark.side for mark in drawing.marks}
    return [{"kind": kind, "place": drawing.ghost(move.tile, move.side)} for kind, move in moves.items()
            if move.tile and not move.discard and move.side in open_sides]


def _scarce(each: Judged) -> list[dict[str, Any]]:
    """The scarce number that tells most, if there is one: how many of its tiles were in sight, and which move left it
    open; rather one that only the best move left open, then one of both."""
    facts = each.facts
    found = [{"number": number, "seen": facts.seen[number], "of": EACH,
              "played": number in facts.played.ends, "best": number in facts.best.ends}
             for number in facts.scarce if number in facts.played.ends or number in facts.best.ends]
    return sorted(found, key=lambda one: (not one["best"], one["played"]))[:1]


def _stuck(position: Position, left: Left, names: Sequence[str]) -> list[str]:
    """The names of those who had nothing that fits after a move."""
    return [names[(position.seat + step) % position.seats] for step in range(1, left.stuck + 1)]
