"""The tables: the event log, the ranking's accounts, and who shares a match. Nothing computed is stored of a match:
totals, standings and its state are folds.

A change here needs a new file in migrations/versions/; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    ScalarSelect,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    select,
)


class Moment(TypeDecorator[datetime]):
    """A moment in UTC; aware in Python also where the database forgets the zone, as SQLite does."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Naive moments are refused (ValueError): nobody knows what they mean."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# `key`: of the call that created the match, so that a repeated call finds it. The unique constraint's index
# begins with the owner and so serves "all matches of an owner" too. The row is also what an append locks.
# `archived_at`: since when it has been out of the lists, because nobody touched it for long; an event takes it back.
match = Table(
    "match",
    metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("archived_at", Moment),
    UniqueConstraint("owner", "key"),
)

# `version`: 1, 2, 3… within a match, without a gap. The events of one call stand side by side; the first has
# the call's `key` and `fingerprint`, the others have none: where a batch ends can be read from that.
event = Table(
    "event",
    metadata,
    Column("match_id", Text, ForeignKey("match.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("key", Text),
    Column("fingerprint", Text),
    Column("type", Text, nullable=False),
    Column("body", JSON, nullable=False),
    Column("by", Text),
    Column("at", Moment, nullable=False),
    UniqueConstraint("match_id", "key"),
)

# Who is ranked. `plain`: the name as names are told apart. `stamp`: in every cookie signed in, so that a new one signs
# them all out.
account = Table(
    "account",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("plain", Text, nullable=False),
    Column("password", Text, nullable=False),
    Column("stamp", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("plain"),
)

# The seeds that the server has issued, each to one account.
seed = Table(
    "seed",
    metadata,
    Column("seed", BigInteger, primary_key=True, autoincrement=False),
    Column("account_id", Text, ForeignKey("account.id"), nullable=False),
    Column("issued_at", Moment, nullable=False),
    Index(None, "account_id"),
)

# Practice records as they arrived; `fingerprint` tells one that is sent again. One without a verdict waits for it.
result = Table(
    "result",
    metadata,
    Column("id", Text, primary_key=True),
    Column("account_id", Text, ForeignKey("account.id"), nullable=False),
    Column("seed", BigInteger, ForeignKey("seed.seed"), nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("record", JSON, nullable=False),
    Column("at", Moment, nullable=False),
    UniqueConstraint("account_id", "seed", "fingerprint"),
)

# What became of a result once it was played again: `points`, or why it does not count (`code`, `place`, `message`).
verdict = Table(
    "verdict",
    metadata,
    Column("result_id", Text, ForeignKey("result.id"), primary_key=True),
    Column("variant", Text, nullable=False),
    Column("points", Integer),
    Column("code", Text),
    Column("place", Text),
    Column("message", Text),
    Column("at", Moment, nullable=False),
    Index(None, "variant", "points"),
)

# The phones at a table, numbered as they came; that of a match's owner is here once the match is shared. `who`: the
# browser, as `match.owner` names it. `role`: owner, scorer, watcher, or empty once it was withdrawn.
phone = Table(
    "phone",
    metadata,
    Column("match_id", Text, ForeignKey("match.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("who", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("seat", Integer),
    Column("role", Text, nullable=False),
    Column("joined_at", Moment, nullable=False),
    UniqueConstraint("match_id", "who"),
    Index(None, "who"),
)

# The codes by which phones join, each as a keyed hash: who reads the database cannot join. `salt` is what the server
# makes the code from again, with its key, to show it. A link that is turned off or renewed ends then.
link = Table(
    "link",
    metadata,
    Column("code", Text, primary_key=True),
    Column("match_id", Text, ForeignKey("match.id"), nullable=False),
    Column("role", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("ends_at", Moment, nullable=False),
    Index(None, "match_id"),
)

# Whether only the owner may write.
door = Table(
    "door",
    metadata,
    Column("match_id", Text, ForeignKey("match.id"), primary_key=True),
    Column("locked", Boolean, nullable=False),
)

# What happened to a match's sharing, append-only: who was given which role when and by whose phone, when it was
# withdrawn, when a link was made or ended, when the table was locked.
sharing_change = Table(
    "sharing_change",
    metadata,
    Column("match_id", Text, ForeignKey("match.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("what", Text, nullable=False),
    Column("phone", Integer),
    Column("role", Text),
    Column("by", Integer),
    Column("at", Moment, nullable=False),
)


def newest(column: Column[Any]) -> ScalarSelect[Any]:
    """A column of the newest event of each match of a query: one look into the primary key for each."""
    events = select(column).where(event.c.match_id == match.c.id)
    return events.order_by(event.c.version.desc()).limit(1).scalar_subquery()


def last_changed_first() -> tuple[ColumnElement[Any], ...]:
    """The order of lists of matches."""
    return newest(event.c.at).desc(), match.c.created_at.desc(), match.c.id
