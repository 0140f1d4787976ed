"""Once a day: old matches leave the lists (scorekeeper/store/archive.py)."""

from __future__ import annotations

import threading

from scorekeeper.store.log import Log

from .logs import log

DAY = 24 * 3600.0  # seconds


def start(store: Log, every: float = DAY) -> threading.Event:
    """Archives now and every `every` seconds, in a thread of its own, until the event that it returns is set."""
    over = threading.Event()

    def work() -> None:
        while True:
            try:
                if archived := store.archive():
                    log.info("archived", matches=archived)
            except Exception as error:  # the database is away: tomorrow
                log.error("archiving", exc_info=error)
            if over.wait(every):
                return

    threading.Thread(target=work, name="archiving", daemon=True).start()
    return over
