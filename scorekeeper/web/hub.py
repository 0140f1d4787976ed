"""What changed just now, told to the open streams of this process: in memory, quick, and no more than a hint.

A subscriber that hears of a version reads the match itself, so nothing is lost by what is not told: several versions
in a row become the last one. With several processes something else carries the same hints between them.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator
from types import TracebackType

# What can be published besides versions, which begin at 1. They are never run together with a version.
ACCESS = 0  # who may see or write the match: each stream looks again
PRESENCE = -1  # who is there, by what name, and connected

GATHER = 1.0  # seconds in which arrivals and departures become one PRESENCE


class Hub:
    """Hints by match id. Streams subscribe on the event loop; anyone publishes, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._streams: dict[str, set[Subscription]] = {}
        self.open = 0  # streams
        self._news: dict[str, list[int]] = {}  # published, not yet on the event loop
        self._present: dict[str, Counter[str]] = {}
        self._gathering: set[str] = set()  # matches whose comings and goings are about to be told

    def publish(self, match_id: str, version: int) -> None:
        """Tells the match's streams its newest version (or `ACCESS`, `PRESENCE`), after it was committed."""
        if match_id not in self._streams:
            return  # who subscribes from now on reads what was committed before
        with self._lock:
            first = not self._news
            self._news.setdefault(match_id, []).append(version)
        if first and self._loop:
            try:
                self._loop.call_soon_threadsafe(self._spread)
            except RuntimeError:  # the loop has ended, and with it every stream
                self._spread_nothing()

    def subscribe(self, match_id: str, who: str = "") -> Subscription:
        """An async iterator of what is published of this match from now on; on the event loop only.

        `async with hub.subscribe(id) as news`: until its end `who` counts as connected.
        """
        self._loop = asyncio.get_running_loop()
        return Subscription(self, match_id, who)

    def present(self, match_id: str) -> dict[str, int]:
        """Who is connected, with how many streams."""
        return dict(self._present.get(match_id, {}))

    def connected(self, match_id: str) -> int:
        """How many are connected."""
        return len(self._present.get(match_id, ()))

    def streams_of(self, match_id: str, who: str) -> int:
        """How many streams of this match somebody has open, with this process."""
        return self._present[match_id][who] if match_id in self._present else 0

    def close(self) -> None:
        """Ends every stream at once, and each that comes later; on the event loop."""
        self._closed = True
        for each in [stream for streams in self._streams.values() for stream in streams]:
            each.end()

    def _spread(self) -> None:
        with self._lock:
            news, self._news = self._news, {}
        for match_id, told in news.items():
            for stream in self._streams.get(match_id, ()):
                stream.tell(told)

    def _spread_nothing(self) -> None:
        with self._lock:
            self._news = {}

    def _enter(self, stream: Subscription) -> None:
        self.open += 1
        self._streams.setdefault(stream.match_id, set()).add(stream)
        self._present.setdefault(stream.match_id, Counter())[stream.who] += 1
        if self._closed:
            stream.end()
        elif self._present[stream.match_id][stream.who] == 1:
            self._changed(stream.match_id)

    def _leave(self, stream: Subscription) -> None:
        streams, present = self._streams[stream.match_id], self._present[stream.match_id]
        self.open -= 1
        streams.discard(stream)
        present[stream.who] -= 1
        if not present[stream.who]:
            del present[stream.who]
            self._changed(stream.match_id)
        if not streams:
            del self._streams[stream.match_id], self._present[stream.match_id]

    def _changed(self, match_id: str) -> None:
        """Somebody came or went: told once for all who do within `GATHER`."""
        if self._loop and not self._closed and match_id not in self._gathering:
            self._gathering.add(match_id)
            self._loop.call_later(GATHER, self._tell_presence, match_id)

    def _tell_presence(self, match_id: str) -> None:
        self._gathering.discard(match_id)
        self.publish(match_id, PRESENCE)


class Subscription(AsyncIterator[int]):
    """One stream's side of the hub. Ends (`StopAsyncIteration`) when the hub closes or `end` is called."""

    __slots__ = ("_ended", "_hub", "_notes", "_version", "_waiter", "match_id", "who")

    def __init__(self, hub: Hub, match_id: str, who: str) -> None:
        self._hub, self.match_id, self.who = hub, match_id, who
        self._version = 0
        self._notes: set[int] = set()
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None

    async def __aenter__(self) -> Subscription:
        self._hub._enter(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hub._leave(self)

    async def __anext__(self) -> int:
        """The newest version not told yet; before it `ACCESS`, after it `PRESENCE`. Cancelled, it loses nothing."""
        told = await self._next(None)
        assert told is not None
        return told

    async def with_pauses(self, seconds: float) -> AsyncIterator[int | None]:
        """The same, and None after each so many seconds in which nothing happened."""
        while True:
            try:
                told = await self._next(seconds)
            except StopAsyncIteration:
                return
            yield told

    async def _next(self, seconds: float | None) -> int | None:
        if not self._notes and not self._version and not self._ended:
            await self._wait(seconds)
        if self._ended:
            raise StopAsyncIteration
        if ACCESS in self._notes:
            self._notes.remove(ACCESS)
            return ACCESS
        if self._version:
            told, self._version = self._version, 0
            return told
        return self._notes.pop() if self._notes else None

    async def _wait(self, seconds: float | None) -> None:
        """Until something is told, or for so long. A timer of the loop is a tenth of the weight of a task."""
        loop = asyncio.get_running_loop()
        self._waiter = loop.create_future()
        timer = None if seconds is None else loop.call_later(seconds, self._wake)
        try:
            await self._waiter
        finally:
            self._waiter = None
            if timer:
                timer.cancel()

    def tell(self, news: list[int]) -> None:
        """Keeps what was published until it is asked for."""
        for each in news:
            if each > 0:
                self._version = max(self._version, each)
            else:
                self._notes.add(each)
        self._wake()

    def end(self) -> None:
        """Ends the iteration."""
        self._ended = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)
