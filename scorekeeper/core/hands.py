"""A hand as a scorer knows it: the tiles themselves, or only how many pips they show.

A hand is a tuple of tiles or an int. `()` and `0` differ: a hand of 0 pips may be the tile 0-0 (G8).
Text form, one per hand: `2-5 3-3`, `14`, and `-` for no tiles.
"""

from __future__ import annotations

from . import tiles
from .errors import Invalid, shown, wrong_type
from .tiles import Tile

Hand = tuple[Tile, ...] | int
NO_TILES = "-"


def read(raw: object) -> Hand:
    """A hand from its JSON form, a list of tile texts or a pip count.

    Raises `Invalid` with the place inside the hand.
    """
    if type(raw) is int:
        if raw < 0:
            raise Invalid("pips_impossible", f"{shown(raw)} pips cannot be", pips=raw)
        return raw
    if type(raw) is not list:
        raise wrong_type("a list of tiles or a pip count")
    try:
        return tuple([tiles.BY_TEXT[text] for text in raw])
    except (KeyError, TypeError):
        for place, text in enumerate(raw):
            try:
                tiles.parse(text)
            except Invalid as error:
                raise error.within(f"[{place}]") from None
        raise


def write(hand: Hand) -> list[str] | int:
    """The JSON form: tile texts with the low half first, or the pip count."""
    return hand if isinstance(hand, int) else [tile.text for tile in hand]


def parse(text: str) -> list[str] | int | None:
    """The JSON form of a hand typed as text, or None where nothing was typed: blank is not zero.

    Raises `Invalid("not_a_hand")`; whether each tile exists is left to `read`.
    """
    words = text.replace(",", " ").split()
    if not words:
        return None
    if words == [NO_TILES]:
        return []
    if len(words) == 1 and words[0].isascii() and words[0].isdigit() and len(words[0]) < 5:
        return int(words[0])
    if all("-" in word and word != NO_TILES for word in words):
        return words
    raise Invalid("not_a_hand", f"{shown(text)} is neither a number of pips nor tiles like 2-5",
                  text=text[:40])


def text(raw: object) -> str:
    """The text form of a hand's JSON form; the inverse of `parse`. None gives the empty text."""
    if raw is None:
        return ""
    if isinstance(raw, list):
        return " ".join(str(tile) for tile in raw) or NO_TILES
    return str(raw)


def total(hand: Hand) -> int:
    """The pips in a hand, a blank half counting 0."""
    return hand if isinstance(hand, int) else tiles.pips(hand)
