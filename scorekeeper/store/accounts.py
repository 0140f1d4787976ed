"""The ranking's accounts: a name and a password's hash, nothing else about a person."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from scorekeeper.store.database import Database
from scorekeeper.store.errors import NameTaken
from scorekeeper.store.log import new_id, utc_now
from scorekeeper.store.tables import account, result, seed, verdict


@dataclass(frozen=True)
class Account:
    """An account. `password`: the hash, never shown; `stamp`: what a cookie must hold to be signed in."""

    id: str
    name: str
    created_at: datetime
    stamp: str
    password: str = field(repr=False)


def plain_name(name: str) -> str:
    """The name as names are told apart: without case, without other forms of the same signs, without invisible ones."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(sign for sign in folded if unicodedata.category(sign) != "Cf").split())


class Accounts:
    """The accounts in a database. Safe to share between threads."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def create(self, name: str, password: str) -> Account:
        """A new account; `password` is a hash. Raises `errors.NameTaken`."""
        made = Account(new_id(), name, self._now(), secrets.token_urlsafe(16), password)
        row = {"id": made.id, "name": name, "plain": plain_name(name), "password": password, "stamp": made.stamp,
               "created_at": made.created_at}
        try:
            with self._database.write() as db:
                _check_free(db, name, made.id)
                db.execute(insert(account).values(row))
        except IntegrityError:  # another process was faster
            raise NameTaken(name) from None
        return made

    def named(self, name: str) -> Account | None:
        """The account of this name, however it is written."""
        with self._database.read() as db:
            return _account(db, account.c.plain == plain_name(name))

    def get(self, account_id: str) -> Account | None:
        """The account with this id."""
        with self._database.read() as db:
            return _account(db, account.c.id == account_id)

    def rename(self, account_id: str, name: str) -> None:
        """Gives it another name. Raises `errors.NameTaken`."""
        try:
            with self._database.write() as db:
                _check_free(db, name, account_id)
                db.execute(update(account).where(account.c.id == account_id)
                           .values(name=name, plain=plain_name(name)))
        except IntegrityError:
            raise NameTaken(name) from None

    def set_password(self, account_id: str, password: str) -> None:
        """Keeps another hash of the password."""
        with self._database.write() as db:
            db.execute(update(account).where(account.c.id == account_id).values(password=password))

    def sign_out(self, account_id: str) -> None:
        """Signs out every browser that is signed in."""
        with self._database.write() as db:
            db.execute(update(account).where(account.c.id == account_id).values(stamp=secrets.token_urlsafe(16)))

    def delete(self, account_id: str) -> None:
        """Forgets the account with everything of it: seeds, records, verdicts, its rows on the leaderboard."""
        with self._database.write() as db:
            mine = select(result.c.id).where(result.c.account_id == account_id)
            db.execute(delete(verdict).where(verdict.c.result_id.in_(mine)))
            for table in (result, seed):
                db.execute(delete(table).where(table.c.account_id == account_id))
            db.execute(delete(account).where(account.c.id == account_id))


def _account(db: Connection, condition: Any) -> Account | None:
    row = db.execute(select(account).where(condition)).one_or_none()
    return Account(row.id, row.name, row.created_at, row.stamp, row.password) if row else None


def _check_free(db: Connection, name: str, account_id: str) -> None:
    same = exists().where(account.c.plain == plain_name(name), account.c.id != account_id)
    if db.scalar(select(same)):
        raise NameTaken(name)
