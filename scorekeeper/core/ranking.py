"""What a practice match is worth in the ranking (B10): which records are let in, and points for one won outright.

House rules may differ where they change the play or the counting. What ends a match may not: a single lucky round is no
match.
"""

from __future__ import annotations

from typing import Any

from . import documents
from .engine import record
from .engine.record import HUMAN, Record
from .errors import Invalid, wrong_type
from .tally import tally
from .variants import find

NOT_WON = "not_won"  # the code of a match played to its end all the same
POINTS = {"easy": 10, "normal": 30, "expert": 100, "master": 300}


def enter(raw: Any, helped: Any) -> Record:
    """The record, if it may be played again for the ranking: one human, no help. Raises `Invalid`."""
    try:
        read = record.read(raw)
    except Invalid as error:
        raise error.within("record") from None
    if type(helped) is not bool:
        raise wrong_type("true or false", "helped")
    if helped:
        raise Invalid("helped", "a hint or an undo was used", "helped")
    if read.seats.count(HUMAN) != 1:
        raise Invalid("not_alone", "exactly one seat is the human's", "record.seats")
    check_whole(read)
    return read


def check_whole(read: Record) -> None:
    """Nothing where a match is as long as the variant's own, at a table at which it is played. Raises `Invalid`."""
    variant = find(read.variant)
    for name in variant.other_length(read.rules):
        raise Invalid("other_length", "a ranked match ends as the variant's own does", f"record.rules.{name}")
    if len(read.seats) not in (variant.played_by or variant.seats):
        raise Invalid("seat_count", f"{variant.key} is not played by {len(read.seats)}", "record.seats")


def judge(read: Record, document: Any) -> int:
    """The points for a record whose replay led to this match document. Raises `Invalid`.

    With bots of several levels it is worth what the weakest of them is.
    """
    check_whole(read)  # it may have been let in by an earlier version
    match = documents.read(document)
    result = tally(match)
    if result["status"] != "finished":
        raise Invalid("not_finished", "the match is not played to its end", "record.moves")
    if result["winners"] != [match.side_of[read.seats.index(HUMAN)]]:
        raise Invalid("not_won", "the match was not won outright", "record")
    return min(POINTS[level] for level in read.seats if level != HUMAN)
