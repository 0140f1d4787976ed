"""The worked examples of the rulebook, kept in tests/cases."""

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"


def load_cases(name: str) -> list[dict[str, Any]]:
    """The cases of `block`, `gaple`, `pontas`, `domeng` or `engine`, in the file's order.

    Each has a `name` and the `rule` it shows. A variant's case has `document` (a match document),
    `expect` (the parts of its tally that must come out) and `round` (the same for its last round).
    Raises FileNotFoundError for any other name.
    """
    cases: list[dict[str, Any]] = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return cases
