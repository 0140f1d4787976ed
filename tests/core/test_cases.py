"""The rulebook's worked examples: through `tally_document`, through the command line, and step by step."""

import json
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from scorekeeper.core import documents, tiles
from scorekeeper.core.engine.game import lead
from scorekeeper.core.layout import End, Layout
from scorekeeper.core.options import read_rules
from scorekeeper.core.tally import tally_document
from scorekeeper.core.variants import VARIANTS, gaple, pontas
from scorekeeper.core.variants.playing import highest_double
from tests.core.tables import cross
from tests.shared_cases import load_cases

Case = dict[str, Any]
SCORED = [case for variant in VARIANTS for case in load_cases(variant)]
STEPS = load_cases("engine")
# The cases' own names for the house rules of P5 and P6.
OPTIONS = {"allow35": "score_35", "spinnerEnd": "spinner_end", "requireFourEnds": "four_ends_required"}


def name(case: Case) -> str:
    return f"{case['rule']}: {case['name']}"


def check(case: Case, tally: dict[str, Any]) -> None:
    assert {key: tally[key] for key in case["expect"]} == case["expect"]
    assert {key: tally["rounds"][-1][key] for key in case["round"]} == case["round"]


@pytest.mark.parametrize("case", SCORED, ids=name)
def test_case(case: Case) -> None:
    check(case, tally_document(case["document"]))


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    """What the command line answers to all cases at once, as JSON Lines."""
    lines = "".join(json.dumps(case["document"]) + "\n" for case in SCORED)
    command = [sys.executable, "-m", "scorekeeper", "tally", "-"]
    ran = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("number", range(len(SCORED)), ids=[name(case) for case in SCORED])
def test_case_on_the_command_line(number: int, answers: list[dict[str, Any]]) -> None:
    assert len(answers) == len(SCORED)
    check(SCORED[number], answers[number])


def gaple_setup(given: Case) -> Case:
    boneyard, first_from_boneyard = gaple.deal(given["playerCount"], given["tilesEach"])
    return {"boneyard": boneyard, "firstTile": "boneyard" if first_from_boneyard else "0-0 holder",
            "unusedAfterStart": boneyard - first_from_boneyard}


PUSHED = {"ended": "blocked", "hands": [1, 1, 1, 1]}


def won_by(seat: int) -> Case:
    return {"ended": "domino", "by": seat, "hands": [[] if each == seat else 1 for each in range(4)]}


def block_opener(given: Case) -> Case:
    seats = list(given["deal"])
    dealt = [[tiles.parse(text) for text in hand] for hand in given["deal"].values()]
    winners = [None if winner is None else seats.index(winner) for winner in given["handWinners"]]
    rounds = [PUSHED if winner is None else won_by(winner) for winner in winners]
    match = documents.read({"format": "scorekeeper/1", "variant": "block", "players": seats, "rounds": rounds})
    seat, tile = lead(match, tuple(map(tuple, dealt)), Random(0))
    return {"opener": seats[seat], "mustPlay": tile and tile.text}


def chain_play(given: Case) -> Case:
    left, right = given["ends"]
    chain = Layout(ends=(("left", End(left, left)), ("right", End(right, right))), tiles=1)
    return {"ends": list(chain.play(tiles.parse(given["tile"]), given["side"]).open().values())}


def qp_play(given: Case) -> Case:
    options = dict(given.get("options", {}))
    assert options.pop("doubleEnds", "twice") == "twice"  # P6 leaves no choice
    rules = read_rules(VARIANTS["pontas"].options, {OPTIONS[key]: value for key, value in options.items()})
    if "openEnds" in given:
        ends = cross(tiles.of(*given["openEnds"]), []).counts()[::-1]  # the case has the high half first
    else:
        arms = [[tiles.parse(text) for text in arm] for arm in given["arms"]]
        ends = cross(tiles.parse(given["spinner"]), arms).counts(rules["spinner_end"])
    return {"ends": ends, "endSum": sum(ends), "points": pontas.score_ends(ends, rules)}


def qp_end(given: Case) -> Case:
    """The bonus as a match pays it: side 0 goes out, one opponent holds everything that is left."""
    rules = {"out_bonus": given["options"]["garagem"]}
    round_ = {"ended": "domino", "by": 0, "plays": [], "hands": [None, given["loserTiles"], None, 0]}
    document = {"format": "scorekeeper/1", "variant": "pontas", "players": list("ABCD"), "rules": rules,
                "rounds": [round_]}
    return {"bonus": tally_document(document)["totals"][0]}


def dm_start(given: Case) -> Case:
    dealt = [[tiles.parse(text) for text in given["hands"][player]] for player in given["order"]]
    seat, tile = highest_double(dealt)
    assert tile
    return {"starter": given["order"][seat], "double": tile.text}


OPS: dict[str, Callable[[Case], Case]] = {
    op.__name__: op for op in (gaple_setup, block_opener, chain_play, qp_play, qp_end, dm_start)
}
RULE_OF = {"gaple_setup": "G2", "block_opener": "B3", "chain_play": "B4", "qp_play": "P6", "qp_end": "P7",
           "dm_start": "D1"}


@pytest.mark.parametrize("case", STEPS, ids=lambda case: f"{RULE_OF[case['op']]}: {case['name']}")
def test_step(case: Case) -> None:
    assert OPS[case["op"]](case["input"]) == case["expect"]
