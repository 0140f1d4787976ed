"""10,000 documents of 10 rounds each through one call of the command line, per variant.

Compared with reading and writing the same JSON without looking at it: a second call that only does that.
The seconds are those of the processor, which other work on the machine does not lengthen.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from bench import Row
from tests.core import documents

ROOT = Path(__file__).parents[1]
DOCUMENTS, ROUNDS = 10_000, 10
TALLY = [sys.executable, "-m", "scorekeeper", "tally", "-"]
JSON_ALONE = [sys.executable, "-c", "import json, sys\nfor line in sys.stdin: print(json.dumps(json.loads(line)))"]


def bench() -> list[Row]:
    """Seconds for each variant, the faster of two runs; the ratio is to JSON alone on the same lines."""
    rows = []
    for variant in documents.MAKERS:
        lines = "".join(json.dumps(document) + "\n" for document in ten_rounds_each(variant)).encode()
        alone, tally = (min(seconds(command, lines) for _ in range(2)) for command in (JSON_ALONE, TALLY))
        name = f"{DOCUMENTS:,} {variant} documents of {ROUNDS} rounds"
        rows.append(Row(name, tally, "s of CPU", "json alone", tally / alone))
    return rows


def ten_rounds_each(variant: str) -> list[dict[str, Any]]:
    """Documents with ten finished rounds, all of which count: no target is reached before."""
    found: list[dict[str, Any]] = []
    dice = Random(variant)
    goal = {"block": {"target": 1000}, "pontas": {"target": 1000}, "gaple": {"rounds": ROUNDS}}.get(variant, {})
    while len(found) < DOCUMENTS:
        document = documents.make(dice, variant)
        ended = [round_ for round_ in document.get("rounds", []) if round_.get("ended")]
        if ended:
            rules = {**document.get("rules", {}), **goal}
            rules.pop("camats", None)
            found.append({**document, "rules": rules, "rounds": (ended * ROUNDS)[:ROUNDS]})
    return found


def seconds(command: list[str], lines: bytes) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(command, input=lines, stdout=subprocess.PIPE, cwd=ROOT, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert ran.stdout.count(b"\n") == DOCUMENTS
    return taken
