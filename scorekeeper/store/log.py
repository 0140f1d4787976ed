"""The event log: what happened in each match, in order, never changed afterwards."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, bindparam, func, insert, select
from sqlalchemy.exc import IntegrityError

from scorekeeper.store import archive, migrations
from scorekeeper.store.database import Database, storable
from scorekeeper.store.errors import Conflict, KeyReused, NoMatch
from scorekeeper.store.tables import event, last_changed_first, match, newest

Event = dict[str, Any]
Check = Callable[[list[Event], list[Event]], None]

# Ids are read aloud and typed: without 0 o, 1 i l, and u, which is v in many hands. 15 × 4.9 = 73 bits.
ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 15
MOST_ASKED = 500  # in one statement, whose parameters every database limits
# What the log itself says about an event; a body may not say it too.
RESERVED = frozenset({"version", "at", "by"})

# What every round asks, put together once: that takes longer than asking.
_ID: BindParameter[str] = bindparam("id")
_OF_MATCH = event.c.match_id == _ID
_EVENTS = select(event).where(_OF_MATCH, event.c.version > bindparam("since")).order_by(event.c.version)
_NEWEST = select(func.max(event.c.version)).where(_OF_MATCH)
# The lock that makes read, check and write one step where several processes write.
_LOCKED = select(match.c.archived_at).where(match.c.id == _ID).with_for_update()


def new_id() -> str:
    """A new match id, which nobody can guess: whoever knows it was given it."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def utc_now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Stored:
    """One event as it was written. `at`: when, in UTC. `by`: who, as the caller named them."""

    version: int
    at: datetime
    type: str
    body: Event
    by: str | None

    def as_event(self) -> Event:
        """`{"type": …, "version": 3, "at": "2026-11-30T19:45:00+00:00", "by": …, **body}`."""
        about = {"type": self.type, "version": self.version, "at": self.at.isoformat(), "by": self.by}
        return {**about, **self.body}


@dataclass(frozen=True)
class Appended:
    """The answer to a write. `version`: that of the last event written by it.

    `replayed`: the key was known, nothing was written now. Apart from that the answer is the first one
    again, even if the match has gone on since.
    """

    match_id: str
    version: int
    replayed: bool


class Log:
    """Append-only events per match, on SQLite or PostgreSQL. Safe to share between threads.

    Every write carries a *key* made by the client, new for each thing a person does and the same each time
    that is tried again: a retry after a lost answer writes nothing twice. An event given to the log is
    `{"type": "…", **body}`; `version`, `at` and `by` are the log's own words and may not be in it.
    """

    def __init__(self, url: str, check: Check, now: Callable[[], datetime] = utc_now) -> None:
        """Opens the database, making or migrating it as needed.

        `url`: as SQLAlchemy writes it, e.g. `sqlite:////var/lib/scorekeeper.db`.
        `check(existing, new)`: may `new` follow `existing`? Raises `scorekeeper.core.errors.Invalid` if not.
        Existing events come as `Stored.as_event()` gives them, new ones as they were given.
        `now`: the clock, giving aware moments.

        Raises `errors.InUse` if an SQLite file is open elsewhere, `errors.TooNew` if a newer version of the
        app has written it, ValueError for an SQLite database without a file.
        """
        self._check = check
        self._now = now
        self._listeners: list[Callable[[str, int], None]] = []
        self._database = Database(url)
        try:
            self.migrate()
        except BaseException:
            self.close()
            raise

    @property
    def database(self) -> Database:
        """The database, for what else is kept in it."""
        return self._database

    def listen(self, told: Callable[[str, int], None]) -> None:
        """Calls `told(match_id, version)` after every write that was committed, in the thread that wrote."""
        self._listeners.append(told)

    def migrate(self) -> None:
        """Brings the tables to their newest form, all or nothing. Does nothing if they have it.

        Raises `errors.TooNew`.
        """
        with self._database.migrating() as db:
            migrations.upgrade(db)

    def create(self, owner: str, events: Sequence[Event], key: str, by: str | None = None) -> Appended:
        """Begins a match of `owner` with `events` (at least one); keys are the owner's.

        Raises `errors.KeyReused` (this owner's key, other events), `Invalid` from the check; nothing is
        written then. ValueError for no events or an empty key.
        """
        try:
            return self._create(owner, events, key, by)
        except IntegrityError:
            # Another process created it with the same key meanwhile (or, hardly, the new id was taken).
            return self._create(owner, events, key, by)

    def _create(self, owner: str, events: Sequence[Event], key: str, by: str | None) -> Appended:
        key, fingerprint = storable(key), _fingerprint(events, key)
        with self._database.write() as db:
            known = db.scalar(select(match.c.id).where(match.c.owner == owner, match.c.key == key))
            if known is not None:
                return _replay(known, _rows(db, known), key, fingerprint)
            self._check([], list(events))
            at, match_id = self._now(), new_id()
            db.execute(insert(match).values(id=match_id, owner=owner, key=key, created_at=at))
            return _write(db, match_id, 0, events, key=key, fingerprint=fingerprint, by=by, at=at)

    def append(
        self, match_id: str, events: Sequence[Event], *, expected: int, key: str, by: str | None = None,
        may: Callable[[Connection], object] = bool,
    ) -> Appended:
        """Writes `events` (at least one) after version `expected`, all of them or none.

        In this order: `errors.NoMatch`; what `may` raises, asked when nobody else can change who may; a known key
        gives its first answer again, whatever is `expected`
        now, or `errors.KeyReused` if its events were others; `errors.Conflict` if the match is not at
        `expected`, with what came since; `Invalid` from the check. ValueError for no events or an empty key.
        """
        done = self._append(match_id, events, expected, key, by, may)
        for told in self._listeners:  # also of a retry: whoever wrote it may have been killed before it told
            told(match_id, done.version)
        return done

    def _append(
        self, match_id: str, events: Sequence[Event], expected: int, key: str, by: str | None,
        may: Callable[[Connection], object],
    ) -> Appended:
        key, fingerprint = storable(key), _fingerprint(events, key)
        with self._database.write() as db:
            locked = db.execute(_LOCKED, {"id": match_id}).one_or_none()
            if locked is None:
                raise NoMatch(match_id)
            may(db)
            rows = _rows(db, match_id)
            if any(row.key == key for row in rows):
                return _replay(match_id, rows, key, fingerprint)
            stored = [_stored(row) for row in rows]
            version = stored[-1].version
            if version != expected:
                raise Conflict(version, [each for each in stored if each.version > expected])
            self._check([each.as_event() for each in stored], list(events))
            if locked.archived_at is not None:
                archive.take_back(db, match_id)
            return _write(
                db, match_id, version, events, key=key, fingerprint=fingerprint, by=by, at=self._now()
            )

    def read(self, match_id: str, since: int = 0) -> list[Stored]:
        """The events after version `since`, oldest first; empty if none came. Raises `errors.NoMatch`."""
        with self._database.read() as db:
            rows = _rows(db, match_id, since)
            # A match has at least one event, so only an empty answer leaves a doubt.
            if not rows:
                _owner(db, match_id)
        return [_stored(row) for row in rows]

    def version_of(self, match_id: str) -> int:
        """The newest version. Raises `errors.NoMatch`."""
        with self._database.read() as db:
            version = db.scalar(_NEWEST, {"id": match_id})
        if version is None:
            raise NoMatch(match_id)
        return int(version)

    def owner_of(self, match_id: str) -> str:
        """Whose match it is, as given to `create`. Raises `errors.NoMatch`."""
        with self._database.read() as db:
            return _owner(db, match_id)

    def versions(self, match_ids: Collection[str]) -> dict[str, int]:
        """The newest version of each of these matches that exists."""
        asked, found = list(match_ids), {}
        with self._database.read() as db:
            for start in range(0, len(asked), MOST_ASKED):
                some = match.c.id.in_(asked[start : start + MOST_ASKED])
                rows = db.execute(select(match.c.id, newest(event.c.version)).where(some))
                found.update({row[0]: row[1] for row in rows})
        return found

    def matches_of(self, owner: str, limit: int, offset: int = 0) -> list[str]:
        """Ids of the owner's matches, the most recently changed first: `limit` of them, after `offset`. Without those
        that are archived."""
        query = select(match.c.id).where(match.c.owner == owner, match.c.archived_at.is_(None))
        query = query.order_by(*last_changed_first()).limit(limit).offset(offset)
        with self._database.read() as db:
            return list(db.scalars(query))

    def archive(self) -> int:
        """Takes what nobody has touched for `archive.OLD` out of the lists; the number of matches."""
        return archive.archive(self._database, self._now())

    def close(self) -> None:
        """Closes the connections and frees the file for another process. May be called twice."""
        self._database.close()


def _fingerprint(events: Sequence[Event], key: str) -> str:
    """Tells whether two calls with one key meant the same: by their events alone. What a retry expects or
    who sends it may have changed meanwhile."""
    if not events or not key:
        raise ValueError("a write needs at least one event and a key")
    return hashlib.sha256(json.dumps(list(events), sort_keys=True).encode("ascii")).hexdigest()


def _owner(db: Connection, match_id: str) -> str:
    owner: str | None = db.scalar(select(match.c.owner).where(match.c.id == match_id))
    if owner is None:
        raise NoMatch(match_id)
    return owner


def _rows(db: Connection, match_id: str, since: int = 0) -> Sequence[Row[Any]]:
    return db.execute(_EVENTS, {"id": match_id, "since": since}).all()


def _stored(row: Row[Any]) -> Stored:
    return Stored(version=row.version, at=row.at, type=row.type, body=row.body, by=row.by)


def _replay(match_id: str, rows: Sequence[Row[Any]], key: str, fingerprint: str) -> Appended:
    """The first answer to `key` again: its batch ends where the next one, which has a key, begins."""
    keyed = [row for row in rows if row.key is not None]
    place = next(index for index, row in enumerate(keyed) if row.key == key)
    if keyed[place].fingerprint != fingerprint:
        raise KeyReused(key)
    last = keyed[place + 1].version - 1 if place + 1 < len(keyed) else rows[-1].version
    return Appended(match_id, last, replayed=True)


def _write(
    db: Connection,
    match_id: str,
    version: int,
    events: Sequence[Event],
    *,
    key: str,
    fingerprint: str,
    by: str | None,
    at: datetime,
) -> Appended:
    """Writes `events` after `version`; the first one carries the key."""
    rows = []
    for number, each in enumerate(events):
        if taken := RESERVED & each.keys():
            raise ValueError(f"an event may not have {sorted(taken)}: the log says that itself")
        rows.append(
            {
                "match_id": match_id,
                "version": version + 1 + number,
                "key": None if number else key,
                "fingerprint": None if number else fingerprint,
                "type": each["type"],
                "body": {name: value for name, value in each.items() if name != "type"},
                "by": by,
                "at": at,
            }
        )
    db.execute(insert(event), rows)
    return Appended(match_id, version + len(rows), replayed=False)
