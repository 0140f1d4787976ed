"""The hub where several processes serve one database: what one of them writes is hinted to the others through Redis.

Redis is quick and may forget: nothing but hints goes through it, and nobody waits for it. What it loses is found by
looking. Each process asks the database for the versions of the matches that are open on its phones: every `LOOK`
seconds while Redis is away (or there is none), every `LOOK_ANYWAY` while it is there.
"""

from __future__ import annotations

import json
import queue
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

from scorekeeper.store.log import Log

from .hub import ACCESS, PRESENCE, Hub
from .logs import log

# Seconds.
LOOK, LOOK_ANYWAY = 2.0, 15.0
LOOK_AT_ACCESS = 10.0  # streams that look again who may see them, while nobody would tell
ALIVE, FORGET = 5.0, 16.0  # how often a process says that it is there; when the others stop believing it
AGAIN = 1.0  # between two tries to reach Redis
PATIENCE = 2.0
MOST_WAITING = 10_000  # hints; more are dropped, and found by looking
TOGETHER = 200
GONE = -2  # in the place of a version: the process is going

Versions = Callable[[Collection[str]], dict[str, int]]


def hub_of(database: Log, redis: str) -> Hub:
    """The hub for this database. ValueError for Redis beside a database that only this process has open."""
    if database.database.shared:
        return SharedHub(database.versions, redis)
    if redis:
        raise ValueError("SCOREKEEPER_REDIS is for several processes: it goes with a database that they share")
    return Hub()


class SharedHub(Hub):
    """`Hub`, and the same hints from and to the other processes. Its threads end with `close`, or the process."""

    def __init__(self, versions: Versions, redis: str = "") -> None:
        """`versions(ids)`: the newest version of each match, from the database. `redis`: its address, where it is."""
        super().__init__()
        self._versions, self._redis = versions, redis
        self._name = secrets.token_hex(8)
        self._told: dict[str, int] = {}
        self._out: queue.Queue[tuple[str, int]] = queue.Queue(MOST_WAITING)
        self._others: dict[str, float] = {}  # processes, and when each was last heard of
        self._elsewhere: dict[str, dict[str, dict[str, int]]] = {}  # match, process, who, streams
        self._linked, self._over = threading.Event(), threading.Event()
        if redis:
            self._connect()  # what it imports is imported before there are threads: half a module misleads others
        for work in (self._look, *((self._send, self._listen) if redis else ())):
            threading.Thread(target=work, name=f"hub {work.__name__}", daemon=True).start()

    @property
    def linked(self) -> bool:
        """Whether the other processes are heard of at once."""
        return self._linked.is_set()

    def publish(self, match_id: str, version: int) -> None:
        """As `Hub.publish`, to all processes."""
        self._tell_here(match_id, version)
        if self.linked:
            with suppress(queue.Full):  # what is dropped is found by looking
                self._out.put_nowait((match_id, version))

    def present(self, match_id: str) -> dict[str, int]:
        """As `Hub.present`, with those that the other processes have told of."""
        found, since = Counter(super().present(match_id)), time.monotonic() - FORGET
        for process, present in list(self._elsewhere.get(match_id, {}).items()):
            if self._others.get(process, since) > since:
                found.update(present)
        return dict(found)

    def connected(self, match_id: str) -> int:
        """As `Hub.connected`, in all processes."""
        return len(self.present(match_id)) if self._elsewhere.get(match_id) else super().connected(match_id)

    def close(self) -> None:
        """As `Hub.close`; the others hear that this process is gone."""
        self._over.set()
        with suppress(queue.Full):
            self._out.put_nowait(("", GONE))
        super().close()

    def _tell_here(self, match_id: str, version: int) -> None:
        if version > 0:
            self._told[match_id] = max(version, self._told.get(match_id, 0))
        super().publish(match_id, version)

    # To the others --------------------------------------------------------------------------------------------

    def _send(self) -> None:
        """Sends what is published, together what came together; drops it while Redis is away."""
        link, going = self._connect(), False
        while not going:
            going = self._over.is_set()  # once more, then
            batch: list[tuple[str, int]] = []
            with suppress(queue.Empty):
                batch.append(self._out.get(timeout=ALIVE))
                while len(batch) < TOGETHER:
                    batch.append(self._out.get_nowait())
            try:
                pipe = link.pipeline(transaction=False)
                for match_id, version in dict.fromkeys(batch) or [("", 0)]:  # nothing to say: that we are alive
                    pipe.publish(self._channel, self._message(match_id, version))
                pipe.execute()
            except Exception:  # of any kind: the listener says so in the log, and looks again
                self._over.wait(AGAIN)

    def _message(self, match_id: str, version: int) -> str:
        here = super().present(match_id) if version == PRESENCE else None
        return json.dumps([self._name, match_id, version, here, match_id not in self._elsewhere])

    @property
    def _channel(self) -> str:
        # Channels are the same in all of a Redis' databases; two installations on one Redis use two numbers.
        return f"scorekeeper:{self._redis.rpartition('/')[2]}"

    def _connect(self) -> Any:
        # Only where it is asked for: the default install has no client for Redis.
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        return Redis.from_url(self._redis, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE,
                              retry=Retry(NoBackoff(), 0), decode_responses=True)

    # From the others ------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        while not self._over.is_set():
            try:
                with self._connect().pubsub(ignore_subscribe_messages=False) as ears:
                    ears.subscribe(self._channel)
                    self._hear(ears)
            except Exception as error:
                was_linked = self.linked
                self._linked.clear()
                if was_linked:
                    log.warning("redis is away", kind=type(error).__qualname__)
            self._linked.clear()
            self._over.wait(AGAIN)

    def _hear(self, ears: Any) -> None:
        """Reads until the connection breaks. Whoever is there speaks every `ALIVE` seconds, we ourselves at least."""
        heard = time.monotonic()
        while not self._over.is_set():
            message = ears.get_message(timeout=PATIENCE)
            if message is None:
                if time.monotonic() - heard > FORGET:
                    raise TimeoutError("not even our own voice comes back")
                continue
            heard = time.monotonic()
            if message["type"] == "subscribe":
                self._linked.set()
                self._missed()
            elif message["type"] == "message":
                self._take(json.loads(message["data"]))

    def _missed(self) -> None:
        """After a gap: who may see what is looked up again, who is connected is told again; versions are looked at."""
        for match_id in list(self._streams):
            self._tell_here(match_id, ACCESS)
            self.publish(match_id, PRESENCE)
        self._look_once()

    def _take(self, message: list[Any]) -> None:
        process, match_id, version, present, asks = message
        if process == self._name or self._over.is_set():
            return
        if version == GONE:
            return self._forget_process(process)
        self._others[process] = time.monotonic()
        if not match_id:
            return
        if version == PRESENCE:
            if match_id not in self._streams:
                return
            self._elsewhere.setdefault(match_id, {})[process] = present
            if asks:  # it does not know of ours yet
                self.publish(match_id, PRESENCE)
        self._tell_here(match_id, version)

    # By looking -----------------------------------------------------------------------------------------------

    def _look(self) -> None:
        last = access = time.monotonic()
        while not self._over.wait(LOOK):
            now = time.monotonic()
            if self.linked and now - last < LOOK_ANYWAY:
                access = now
                continue
            last = now
            try:
                self._look_once()
                if now - access >= LOOK_AT_ACCESS:
                    access = now
                    for match_id in list(self._streams):
                        self._tell_here(match_id, ACCESS)
            except Exception as error:  # the database is away too: next time
                log.warning("looking", kind=type(error).__qualname__)

    def _look_once(self) -> None:
        open_ = list(self._streams)
        found = self._versions(open_) if open_ else {}
        for match_id, version in found.items():
            if version > self._told.get(match_id, 0):
                self._tell_here(match_id, version)
        self._forget(set(open_))

    def _forget(self, open_: set[str]) -> None:
        """Nothing is kept of matches that are no longer open here, or of processes that are gone."""
        for kept in (self._told, self._elsewhere):
            for match_id in [each for each in list(kept) if each not in open_ and each not in self._streams]:
                kept.pop(match_id, None)
        since = time.monotonic() - FORGET
        for process in [each for each, at in list(self._others.items()) if at < since]:
            self._forget_process(process)

    def _forget_process(self, process: str) -> None:
        self._others.pop(process, None)
        for match_id, told in list(self._elsewhere.items()):
            if told.pop(process, None):
                self._tell_here(match_id, PRESENCE)
