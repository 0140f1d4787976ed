"""Who shares a match: its phones and their roles, the links by which they join, and the lock."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, and_, bindparam, exists, func, insert, select, union, update

from scorekeeper.store.database import Database
from scorekeeper.store.errors import BadCode, NoMatch, TooManyPhones
from scorekeeper.store.log import ALPHABET, utc_now
from scorekeeper.store.tables import door, last_changed_first, link, match, phone, sharing_change

OWNER, SCORER, WATCHER, NOBODY = "owner", "scorer", "watcher", ""
LINKS = (WATCHER, SCORER)  # the roles that a link can give
RANK = {NOBODY: 0, WATCHER: 1, SCORER: 2, OWNER: 3}
# 30 signs to the 10th: 590 million million codes. An address may be wrong 100 times in an hour (web/share.py), so ten
# thousand addresses that guess day and night at a site with 2,000 links need 30 years to be let in once.
CODE_LENGTH = 10
LASTS = timedelta(days=7)  # a link; who has joined by it stays
MOST_PHONES = 2000

# What every request asks, put together once: that takes longer than asking.
_ID: BindParameter[str] = bindparam("id")
_WHO: BindParameter[str] = bindparam("who")
_DOOR = match.outerjoin(door, door.c.match_id == match.c.id)
_OWNED = select(match.c.owner, door.c.locked).select_from(_DOOR).where(match.c.id == _ID)
_ROLES = select(phone.c.who, phone.c.role, phone.c.number).where(phone.c.match_id == _ID)
_MINE = _DOOR.outerjoin(phone, and_(phone.c.match_id == match.c.id, phone.c.who == _WHO))
_ACCESS = select(match.c.owner, phone.c.role, phone.c.number, door.c.locked).select_from(_MINE).where(match.c.id == _ID)


@dataclass(frozen=True, slots=True)
class Access:
    """What one browser is to a match. `number`: that of its phone, None for an owner who never shared."""

    role: str
    number: int | None
    locked: bool

    @property
    def writes(self) -> bool:
        """Whether it may write events now."""
        return self.role == OWNER or (self.role == SCORER and not self.locked)

    @property
    def look(self) -> str:
        """What a page may show of all this, as one word: two phones with the same one see the same."""
        marks = ("locked" if self.locked else "", "shared" if self.number is not None else "")
        return "-".join(filter(None, (self.role, *marks)))


@dataclass(frozen=True)
class Phone:
    """A phone at a table. `name` may be empty; `role` is, once it was withdrawn."""

    number: int
    who: str
    name: str
    seat: int | None
    role: str


class Sharing:
    """Who shares which match, in a database. Safe to share between threads.

    `key`: what codes are made and hashed with; with another key all links are as if turned off.
    """

    def __init__(self, database: Database, key: str, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._key = key.encode()
        self._now = now

    # What is so -----------------------------------------------------------------------------------------------

    def access(self, match_id: str, who: str | None) -> Access | None:
        """What this browser is to the match; None for a stranger, a removed phone, or no such match."""
        if who is None or not match_id.isalnum():  # a NUL, say, which no text in PostgreSQL can hold
            return None
        with self._database.read() as db:
            return self.access_in(db, match_id, who)

    def access_in(self, db: Connection, match_id: str, who: str) -> Access | None:
        """The same within a transaction that has begun."""
        row = db.execute(_ACCESS, {"id": match_id, "who": who}).one_or_none()
        if row is None:
            return None
        role = (OWNER if row.owner == who else NOBODY) if row.role is None else row.role
        return Access(role, row.number, bool(row.locked)) if role else None

    def everyone(self, match_id: str) -> dict[str, Access]:
        """What each browser is to the match, without those to whom it is nothing."""
        with self._database.read() as db:
            row = db.execute(_OWNED, {"id": match_id}).one_or_none()
            known = {who: (role, number) for who, role, number in db.execute(_ROLES, {"id": match_id})}
        if row is None:
            return {}
        everyone = {row.owner: (OWNER, None), **known}
        return {who: Access(role, number, bool(row.locked)) for who, (role, number) in everyone.items() if role}

    def phones(self, match_id: str) -> list[Phone]:
        """Every phone that ever joined, in the order in which they came."""
        query = select(phone).where(phone.c.match_id == match_id).order_by(phone.c.number)
        with self._database.read() as db:
            return [_phone(row) for row in db.execute(query)]

    def codes(self, match_id: str) -> dict[str, str]:
        """The code of each role whose link is on."""
        with self._database.read() as db:
            rows = db.execute(select(link).where(link.c.match_id == match_id, link.c.ends_at > self._now())).all()
        made = {row.role: (self._code(row.salt), row.code) for row in rows}
        return {role: code for role, (code, kept) in made.items() if self._hash(code) == kept}

    def find(self, code: str) -> tuple[str, str]:
        """The match and the role that a code opens, however it was typed. Raises `BadCode`."""
        with self._database.read() as db:
            return self._find(db, code)

    def matches_of(self, who: str, limit: int, offset: int = 0, archived: bool = False) -> list[str]:
        """Ids of the matches this browser may see, the most recently changed first: `limit` of them, after `offset`.
        Either those in the lists or those that are archived."""
        mine = union(
            select(match.c.id).where(match.c.owner == who),
            select(phone.c.match_id).where(phone.c.who == who, phone.c.role != NOBODY),
        )
        left = exists().where(phone.c.match_id == match.c.id, phone.c.who == who, phone.c.role == NOBODY)
        kept = match.c.archived_at.is_not(None) if archived else match.c.archived_at.is_(None)
        query = select(match.c.id).where(match.c.id.in_(mine), ~left, kept)
        query = query.order_by(*last_changed_first()).limit(limit).offset(offset)
        with self._database.read() as db:
            return list(db.scalars(query))

    # What phones do -------------------------------------------------------------------------------------------

    def join(self, code: str, who: str, name: str, seat: int | None) -> str:
        """Lets a phone in with the code's role, or a better one that it has; the match's id. Joining again renames it.

        Raises `BadCode`, `TooManyPhones`.
        """
        with self._database.write() as db:
            match_id, _ = self._find(db, code)
            owner = _lock(db, match_id)
            match_id, role = self._find(db, code)  # it may have ended while the lock was waited for
            known = _of(db, match_id, who) or (self._seat_owner(db, match_id, who) if owner == who else None)
            if known is None:
                self._add(db, match_id, who, name, seat, role, "joined")
            else:
                self._rename(db, match_id, known, name, seat)
                if RANK[role] > RANK[known.role]:
                    self._give(db, match_id, known.number, role, "joined", known.number)
        return match_id

    def rename(self, match_id: str, who: str, name: str) -> None:
        """Gives a phone another name. Raises `NoMatch` for one that is not at the table."""
        with self._database.write() as db:
            _lock(db, match_id)
            self._rename(db, match_id, _at_table(db, match_id, who), name, None)

    def leave(self, match_id: str, who: str) -> None:
        """Takes a phone from the table by its own wish; an owner stays. Raises `NoMatch`."""
        with self._database.write() as db:
            _lock(db, match_id)
            known = _at_table(db, match_id, who)
            if known.role != OWNER:
                self._give(db, match_id, known.number, NOBODY, "left", known.number)

    # What the owner does --------------------------------------------------------------------------------------

    def start(self, match_id: str, who: str) -> None:
        """Shares a match for the first time: the owner's phone has a number now, and each role a link."""
        with self._database.write() as db:
            _lock(db, match_id)
            number = self._owner(db, match_id, who)
            known = set(db.scalars(select(link.c.role).where(link.c.match_id == match_id)))
            for role in (role for role in LINKS if role not in known):
                self._make(db, match_id, role, number)

    def renew(self, match_id: str, who: str, role: str) -> None:
        """Ends a role's link and makes another."""
        with self._database.write() as db:
            _lock(db, match_id)
            number = self._owner(db, match_id, who)
            self._end(db, match_id, role, number)
            self._make(db, match_id, role, number)

    def turn_off(self, match_id: str, who: str, role: str) -> None:
        """Ends a role's link. Who has joined by it stays."""
        with self._database.write() as db:
            _lock(db, match_id)
            self._end(db, match_id, role, self._owner(db, match_id, who))

    def give(self, match_id: str, who: str, number: int, role: str) -> None:
        """Gives a phone another role; `owner` hands the match over, and who had it goes on as a scorer.

        Without a role it is removed, and every link that is on is renewed, or it came back by one it knows.
        Raises `NoMatch` for a phone that is not at the table, or the owner's own.
        """
        with self._database.write() as db:
            _lock(db, match_id)
            by = self._owner(db, match_id, who)
            row = db.execute(_phones(match_id).where(phone.c.number == number, phone.c.role != NOBODY)).one_or_none()
            if row is None or number == by:
                raise NoMatch(match_id)
            self._give(db, match_id, number, role, "removed" if role == NOBODY else "given", by)
            if role == OWNER:
                self._give(db, match_id, by, SCORER, "given", by)
            if role == NOBODY:
                for each in LINKS:
                    if self._end(db, match_id, each, by):
                        self._make(db, match_id, each, by)

    def lock(self, match_id: str, who: str, locked: bool) -> None:
        """Locks the table, so that nobody but the owner writes, or unlocks it."""
        with self._database.write() as db:
            _lock(db, match_id)
            by = self._owner(db, match_id, who)
            if db.scalar(select(door.c.locked).where(door.c.match_id == match_id)) is None:
                db.execute(insert(door).values(match_id=match_id, locked=locked))
            else:
                db.execute(update(door).where(door.c.match_id == match_id).values(locked=locked))
            self._note(db, match_id, "locked" if locked else "unlocked", by=by)

    # Within a transaction -------------------------------------------------------------------------------------

    def _owner(self, db: Connection, match_id: str, who: str) -> int:
        """The number of the owner's phone, given one now if it has none. Raises `NoMatch` for anyone else."""
        known = _of(db, match_id, who)
        if known is None and db.scalar(select(match.c.owner).where(match.c.id == match_id)) == who:
            known = self._seat_owner(db, match_id, who)
        if known is None or known.role != OWNER:
            raise NoMatch(match_id)
        return known.number

    def _seat_owner(self, db: Connection, match_id: str, who: str) -> Phone:
        return self._add(db, match_id, who, "", None, OWNER, "began")

    def _add(
        self, db: Connection, match_id: str, who: str, name: str, seat: int | None, role: str, what: str
    ) -> Phone:
        number = (db.scalar(select(func.max(phone.c.number)).where(phone.c.match_id == match_id)) or 0) + 1
        if number > MOST_PHONES:
            raise TooManyPhones
        row = {"number": number, "who": who, "name": name, "seat": seat, "role": role}
        db.execute(insert(phone).values(match_id=match_id, joined_at=self._now(), **row))
        self._note(db, match_id, what, phone=number, role=role, by=number)
        return Phone(number, who, name, seat, role)

    def _rename(self, db: Connection, match_id: str, known: Phone, name: str, seat: int | None) -> None:
        given = {"name": name or known.name, "seat": known.seat if seat is None else seat}
        db.execute(
            update(phone).where(phone.c.match_id == match_id, phone.c.number == known.number).values(**given)
        )

    def _give(self, db: Connection, match_id: str, number: int, role: str, what: str, by: int) -> None:
        db.execute(update(phone).where(phone.c.match_id == match_id, phone.c.number == number).values(role=role))
        self._note(db, match_id, what, phone=number, role=role, by=by)

    def _make(self, db: Connection, match_id: str, role: str, by: int) -> None:
        salt, now = secrets.token_hex(16), self._now()
        kept = self._hash(self._code(salt))
        db.execute(
            insert(link).values(
                code=kept, match_id=match_id, role=role, salt=salt, made_at=now, ends_at=now + LASTS
            )
        )
        self._note(db, match_id, "link_made", role=role, by=by)

    def _end(self, db: Connection, match_id: str, role: str, by: int) -> bool:
        """Ends the links of this role; whether one was on."""
        now = self._now()
        on = and_(link.c.match_id == match_id, link.c.role == role, link.c.ends_at > now)
        if not db.execute(update(link).where(on).values(ends_at=now)).rowcount:
            return False
        self._note(db, match_id, "link_ended", role=role, by=by)
        return True

    def _note(self, db: Connection, match_id: str, what: str, **facts: Any) -> None:
        last = db.scalar(select(func.max(sharing_change.c.number)).where(sharing_change.c.match_id == match_id))
        row = {"match_id": match_id, "number": (last or 0) + 1, "what": what, "at": self._now()}
        db.execute(insert(sharing_change).values(**row, **facts))

    # Codes ----------------------------------------------------------------------------------------------------

    def _find(self, db: Connection, code: str) -> tuple[str, str]:
        plain = "".join(sign for sign in code.lower() if sign in ALPHABET)[: CODE_LENGTH + 1]
        row = db.execute(
            select(link.c.match_id, link.c.role).where(
                link.c.code == self._hash(plain), link.c.ends_at > self._now()
            )
        ).one_or_none()
        if row is None:
            raise BadCode
        return row.match_id, row.role

    def _code(self, salt: str) -> str:
        number = int.from_bytes(hmac.digest(self._key, b"code " + salt.encode(), "sha256"))
        signs = []
        for _ in range(CODE_LENGTH):
            number, sign = divmod(number, len(ALPHABET))
            signs.append(ALPHABET[sign])
        return "".join(signs)

    def _hash(self, code: str) -> str:
        return hmac.new(self._key, b"link " + code.encode(), hashlib.sha256).hexdigest()


def _lock(db: Connection, match_id: str) -> str:
    """Keeps others from changing who shares the match until the end of the transaction; its first owner."""
    owner: str | None = db.scalar(select(match.c.owner).where(match.c.id == match_id).with_for_update())
    if owner is None:
        raise NoMatch(match_id)
    return owner


def _phones(match_id: str) -> Any:
    return select(phone).where(phone.c.match_id == match_id)


def _phone(row: Row[Any]) -> Phone:
    return Phone(row.number, row.who, row.name, row.seat, row.role)


def _of(db: Connection, match_id: str, who: str) -> Phone | None:
    row = db.execute(_phones(match_id).where(phone.c.who == who)).one_or_none()
    return _phone(row) if row else None


def _at_table(db: Connection, match_id: str, who: str) -> Phone:
    known = _of(db, match_id, who)
    if known is None or known.role == NOBODY:
        raise NoMatch(match_id)
    return known
