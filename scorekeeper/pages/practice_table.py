"""What the table screen of a practice match shows: seats, hands, the layout, what was done, the end of a round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from scorekeeper.core.documents import Match
from scorekeeper.core.engine.game import begin, deal
from scorekeeper.core.engine.moves import Move
from scorekeeper.core.engine.position import Position
from scorekeeper.core.engine.session import Session
from scorekeeper.core.layout import Layout
from scorekeeper.core.options import N_
from scorekeeper.core.tally import tally

from .kits import kit_of
from .practice_layout import Drawing, draw
from .table import sides, standing

ME = 0
# Names of the seats by how many there are, in the order of play: clockwise, seen from above, from the reader's place.
SEATS = {
    2: (N_("South"), N_("North")),
    3: (N_("South"), N_("West"), N_("East")),
    4: (N_("South"), N_("West"), N_("North"), N_("East")),
    5: (N_("South"), N_("West"), N_("NW"), N_("NE"), N_("East")),
}


def table_context(session: Session, turn: str, translate: Callable[[str], str], since: int,
                  pick: str | None) -> dict[str, Any]:
    """The context of `practice/_table.html`."""
    position = session.position
    match = _named(session.match, translate)
    result = tally(_with_open_round(match, position))
    drawing = draw(position)
    over = bool(position.ended)
    done = list(_done(position, session.table.seed, match))
    return {
        "session": session,
        "other_length": bool(match.variant.other_length(match.rules)),
        "match": match,
        "variant": match.variant,
        "players": match.players,
        "tally": result,
        "sides": sides(match, result),
        "standing": standing(match, result) if turn == "finished" else [],
        "progress": match.variant.progress(match, result),
        "rounds": [{"verdict": verdict} for verdict in result["rounds"][::-1]],
        "ended": turn == "finished",
        "number": len(session.rounds),
        "turn": turn,
        "over": over,
        "verdict": result["rounds"][-1] if over else None,
        "position": position,
        "drawing": drawing,
        "newest": position.last,
        "seats": [_seat(seat, position, match, result, done) for seat in range(position.seats)],
        "me": ME,
        "hand": _hand(position, pick) if turn == "human" else _resting(position),
        "ghosts": _ghosts(position, drawing) if turn == "human" else [],
        "picked": pick,
        "passes": turn == "human" and position.legal()[0].tile is None,
        "gives": turn == "human" and position.legal()[0].discard,
        "choices": turn == "human" and len(position.legal()) > 1,
        "can_undo": not over and any(seat == ME for seat, _ in session.turns()),
        "told_turns": done[since:],
        "ends": sorted(position.layout.open().items()),
    }


def _named(match: Match, translate: Callable[[str], str]) -> Match:
    """The match with the seats' names for its players'."""
    return replace(match, players=tuple([translate(name) for name in SEATS[len(match.players)]]))


def _with_open_round(match: Match, position: Position) -> Match:
    """The match with what the round in play has scored so far, where rounds are scored while they are played."""
    if position.ended or not kit_of(match.variant).LIVE:
        return match
    known = match if match.rounds else replace(match, first_opener=position.opener)
    return replace(known, rounds=(*known.rounds, known.variant.read_round(known.variant.parts_of(position), known)))


def _done(position: Position, seed: int, match: Match) -> Iterator[dict[str, Any]]:
    """Every turn of the round: `seat`, `move`, `kind` (play, pass, discard) and what each side `gained` at once."""
    after = begin(position.match, deal(position.match, seed))
    known, live = replace(position.match, players=match.players), kit_of(match.variant).LIVE
    totals = tally(known)["totals"]
    for move in position.moves:
        seat, notes, gained = after.seat, after.notes, [0] * len(totals)
        after = after.play(move)
        if live and after.notes != notes and not after.ended:
            now = tally(_with_open_round(known, after))["totals"]
            gained, totals = [new - old for new, old in zip(now, totals, strict=True)], now
        kind = "pass" if move.tile is None else "discard" if move.discard else "play"
        yield {"seat": seat, "move": move, "kind": kind, "gained": gained}


def _seat(seat: int, position: Position, match: Match, result: dict[str, Any],
          done: list[dict[str, Any]]) -> dict[str, Any]:
    """A seat as all see it, and once the round is over its tiles."""
    side = match.side_of[seat]
    mine = [turn for turn in done if turn["seat"] == seat]
    return {
        "seat": seat,
        "side": side,
        "total": result["totals"][side],
        "count": len(position.hands[seat]),
        "given": len(position.discards[seat]),
        "hand": position.hands[seat] if position.ended else (),
        "discards": position.discards[seat] if position.ended or seat == ME else (),
        "now": not position.ended and position.seat == seat,
        "opener": position.opener == seat,
        "did": mine[-1] if mine else None,
        "out": bool(position.ended) and not position.hands[seat],
        "camat": result.get("camat") == seat,
    }


def _resting(position: Position) -> list[dict[str, Any]]:
    """The human's tiles while it is another's turn."""
    return [{"tile": tile, "moves": [], "kind": "", "asks": False} for tile in position.hands[ME]]


def _hand(position: Position, pick: str | None) -> list[dict[str, Any]]:
    """The human's tiles: `moves` they can make, `kind` (play, discard or empty), and whether they ask for an end."""
    legal = position.legal()
    found = []
    for tile in position.hands[ME]:
        moves = [move for move in legal if move.tile is tile]
        asks = len(_different(position.layout, moves)) > 1
        kind = "" if not moves else "discard" if moves[0].discard else "play"
        found.append({"tile": tile, "moves": moves, "kind": kind, "asks": asks,
                      "picked": asks and pick == tile.text})
    return found


def _different(layout: Layout, moves: list[Move]) -> list[Move]:
    """The moves of one tile that lead to different ends; ends that are alike in all that counts are one."""
    if len(moves) < 2:
        return moves
    found: dict[Any, Move] = {}
    for move in moves:
        assert move.tile
        after = layout.play(move.tile, move.side)
        ends = sorted((end.number, end.counts) for _, end in after.ends)
        found.setdefault((tuple(ends), tuple(sorted(after.open().values())), len(after.bare)), move)
    return list(found.values())


def _ghosts(position: Position, drawing: Drawing) -> list[dict[str, Any]]:
    """Where tiles that fit several ends would lie: `tile`, `move`, `place`, and the number on the end."""
    ends = position.layout.open()
    return [
        {"tile": move.tile, "move": move, "place": drawing.ghost(move.tile, move.side), "end": ends[move.side]}
        for held in _hand(position, None) if held["asks"] for move in held["moves"] if move.tile
    ]
