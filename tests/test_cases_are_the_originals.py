"""Where the rulebook's worked examples lie beside this repository, ours are the same bytes."""

from pathlib import Path

import pytest

from tests.shared_cases import CASES, load_cases

ORIGINALS = Path(__file__).parents[2] / "shared" / "cases"


@pytest.mark.skipif(not ORIGINALS.is_dir(), reason="the originals are not beside this repository")
def test_cases_are_the_originals() -> None:
    originals = {path.name: path.read_bytes() for path in ORIGINALS.glob("*.json")}
    assert {path.name: path.read_bytes() for path in CASES.glob("*.json")} == originals


@pytest.mark.parametrize("name", ["block", "gaple", "pontas", "domeng", "engine"])
def test_every_case_names_its_rule(name: str) -> None:
    cases = load_cases(name)
    assert cases
    assert all(case["name"] and case["rule"] for case in cases)
