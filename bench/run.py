"""Runs the measurements and prints them as a table: `python -m bench.run [--only NAME …]`."""

import argparse
import importlib
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from bench import Row

HEADER = ("what", "value", "unit", "compared with", "ratio")


def discover(folder: Path) -> list[str]:
    """Names of the benches in `folder`, sorted: `tally` for `bench_tally.py`."""
    return sorted(path.stem.removeprefix("bench_") for path in folder.glob("bench_*.py"))


def number(value: float) -> str:
    """Three significant digits, in plain notation, thousands grouped."""
    if value == 0:
        return "0"
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.3g}"


def table(rows: Iterable[Row]) -> str:
    """The rows as text, in columns as wide as their widest cell; figures to the right."""
    lines = [HEADER] + [
        (r.name, number(r.value), r.unit, r.baseline, "" if r.ratio is None else f"{r.ratio:.2f}x")
        for r in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    figures = {1, 4}
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in figures else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def main(arguments: list[str] | None = None) -> int:
    """Exit status: 0, 1 where a bench failed, 2 where `--only` names one that is none."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--only", metavar="NAME", nargs="+", default=[], help="run these bench_NAME.py and no others")
    only = parser.parse_args(arguments).only
    names = discover(Path(__file__).parent)
    if unknown := [name for name in only if name not in names]:
        told = ", ".join(names) or "none"
        print(f"no bench is called {', '.join(unknown)}; there are: {told}", file=sys.stderr)
        return 2
    failed = []
    for name in only or names:
        print(f"== {name}", flush=True)
        try:
            print(table(importlib.import_module(f"bench.bench_{name}").bench()), end="\n\n", flush=True)
        except Exception:  # the other benches still have something to say
            traceback.print_exc()
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
