"""Expert: counts every tile it has seen and leaves scarce numbers open (B10).

Of the legal moves it takes the one with the highest

    points + 3 * own - 1 * others + w * pips

*points*: what the play scores at once (five at the ends; P5). *own*: how many of its remaining tiles fit the ends it
leaves. *others*: how many tiles it has not seen fit them, a partner's share of them counting the other way.
*pips*: those of the tile set; w is how much they matter in the variant, 1/4 or, where the pips one is
left with are the score, 2. A tile discarded counts its pips against it and 2 for each number it alone keeps alive
in the hand. Equal moves are told apart by chance.
"""

from __future__ import annotations

from random import Random

from ..engine.moves import Move
from ..tiles import Tile
from .view import View, forced

OWN, OTHERS, KEPT = 3.0, 1.0, 2.0


def choose(view: View, rng: Random) -> Move:
    """The move with the highest score."""
    only = forced(view)
    if only:
        return only
    unseen = view.unseen
    share = others_share(view)
    return max(view.legal, key=lambda move: (score(view, move, unseen, share), rng.random()))


def others_share(view: View) -> float:
    """How much of the unseen tiles works against this seat: opponents' tiles less partners', of all in other hands."""
    held = sum(count for seat, count in enumerate(view.counts) if seat != view.seat)
    mine = view.side_of[view.seat]
    partners = sum(count for seat, count in enumerate(view.counts) if seat != view.seat and view.side_of[seat] == mine)
    return (held - 2 * partners) / held if held else 0.0


def score(view: View, move: Move, unseen: list[Tile], share: float) -> float:
    """The value of one move, in the terms above."""
    assert move.tile is not None
    rest = [tile for tile in view.hand if tile is not move.tile]
    if move.discard:
        alone = sum(not any(tile.has(number) for tile in rest) for number in {move.tile.low, move.tile.high})
        return -move.tile.pips - KEPT * alone
    layout = view.layout.play(move.tile, move.side)
    open_numbers = set(layout.open().values())
    own = sum(any(tile.has(number) for number in open_numbers) for tile in rest)
    others = sum(any(tile.has(number) for number in open_numbers) for tile in unseen)
    points = view.variant.gains(layout, view.rules)
    return points + OWN * own - OTHERS * share * others + view.variant.pips_matter * move.tile.pips
