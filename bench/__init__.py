"""Measurements, run by `make bench`: every module `bench_*.py` has `def bench() -> list[Row]`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured figure.

    `value` is in `unit` (a free text such as "s", "ms", "kB", "taps"). `baseline` names what it is
    compared with and `ratio` is value divided by that baseline's value, in the same unit; both
    are left out where there is nothing to compare with.
    """

    name: str
    value: float
    unit: str
    baseline: str = ""
    ratio: float | None = None
