"""A browser's processes, found by the profile it was started with; Linux only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
NANOSECOND = 1e-9
WORKER = "DedicatedWorker"  # the name of a worker's thread, cut to 15 letters


def browser(profile: Path) -> list[int]:
    """Those that were told this profile."""
    told = f"--user-data-dir={profile}".encode()
    return [pid for pid, folder in _all() if told in _read(folder / "cmdline").split(b"\0")]


def family(profile: Path) -> set[int]:
    """The same, with all that they started."""
    parents = {pid: int(_read(folder / "stat").rpartition(b")")[2].split()[1] or 0) for pid, folder in _all()
               if _read(folder / "stat")}
    found = set(browser(profile))
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def worker_seconds(profile: Path) -> float:
    """The processor's seconds that the browser's workers have taken, all in all; of threads that are still there."""
    total = 0
    for pid in family(profile):
        for thread in (PROC / str(pid) / "task").glob("*"):
            if _read(thread / "comm").decode().startswith(WORKER):
                total += int(_read(thread / "schedstat").split()[0])
    return total * NANOSECOND


def _all() -> Iterator[tuple[int, Path]]:
    yield from ((int(folder.name), folder) for folder in PROC.glob("[0-9]*"))


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it ended meanwhile
        return b""
