"""Recorded practice matches, `tests/records/<name>.json`: `{"record": …, "document": …}`, what was played and what came
of it. `python -m tests.recording` plays and writes them anew: all, or those named.

One for each variant, against bots of all levels but Master; and `master`, a match won against Masters, the first of
many: that one takes some minutes.
"""

from __future__ import annotations

import json
import sys
from itertools import count
from pathlib import Path
from typing import Any

from scorekeeper.core import ranking
from scorekeeper.core.engine import record
from scorekeeper.core.errors import Invalid
from scorekeeper.core.variants import VARIANTS
from tests.web.accounts import played

FOLDER = Path(__file__).with_name("records")
BOTS = ("normal", "expert", "easy")
MASTER = "master"
SEED = 5
TEAM = ("human", "master", "master", "master")  # two of them are the human's opponents


def again(raw: dict[str, Any]) -> dict[str, Any]:
    """The match document that playing a record again comes to."""
    document: dict[str, Any] = record.told(record.replay(record.read(raw)))["document"]
    return document


def of_variant(key: str) -> dict[str, Any]:
    """The record of a match that a human plays as an Expert would."""
    seats = (VARIANTS[key].played_by or VARIANTS[key].seats)[0]
    return played(SEED, key, ("human", *(BOTS[seat % len(BOTS)] for seat in range(seats - 1))))


def won_against_masters() -> dict[str, Any]:
    """The record of the first match of Quatro Pontas, from seed 0 on, that a human who plays as an Expert wins."""
    for seed in count():
        raw = played(seed, "pontas", TEAM)
        try:
            assert ranking.judge(record.read(raw), again(raw)) == ranking.POINTS[MASTER]
        except Invalid as lost:
            assert lost.code == "not_won"
            continue
        return raw
    raise AssertionError("seeds have no end")


def read(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A recorded match: its record and its document."""
    held = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return held["record"], held["document"]


def main(names: list[str]) -> None:
    """Writes the files of these names, or all."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or [*VARIANTS, MASTER]:
        raw = won_against_masters() if name == MASTER else of_variant(name)
        text = f'{{"record": {json.dumps(raw)},\n"document": {json.dumps(again(raw))}}}\n'
        (FOLDER / f"{name}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
