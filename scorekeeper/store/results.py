"""Seeds issued to accounts, the practice records played on them, and what became of those. Only ever added to."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, func, insert, select

from scorekeeper.core import ranking
from scorekeeper.store.database import Database
from scorekeeper.store.errors import BadSeed, TooManyWaiting
from scorekeeper.store.log import new_id, utc_now
from scorekeeper.store.tables import account, result, seed, verdict

VALID = timedelta(days=90)
SEED_BITS = 53  # what a number in JavaScript holds
MOST_WAITING = 5


@dataclass(frozen=True)
class Verdict:
    """What became of a record: the points it won, or why it does not count."""

    variant: str
    points: int | None = None
    code: str = ""
    place: str = ""
    message: str = ""


@dataclass(frozen=True)
class Result:
    """A record as it arrived. `verdict` is None while it waits."""

    id: str
    account_id: str
    record: dict[str, Any]
    at: datetime
    verdict: Verdict | None


@dataclass(frozen=True)
class Best:
    """An account's best result of a variant."""

    account_id: str
    name: str
    points: int


class Results:
    """The ranking's results in a database. Safe to share between threads."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def issue(self, account_id: str, count: int) -> list[tuple[int, datetime]]:
        """New seeds for an account, each with the moment until which it is valid."""
        at = self._now()
        seeds = [secrets.randbits(SEED_BITS) for _ in range(count)]
        with self._database.write() as db:
            db.execute(insert(seed), [{"seed": each, "account_id": account_id, "issued_at": at} for each in seeds])
        return [(each, at + VALID) for each in seeds]

    def submit(self, account_id: str, record: dict[str, Any]) -> Result:
        """Keeps a record that claims to be played on one of the account's seeds; the same one again is the first.

        A seed is used up by a match played to its end, won or not: after it all hands are known. A record that cannot
        be played again leaves it. Raises `errors.BadSeed`,
        `errors.TooManyWaiting`.
        """
        fingerprint = hashlib.sha256(json.dumps(record, sort_keys=True).encode("ascii")).hexdigest()
        with self._database.write() as db:
            # The lock that makes looking and writing one step where several processes write.
            issued = db.execute(select(seed).where(seed.c.seed == record["seed"]).with_for_update()).one_or_none()
            if issued is None or issued.account_id != account_id:
                raise BadSeed("seed_unknown")
            mine = result.c.account_id == account_id
            before = db.execute(_results().where(mine, result.c.seed == record["seed"])).all()
            for row in before:
                if row.fingerprint == fingerprint:
                    return _result(row)
            if any(row.points is not None or row.code == ranking.NOT_WON for row in before):
                raise BadSeed("seed_used")
            at = self._now()
            if at - issued.issued_at > VALID:
                raise BadSeed("seed_expired")
            waiting = select(func.count()).select_from(result.outerjoin(verdict)).where(mine, verdict.c.at.is_(None))
            if any(row.result_id is None for row in before) or (db.scalar(waiting) or 0) >= MOST_WAITING:
                raise TooManyWaiting
            made = Result(new_id(), account_id, record, at, None)
            values = {"id": made.id, "account_id": account_id, "seed": record["seed"], "fingerprint": fingerprint,
                      "record": record, "at": at}
            db.execute(insert(result).values(values))
            return made

    def get(self, account_id: str, result_id: str) -> Result | None:
        """A result of this account."""
        query = _results().where(result.c.id == result_id, result.c.account_id == account_id)
        with self._database.read() as db:
            row = db.execute(query).one_or_none()
        return _result(row) if row else None

    def of(self, account_id: str, limit: int | None = None) -> list[Result]:
        """The account's results, the newest first."""
        query = _results().where(result.c.account_id == account_id).order_by(result.c.at.desc(), result.c.id)
        with self._database.read() as db:
            return [_result(row) for row in db.execute(query.limit(limit))]

    def seeds_of(self, account_id: str) -> list[tuple[int, datetime]]:
        """The seeds issued to an account and when, oldest first."""
        query = select(seed.c.seed, seed.c.issued_at).where(seed.c.account_id == account_id)
        with self._database.read() as db:
            return [(row.seed, row.issued_at) for row in db.execute(query.order_by(seed.c.issued_at, seed.c.seed))]

    def waiting(self, besides: Collection[str] = ()) -> Result | None:
        """The result that has waited longest for its verdict."""
        query = _results().where(verdict.c.at.is_(None), result.c.id.not_in(besides))
        with self._database.read() as db:
            row = db.execute(query.order_by(result.c.at, result.c.id).limit(1)).one_or_none()
        return _result(row) if row else None

    def decide(self, result_id: str, found: Verdict) -> None:
        """Writes a verdict; the first one stands. Nothing happens if the result was deleted meanwhile."""
        row = {"result_id": result_id, "variant": found.variant, "points": found.points, "code": found.code or None,
               "place": found.place or None, "message": found.message or None, "at": self._now()}
        with self._database.write() as db:
            known = db.execute(_results().where(result.c.id == result_id).with_for_update(of=result)).one_or_none()
            if known is not None and known.result_id is None:
                db.execute(insert(verdict).values(row))

    def board(self, variant: str, limit: int) -> list[Best]:
        """The best result of each account in a variant, best first, equal ones by name."""
        best = _best(variant)
        query = select(best, account.c.name).join(account, account.c.id == best.c.account_id)
        with self._database.read() as db:
            rows = db.execute(query.order_by(best.c.points.desc(), account.c.plain).limit(limit)).all()
        return [Best(row.account_id, row.name, row.points) for row in rows]

    def place(self, variant: str, points: int) -> tuple[int, int]:
        """The place, from 1, of who has these points as their best, and how many have them."""
        best = _best(variant)
        higher = func.count().filter(best.c.points > points)
        same = func.count().filter(best.c.points == points)
        with self._database.read() as db:
            row = db.execute(select(higher, same).select_from(best)).one()
        return 1 + row[0], row[1]

    def best_of(self, account_id: str) -> dict[str, int]:
        """The account's best points by variant."""
        points = func.max(verdict.c.points).label("points")
        query = (select(verdict.c.variant, points).join(result, result.c.id == verdict.c.result_id)
                 .where(result.c.account_id == account_id, verdict.c.points.is_not(None)).group_by(verdict.c.variant))
        with self._database.read() as db:
            return {row.variant: row.points for row in db.execute(query)}


def _best(variant: str) -> Any:
    counted = (select(result.c.account_id, func.max(verdict.c.points).label("points"))
               .join(verdict, verdict.c.result_id == result.c.id)
               .where(verdict.c.variant == variant, verdict.c.points.is_not(None)))
    return counted.group_by(result.c.account_id).subquery()


def _results() -> Select[Any]:
    told = verdict.c
    query = select(result, told.result_id, told.variant, told.points, told.code, told.place, told.message)
    return query.select_from(result.outerjoin(verdict))


def _result(row: Row[Any]) -> Result:
    found = None
    if row.result_id is not None:
        found = Verdict(row.variant, row.points, row.code or "", row.place or "", row.message or "")
    return Result(row.id, row.account_id, row.record, row.at, found)
