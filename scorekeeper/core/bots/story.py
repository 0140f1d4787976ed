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
from .expert import OTHERS, OWN
from .view import View

SLIPS = 12.0
UNIT = 12  # Expert's weights are in twelfths here, to be whole numbers
MODELS = 3  # HEAVY, COUNTING, SOFT
Likely = tuple[float, ...]  # by model
_SOFT = [1.0]
for _ in range(255):  # no two plays are further apart
    _SOFT.append(_SOFT[-1] * 0.8)
_EQUAL = [mask_of(tile for tile in ORDER if tile.pips == pips) for pips in range(13)]


Play = tuple[int, int, int]  # a tile, the tiles that fit after it, its value to COUNTING beside those


@dataclass(slots=True)
class Seen:
    """A move of another seat. `number`: its tile's (0: a pass, or face down); `fits`: the tiles that fitted then.

    `plays`: every play that a hand could have held, so that its value is that of the play and `each` more for every
    tile of the hand that fits after it; `mine`: the one that was made; `unit`: how much one point of Expert's value is.
    """

    number: int
    fits: int
    plays: list[Play] = field(default_factory=list)
    mine: Play = (0, 0, 0)
    each: int = 0
    unit: int = 1
    two: bool = False


@dataclass(slots=True)
class Story:
    """`moves`: the others', in order, by seat; `bans[seat]`: the tiles that a seat cannot hold now; `banned_at[seat]`:
    the same at each of its discards in turn; `node`: the layout now; `last`, `idle`, `fresh`, `passes`, `points`:
    as in `State`."""

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
        seen = Seen(number, node[0])
        if number and move.tile:
            layout = layout.play(move.tile, move.side)
            story.node, story.idle, story.last = graph.node(layout), 0, seat
            if seat != view.seat:
                weigh(seen, table, node, story.node, hidden, held, held - 2 * partners)
            story.fresh &= ~(1 << seat)
            story.points[seat] += gains(layout, view.rules)
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


def weigh(seen: Seen, table: Table, node: Node, after: Node, hidden: int, held: int, against: int) -> None:
    """Works out what every play on `node` was worth to COUNTING, `hidden` being the tiles not on the table, `held` how
    many tiles the other seats held and `against` how many more of these were opponents' than partners'."""
    own, share = round(UNIT * OWN) * held, round(UNIT * OTHERS) * against
    pip = round(UNIT * table.variant.pips_matter)
    seen.each, seen.unit = own + share, UNIT * held
    for number in numbers(node[0] & hidden):
        tile, ways = 1 << number >> 1, table.graph.options(node, number)
        for following, scored in ways:
            fits = following[0]
            value = (UNIT * scored + pip * PIPS[number]) * held
            value -= share * (hidden & fits).bit_count() + (own if tile & fits else 0)
            seen.plays.append((tile, fits, value))
            if number == seen.number and following is after:
                seen.mine, seen.two = seen.plays[-1], len(ways) > 1


def likelihood(story: Story, seat: int, hand: int, given: Sequence[int], weights: Weights) -> Likely:
    """How likely a seat's moves so far were, by model, if it holds `hand` and discarded `given` (masks, in order)."""
    heavy = counting = soft = 1.0
    turned = len(given)
    for seen in reversed(story.moves[seat]):
        if seen.number:
            tile, fits, value = seen.mine
            hand |= tile
            fitting = hand & seen.fits
            if not fitting & (fitting - 1) and not seen.two:
                continue
            each, unit = seen.each, seen.unit
            heavy *= heaviest(fitting, seen.number)
            mine = value + each * (hand & fits).bit_count()
            values = [value + each * (hand & fits).bit_count() for tile, fits, value in seen.plays if tile & hand]
        elif turned:
            turned -= 1
            tile, unit = given[turned], UNIT
            hand |= tile
            heavy *= lightest(hand, tile)
            mine = discard_value(hand, tile.bit_length(), weights)
            values = [discard_value(hand, number, weights) for number in numbers(hand)]
        else:
            continue
        best, whole = max(values), 0.0
        for value in values:
            whole += _SOFT[(best - value) // unit]
        slip = 1 / SLIPS / len(values)
        counting *= slip + (1 - 1 / SLIPS) / values.count(best) if mine == best else slip
        soft *= _SOFT[(best - mine) // unit] / whole
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
