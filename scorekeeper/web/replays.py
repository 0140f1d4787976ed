"""Plays the records sent for the ranking again, one after another, beside the server and not in its way.

A match against Masters takes up to a minute of a processor: each record is played by `python -m scorekeeper
replay` in a process of its own. Nothing is lost when the server stops, or is killed: what has no verdict yet is
taken up at the next start.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from typing import Any

from scorekeeper.core import ranking
from scorekeeper.core.engine import record
from scorekeeper.core.errors import Invalid
from scorekeeper.store.results import Result, Results, Verdict

from .logs import log

LONGEST = 3600  # seconds: matches against three Masters were seen to take 6 to 20, and there are slower machines
POLITE = 10


def spawn(root: str) -> subprocess.Popen[bytes]:
    """A process that plays a record again."""
    return subprocess.Popen([sys.executable, "-m", "scorekeeper", "replay", "-"], cwd=root,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


class Stopped(Exception):
    """The process ended without an answer, or was ended with the server."""


class Replays:
    """One thread that works while something waits for its verdict."""

    def __init__(self, results: Results, root: str, longest: float = LONGEST) -> None:
        """`root`: the folder the app is run from; `longest`: seconds that one replay may take."""
        self._results, self._root, self._longest = results, root, longest
        self._lock = threading.Lock()
        self._asked = False
        self._thread: threading.Thread | None = None
        self._given_up: set[str] = set()  # until the next start
        self._child: subprocess.Popen[bytes] | None = None
        self._stopping = False
        atexit.register(self.stop)

    def wake(self) -> None:
        """Says that something waits."""
        with self._lock:
            self._asked = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="replays", daemon=True)
                self._thread.start()

    def settle(self) -> None:
        """Returns when nothing waits any more."""
        thread = self._thread
        if thread:
            thread.join()

    def stop(self) -> None:
        """Ends the replay under way, which is taken up at the next start; no other is begun."""
        with self._lock:
            self._stopping = True
            child = self._child
        if child and child.poll() is None:
            child.kill()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._asked:
                    self._thread = None
                    return
                self._asked = False
            try:
                self._work()
            except Exception as error:  # the database is closed or away; the next one to ask tries again
                log.error("replays", exc_info=error)

    def _work(self) -> None:
        while not self._stopping and (result := self._results.waiting(self._given_up)):
            try:
                self._results.decide(result.id, self.judge(result))
            except Exception as error:  # whatever is wrong with one is not to keep the others waiting
                self._given_up.add(result.id)
                if not self._stopping:
                    log.error("replay", exc_info=error)

    def judge(self, result: Result) -> Verdict:
        """The verdict on a record. Raises `Stopped`."""
        variant = result.record["variant"]  # it was there when the record was taken in, by whatever engine
        try:
            read = record.read(result.record)
            told = self._replay(result.record)
            if "error" in told:
                raise Invalid(**told["error"])
            return Verdict(variant, ranking.judge(read, told["document"]))
        except Invalid as error:
            placed = error if error.at.startswith("record") else error.within("record")
            return Verdict(variant, None, placed.code, placed.at, placed.message)

    def _replay(self, raw: Any) -> Any:
        """What `replay` prints of a record. Raises `Stopped`; `Invalid("too_long")`."""
        child = spawn(self._root)
        with self._lock:
            self._child = child
            if self._stopping:
                child.kill()
        try:
            os.setpriority(os.PRIO_PROCESS, child.pid, POLITE)
            said, _ = child.communicate(json.dumps(raw).encode("ascii"), self._longest)
        except subprocess.TimeoutExpired:
            raise Invalid("too_long", "playing it again takes too long", "record") from None
        except OSError as error:  # it is gone already
            raise Stopped from error
        finally:
            child.kill()
            child.wait()
            self._child = None
        if child.returncode not in (0, 2):
            raise Stopped(f"exit status {child.returncode}")
        return json.loads(said)
