"""The table that `make bench` prints."""

from pathlib import Path

import pytest

from bench import Row
from bench.run import discover, main, number, table


def test_benches_are_found_by_their_file_names(tmp_path: Path) -> None:
    for name in ("bench_tally.py", "bench_append.py", "run.py"):
        (tmp_path / name).touch()
    assert discover(tmp_path) == ["append", "tally"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.01234, "0.0123"), (1.234, "1.23"), (12.34, "12.3"), (41234, "41,234"), (-1.5, "-1.5")],
)
def test_figures_are_short(value: float, text: str) -> None:
    assert number(value) == text


def test_columns_line_up() -> None:
    rows = [Row("tally", 1.234, "s", "limit 5 s", 0.25), Row("page", 41234, "B")]
    assert table(rows).splitlines() == [
        "what    value  unit  compared with  ratio",
        "tally    1.23  s     limit 5 s      0.25x",
        "page   41,234  B",
    ]


def test_an_unknown_bench_is_refused() -> None:
    assert main(["--only", "no such bench"]) == 2
