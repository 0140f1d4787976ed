"""What holds for every match: checked on random documents, 2,000 of each variant.

SCOREKEEPER_DOCUMENTS=100000 python -m pytest tests/core/test_properties.py    checks 100,000 of each
(half an hour on one core). A failure names the document's seed and shows the document.
"""

import json
import os
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scorekeeper.core import schema
from scorekeeper.core.documents import Match, read, write
from scorekeeper.core.tally import tally
from scorekeeper.core.variants import VARIANTS
from tests.core import documents

COUNT = int(os.environ.get("SCOREKEEPER_DOCUMENTS", "2000"))
SCHEMA_EVERY = 10  # the validator takes longer than all the rest together

RULES = {f"{letter}{number}" for letter, last in (("B", 10), ("G", 13), ("P", 8), ("D", 11))
         for number in range(1, last + 1)}
DECIDED_BY = {
    "block": {"domino", "lowest_total", "push"},
    "gaple": {"lowest_total", "lowest_tile", "lowest_end"},
    "pontas": {"points"},
    "domeng": {"cappu", "ceki", "pollo", "manguno", "mattikkeng"},
}
Tally = dict[str, Any]
Invariant = Callable[[dict[str, Any], Match, Tally], None]


def test_every_variant_has_a_generator() -> None:
    assert list(documents.MAKERS) == list(VARIANTS)


@pytest.mark.parametrize("variant", documents.MAKERS)
def test_random_documents(variant: str) -> None:
    validators = [Draft202012Validator(each) for each in (schema.match_document(), schema.tally())]
    for number in range(COUNT):
        seed = f"{variant} {number}"
        document = documents.make(Random(seed), variant)
        try:
            check(document, Random(f"check {seed}"))
            if number % SCHEMA_EVERY == 0:
                validators[0].validate(document)
                validators[1].validate(tally(read(document)))
        except Exception as error:
            error.add_note(f"seed {seed!r}: {json.dumps(document)}")
            raise


def check(document: dict[str, Any], dice: Random) -> None:
    match = read(document)
    result = tally(match)
    check_canonical_form(match)
    assert tally(read(documents.flip(dice, document))) == result, "a tile's halves have no order"
    check_beginning(document, result, dice)
    check_verdicts(match, result)
    INVARIANTS[match.variant.key](document, match, result)


def check_canonical_form(match: Match) -> None:
    written = write(match)
    again = read(json.loads(json.dumps(written)))
    assert again == match
    assert write(again) == written


def check_beginning(document: dict[str, Any], result: Tally, dice: Random) -> None:
    """A round's verdict does not depend on what comes later."""
    rounds = document.get("rounds", [])
    kept = dice.randint(0, len(rounds))
    assert tally(read({**document, "rounds": rounds[:kept]}))["rounds"] == result["rounds"][:kept]


def check_verdicts(match: Match, result: Tally) -> None:
    letter = match.variant.key[0].upper()
    assert (result["status"] == "finished") == bool(result["winners"])
    assert len(result["rounds"]) == len(match.rounds)
    for round_, verdict in zip(match.rounds, result["rounds"], strict=True):
        after_end = verdict.get("after_end", False)
        for step in verdict["why"] + verdict.get("warnings", []):
            if after_end:
                assert step == {"rule": None, "step": "after_the_end"}
            else:
                assert re.fullmatch(letter + r"\d+", step["rule"]) and step["rule"] in RULES, step
        seat, side = verdict["winner_seat"], verdict["winner"]
        assert side == (None if seat is None else match.side_of[seat])
        if after_end or round_.ended is None:
            assert seat is None and verdict["decided_by"] is None
        elif "lowest" not in verdict.get("needs", {}):
            assert verdict["decided_by"] in DECIDED_BY[match.variant.key]
            assert verdict["why"], "every verdict can be explained"
    opener_why = result["opener_why"]
    assert (opener_why is None) == (result["status"] == "finished")
    assert opener_why is None or (opener_why["rule"] in RULES and opener_why["seat"] == result["next_opener"])


def running_totals(match: Match, result: Tally) -> list[list[int]]:
    """Each side's total before the first round and after each; as the points say."""
    totals = [list(match.start.totals) if match.start else [0] * len(match.sides)]
    for verdict in result["rounds"]:
        totals.append([total + points for total, points in zip(totals[-1], verdict["points"], strict=True)])
    return totals


def block(document: dict[str, Any], match: Match, result: Tally) -> None:
    """A total only grows, and only the round's winner's."""
    totals = running_totals(match, result)
    assert totals[-1] == result["totals"]
    for before, after, verdict in zip(totals, totals[1:], result["rounds"], strict=False):
        grown = [side for side, total in enumerate(after) if total > before[side]]
        assert all(total >= before[side] for side, total in enumerate(after))
        assert grown in ([], [verdict["winner"]])
    target = match.rules["target"]
    assert result["winners"] == [side for side, total in enumerate(totals[-1]) if total >= target]


def gaple(document: dict[str, Any], match: Match, result: Tally) -> None:
    """Exactly one winner when the tiles are known; otherwise one, or a question to some who gave a number."""
    assert running_totals(match, result)[-1] == result["totals"]
    for round_, verdict in zip(match.rounds, result["rounds"], strict=True):
        if round_.ended is None or verdict.get("after_end"):
            continue
        numbers = {seat for part in ("hands", "discards") for seat, hand in enumerate(round_.fields[part])
                   if isinstance(hand, int)}
        asked = verdict.get("needs", {}).get("lowest", [])
        assert (verdict["winner"] is None) == bool(asked)
        assert set(asked) <= numbers - set(round_.fields.get("lowest", {}))
    if any("needs" in verdict for verdict in result["rounds"]):
        assert result["status"] == "playing", "the match waits"
    elif result["status"] == "finished":
        assert result["winners"] == [
            side for side, total in enumerate(result["totals"]) if total == min(result["totals"])]


def pontas(document: dict[str, Any], match: Match, result: Tally) -> None:
    """Every score is a multiple of five; who wins has reached the target and is behind nobody."""
    totals = running_totals(match, result)
    assert totals[-1] == result["totals"]
    for verdict in result["rounds"]:
        assert all(points >= 0 and points % 5 == 0 for points in verdict["points"])
    if result["status"] == "finished":
        (winner,) = result["winners"]
        assert result["totals"][winner] == max(result["totals"]) >= match.rules["target"]
    else:
        ended = sum(round_.ended is not None for round_ in match.rounds)
        assert max(totals[ended]) < match.rules["target"], "decided when the round has ended, not before"


def domeng(document: dict[str, Any], match: Match, result: Tally) -> None:
    """Table and players hold 25 stones together after every round, and nobody fewer than none."""
    held = list(match.start.totals) if match.start else [0] * 5
    camats = [0] * 5
    for round_, verdict in zip(match.rounds, result["rounds"], strict=True):
        held = [stones + change for stones, change in zip(held, verdict["points"], strict=True)]
        assert min(held) >= 0 and sum(held) <= 25
        if "camat" in verdict:
            assert sum(held) == 25 and held[verdict["camat"]] == 0 and verdict["winner"] == verdict["camat"]
            assert round_.ended != "manguno"
            camats[verdict["camat"]] += 1
            held = [0] * 5
        for place in verdict.get("needs", {}).get("after", []):
            assert round_.fields["passes"][place].after is None
    assert (result["totals"], result["table"], result["camats"]) == (held, 25 - sum(held), camats)
    assert sum(result["totals"]) + result["table"] == 25
    for verdict in result["rounds"]:
        for step in verdict["why"]:
            if "paid" in step:
                assert sum(paid["stones"] for paid in step["paid"]) + step["lapsed"] == step["wanted"]
                assert step["seat"] not in [paid["from"] for paid in step["paid"]]


INVARIANTS: dict[str, Invariant] = {"block": block, "gaple": gaple, "pontas": pontas, "domeng": domeng}
