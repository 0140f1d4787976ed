"""A whole match at the table: deals from a seed, rounds played to their end, scored by the scoring modules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from .. import documents, tiles
from ..documents import FORMAT, Match
from ..tally import tally
from ..tiles import Tile
from .position import Hand, Position, start


@dataclass(frozen=True)
class Deal:
    """What is dealt for one round: hands by seat, the boneyard tile set first (G3), who leads and with what."""

    hands: tuple[Hand, ...]
    set_tile: Tile | None
    opener: int
    must: Tile | None


def new_match(variant: Any, rules: Any, players: Sequence[str]) -> Match:
    """A match without rounds. Raises `Invalid`."""
    return documents.read({"format": FORMAT, "variant": variant, "players": list(players), "rules": rules})


def deal(match: Match, seed: int) -> Deal:
    """The deal of the match's next round: the same for the same seed and round, everywhere."""
    rng = Random(f"deal {seed} {len(match.rounds)}")
    pack = list(tiles.SET)
    rng.shuffle(pack)
    size, variant = match.variant.tiles_dealt(match), match.variant
    hands = tuple([tuple(sorted(pack[seat * size : (seat + 1) * size], key=lambda tile: tile.index))
                   for seat in range(len(match.players))])
    set_tile = pack[-1] if variant.sets_tile(match) else None
    return Deal(hands, set_tile, *lead(match, hands, rng))


def lead(match: Match, hands: tuple[Hand, ...], rng: Random) -> tuple[int, Tile | None]:
    """Who leads the next round, and the tile that must be led, if any: as the tally says, or as was dealt."""
    opener = tally(match)["next_opener"]
    return match.variant.first_lead(match, hands, rng) if opener is None else (opener, None)


def begin(match: Match, dealt: Deal) -> Position:
    """The round before its first move."""
    return start(match, dealt.opener, dealt.hands, dealt.must, dealt.set_tile)


def finish(position: Position) -> Match:
    """The match with the finished round: read like any round that a person enters. Raises `Invalid`."""
    match = position.match
    known = match if match.rounds else replace(match, first_opener=position.opener)
    round_ = match.variant.read_round(position.round(), known)
    return replace(known, rounds=(*known.rounds, round_))
