"""What a seat has seen the others do, as the simulation layer has it, and how likely that was for a given hand.

Every move of another seat says something of its hand then: a pass or a discard that nothing fitted (certain), a play
what it was preferred to (likely, by a model of how they play). Models of a player, by what P(play | hand) is:

- HEAVY: the heaviest tile that fits, of equal ones each as likely (level Normal);
- COUNTING: the play with the highest value (level Expert);
- SOFT: any play, one that is k points of Expert's value below the best 0.8 ** k as likely: a person, more or less.

The first two also play anything at all once in SLIPS moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..engine.masks import ALL, NUMBER, ORDER, Node, Table, mask_of, numbers, table_of
from ..engine.playout import PIPS, Weights, discard_value
from .view import View

SLIPS = 12.0
MODELS = 3  # HEAVY, COUNTING, SOFT
Likely = tuple[float, ...]  # by model
_SOFT = [1.0]
for _ in range(60):
    _SOFT.append(_SOFT[-1] * 0.8)
_EQUAL = [mask_of(tile for tile in ORDER if tile.pips == pips) for pips in range(13)]


@dataclass(slots=True)
class Seen:
    """A move of another seat: the tile's number (0: a pass, or face down), the layout it met and led to, what it
    scored, all tiles not on the table then; `scale` and `share` of the unseen tiles in Expert's value."""

    seat: int
    number: int
    node: Node
    after: Node | None
    scored: int
    hidden: int
    scale: int
    share: int


@dataclass(slots=True)
class Story:
    """`moves`: the others', in order, by seat; `bans[seat]`: the tiles that a seat cannot hold now; `banned_at[seat]`:
    the same at each of its discards in turn; `node`: the layout now; `last`, `idle`, `fresh`, `passes`, `points`:
    as in `State`; `given`: tiles discarded, a count by seat."""

    table: Table
    moves: list[list[Seen]]
    bans: list[int]
    banned_at: list[list[int]]
    node: Node
    passes: list[tuple[int, bool, int]] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    last: int = -1
    idle: int = 0
    fresh: int = 0


def story_of(view: View) -> Story:
    """The round so far."""
    seats, table = len(view.counts), table_of(view, view.layout)
    layout = replace(view.layout, ends=(), tiles=0, spinner=None, bare=frozenset())
    graph, gains = table.graph, view.variant.gains
    open_set = mask_of(view.set) & ~mask_of(move.tile for _, move in view.history if move.tile and not move.discard)
    for number in numbers(open_set):
        layout = layout.play(ORDER[number - 1], "")
    counts = list(view.counts)
    for seat, move in view.history:
        counts[seat] += move.tile is not None or move.discard
    unheld = mask_of(view.variant.unheld(view.must)) if view.must else 0
    story = Story(table, [[] for _ in counts], [unheld] * seats, [[] for _ in counts], graph.node(layout),
                  points=[0] * seats, fresh=(1 << seats) - 1)
    hidden = ALL & ~open_set
    for turn, (seat, move) in enumerate(view.history):
        node, number = story.node, NUMBER[move.tile] if move.tile and not move.discard else 0
        held, mine = sum(counts) - counts[seat], table.side_of[seat]
        partners = sum([count for other, count in enumerate(counts) if other != seat and table.side_of[other] == mine])
        seen = Seen(seat, number, node, None, 0, hidden, held, held - 2 * partners)
        if number and move.tile:
            layout = layout.play(move.tile, move.side)
            seen.after, seen.scored = graph.node(layout), gains(layout, view.rules)
            story.node, story.idle, story.last = seen.after, 0, seat
            story.fresh &= ~(1 << seat)
            story.points[seat] += seen.scored
            hidden &= ~(1 << number >> 1)
        else:
            story.bans[seat] |= node[0]
            story.idle += 1
            if move.discard:
                story.banned_at[seat].append(story.bans[seat])
            else:
                note_pass(story, seat)
        counts[seat] -= bool(number) or move.discard
        if seat != view.seat and not (view.must and not turn):
            story.moves[seat].append(seen)
    return story


def note_pass(story: Story, seat: int) -> None:
    """What a pass leaves behind, as in `masks.note_pass`."""
    last, side_of = story.last, story.table.side_of
    story.passes.append((seat, bool(story.fresh >> seat & 1), last))
    if story.table.pass_gain and last >= 0 and side_of[last] != side_of[seat]:
        story.points[last] += story.table.pass_gain


def likelihood(story: Story, seat: int, hand: int, given: Sequence[int], weights: Weights) -> Likely:
    """How likely a seat's moves so far were, by model, if it holds `hand` and discarded `given` (masks, in order)."""
    heavy = counting = soft = 1.0
    options, turned = story.table.graph.options, len(given)
    for seen in reversed(story.moves[seat]):
        number = seen.number
        if number:
            hand |= 1 << number >> 1
            fitting = hand & seen.node[0]
            if fitting & (fitting - 1):
                heavy *= heaviest(fitting, number)
            elif len(options(seen.node, number)) == 1:
                continue
            values, mine = values_of(story, seen, hand, fitting, weights)
            one, other = chances(values, mine, 12 * seen.scale)
            counting *= one
            soft *= other
        elif seen.after is None and turned and story.table.discards:
            turned -= 1
            hand |= given[turned]
            heavy *= lightest(hand, given[turned])
            values = [discard_value(hand, each, weights) for each in numbers(hand)]
            one, other = chances(values, discard_value(hand, given[turned].bit_length(), weights), 12)
            counting *= one
            soft *= other
    return heavy, counting, soft


def heaviest(fitting: int, number: int) -> float:
    """P(tile) for HEAVY among those that fit."""
    slip, top = 1 / SLIPS / fitting.bit_count(), PIPS[fitting.bit_length()]
    if PIPS[number] != top:
        return slip
    return slip + (1 - 1 / SLIPS) / (fitting & _EQUAL[top]).bit_count()


def lightest(hand: int, tile: int) -> float:
    """P(tile) for HEAVY to be given up."""
    slip = 1 / SLIPS / hand.bit_count()
    return slip + (1 - 1 / SLIPS) if hand & -hand == tile else slip


def values_of(story: Story, seen: Seen, hand: int, fitting: int, weights: Weights) -> tuple[list[int], int]:
    """Expert's value of every play open to a seat that then held `hand`, and of the one it made."""
    node, options, unseen = seen.node, story.table.graph.options, seen.hidden & ~hand
    scale, share, values, mine = seen.scale, weights.point * seen.share, [], 0
    point, own, pip = weights.point * scale, weights.own * scale, weights.pip * scale
    while fitting:
        tile = fitting & -fitting
        fitting ^= tile
        number, rest = tile.bit_length(), hand ^ tile
        shed = pip * PIPS[number]
        for after, scored in options(node, number):
            fits = after[0]
            value = point * scored + own * (rest & fits).bit_count() + shed - share * (unseen & fits).bit_count()
            values.append(value)
            if number == seen.number and after is seen.after:
                mine = value
    return values, mine


def chances(values: list[int], mine: int, unit: int) -> tuple[float, float]:
    """P(play) for COUNTING and for SOFT; `unit`: how much one point of Expert's value is."""
    best, count = max(values), len(values)
    whole = 0.0
    for value in values:
        whole += _SOFT[min(60, (best - value) // unit)]
    slip = 1 / SLIPS / count
    return (slip + (1 - 1 / SLIPS) / values.count(best) if mine == best else slip,
            _SOFT[min(60, (best - mine) // unit)] / whole)
