"""A finished round of practice looked at again: what each move of the human's cost against the best there was.

All hands are known now, so a move is judged by what it was worth (`engine/solver.py`), which its player could not
know: the facts say what they could see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Any

from . import tiles
from .engine.game import begin, deal
from .engine.moves import Move, parse
from .engine.position import Position
from .engine.record import HUMAN
from .engine.session import Session
from .engine.solver import NODES, WAYS, Solution, Solver, Valued
from .errors import Invalid, wrong_type

EACH = tiles.HIGHEST + 1  # tiles that show a number
SCARCE = 2  # so many tiles of a number not seen, or fewer, and it is scarce


@dataclass(frozen=True, slots=True)
class Left:
    """What a move left to the others: the open numbers, and how many in a row after it had nothing that fits."""

    ends: tuple[int, ...]
    stuck: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What the player could count. `seen`: for each number 0…6, how many of its seven tiles were in sight before the
    move, on the table, in the player's hand or among their discards; `scarce`: the numbers of which no more than two
    were out of sight, the scarcest first, those that nobody else can have left out; `played`, `best`: what the move
    left to the others, and what the best one would have."""

    seen: tuple[int, ...]
    scarce: tuple[int, ...]
    played: Left
    best: Left


@dataclass(frozen=True, slots=True)
class Judged:
    """One move of the human's. `turn`: its place among the round's moves; `before`: the position it was made in.

    `cost`: the value of the best move less this one's, 0 or more, in the solver's unit; `error`: how unsure that is
    (`Valued.error` of both), 0 where it is exact. `solution` values every legal move; None where there was no other.
    Of equally good moves the one that was played is called the best.
    """

    turn: int
    move: Move
    before: Position
    best: Move
    cost: float
    error: float
    solution: Solution | None
    facts: Facts

    @property
    def exact(self) -> bool:
        """Whether the cost is exact, in the sense of `solution.way`."""
        return self.solution is None or self.solution.exact


@dataclass(frozen=True, slots=True)
class Review:
    """The moves in the order they were made. `number`: the round's, from 0."""

    number: int
    moves: tuple[Judged, ...]

    @property
    def worst_first(self) -> tuple[Judged, ...]:
        """The moves with a choice, the dearest first, of equals the earlier."""
        return tuple(sorted([each for each in self.moves if each.solution], key=lambda each: (-each.cost, each.turn)))


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look at each move: see `Solver.solve`."""

    nodes: int = NODES
    stop: Callable[[], bool] | None = None


def review(session: Session, number: int, effort: Effort | None = None) -> Review:
    """All of a round at once. Raises `Invalid` as `judge` does."""
    return gathered(number, judge(session, number, effort))


def gathered(number: int, found: Iterator[Judged]) -> Review:
    """The review that the moves found by `judge` make."""
    return Review(number, tuple(sorted(found, key=lambda each: each.turn)))


def judge(session: Session, number: int, effort: Effort | None = None,
          known: Sequence[Judged] = ()) -> Iterator[Judged]:
    """The human's moves of the round with this number (from 0), each as soon as it is judged, the last one first.

    `known`: those judged before, which are left out; going on from them comes to the same as doing all at once.
    Raises `Invalid("round_open")` for a round that is not finished, at once.
    """
    done = {each.turn: each for each in known}
    return _judge(moves_of(session, number), effort or Effort(), done)


def moves_of(session: Session, number: int) -> list[tuple[Position, Move]]:
    """The human's moves of a finished round and the positions they were made in. Raises `Invalid("round_open")`."""
    last = number == len(session.rounds) - 1  # most often: then nothing is played again
    part = session if last else replace(session, rounds=session.rounds[: number + 1])
    if not 0 <= number < len(session.rounds) or not part.position.ended:
        raise Invalid("round_open", "the round is not finished", f"rounds[{number}]")
    match = part.position.match
    position, found = begin(match, deal(match, session.table.seed)), []
    for text in part.rounds[-1]:
        move = position.find(parse(text))
        if session.table.seats[position.seat] == HUMAN:
            found.append((position, move))
        position = position.play(move)
    return found


def _judge(moves: list[tuple[Position, Move]], effort: Effort, done: Mapping[int, Judged]) -> Iterator[Judged]:
    ways: tuple[str, ...] = WAYS
    for position, move in reversed(moves):
        found = done.get(len(position.moves))
        if not found:
            solution = None
            if len(position.legal()) > 1:
                solver = Solver(position, position.match.side_of[position.seat])
                solution = solver.solve(position, effort.nodes, effort.stop, ways)
            found = judged(position, move, solution)
            yield found
        if found.solution:  # what took too long here takes longer still on an earlier position
            ways = ways[WAYS.index(found.solution.way) - len(WAYS):]


def judged(position: Position, move: Move, solution: Solution | None) -> Judged:
    """What a move cost, its position being solved."""
    best, cost, error = move, 0.0, 0.0
    if solution:
        made, top = _valued(solution, move), solution.best
        if top.value > made.value:
            best, cost, error = top.move, top.value - made.value, hypot(top.error, made.error)
    return Judged(len(position.moves), move, position, best, cost, error, solution, facts_of(position, move, best))


# -- in JSON, to go on with elsewhere ----------------------------------------------------------------------------


def write(found: Iterable[Judged]) -> list[dict[str, Any]]:
    """What `read` needs to know the same again: `{"turn", "way", "values": [[value, error], …]}` for each move, in the
    order of its legal moves."""
    return [{"turn": each.turn, "way": each.solution.way if each.solution else None,
             "values": [[valued.value, valued.error] for valued in each.solution.moves] if each.solution else []}
            for each in found]


def read(raw: Any, session: Session, number: int) -> list[Judged]:
    """What `write` wrote of the same round. Raises `Invalid`."""
    moves = {len(position.moves): (position, move) for position, move in moves_of(session, number)}
    if type(raw) is not list or len(raw) > len(moves):
        raise wrong_type("a list of judged moves")
    found = []
    for place, one in enumerate(raw):
        turn = one.get("turn") if type(one) is dict else None
        if type(turn) is not int or turn not in moves:
            raise wrong_type("a judged move of this round", f"[{place}]")
        position, move = moves[turn]
        found.append(judged(position, move, _solution(one, position, f"[{place}]")))
    return found


def _solution(raw: dict[str, Any], position: Position, at: str) -> Solution | None:
    way, values, legal = raw.get("way"), raw.get("values"), position.legal()
    if way is None and len(legal) < 2:
        return None
    pairs = values if type(values) is list else []
    if way not in WAYS or len(pairs) != len(legal) or not all(map(_is_pair, pairs)):
        raise wrong_type("a way and a value for each legal move", at)
    return Solution(tuple([Valued(move, *pair) for move, pair in zip(legal, pairs, strict=True)]), way, 0)


def _is_pair(raw: Any) -> bool:
    """Whether it is a value and its error, two numbers that a round can have."""
    return type(raw) is list and len(raw) == 2 and all(type(n) in (int, float) and abs(n) < 1000 for n in raw)


def _valued(solution: Solution, move: Move) -> Valued:
    return next(each for each in solution.moves if each.move == move)


def facts_of(position: Position, move: Move, best: Move) -> Facts:
    """What the player could count before the move, and what it and the best one left."""
    seat = position.seat
    played = {each.tile for each in position.moves if each.tile and not each.discard}
    sight = played | set(position.hands[seat]) | set(position.discards[seat])
    if position.first:
        sight.add(position.first)
    seen = tuple([sum(tile.has(number) for tile in sight if tile) for number in range(EACH)])
    out = [EACH - count for count in seen]
    scarce = sorted([number for number in range(EACH) if 0 < out[number] <= SCARCE], key=lambda number: out[number])
    return Facts(seen, tuple(scarce), _left(position, move), _left(position, best))


def _left(position: Position, move: Move) -> Left:
    after = position.play(move)
    ends = tuple(sorted(set(after.layout.open().values())))
    stuck = 0
    if not after.ended:
        for step in range(after.seats - 1):
            hand = after.hands[(after.seat + step) % after.seats]
            if any(after.layout.fits(tile) for tile in hand):
                break
            stuck += 1
    return Left(ends, stuck)
