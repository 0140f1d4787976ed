"""Old matches: out of the lists, never gone. They are reached by their address, and an event takes them back."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, select, update

from scorekeeper.store.database import Database
from scorekeeper.store.tables import event, match, newest

OLD = timedelta(days=548)  # 18 months without an event
TOGETHER = 500  # in one transaction, so that nobody who writes waits long


def archive(database: Database, now: datetime) -> int:
    """Archives what nobody has touched for `OLD`; the number of matches. Safe beside others that do or write."""
    untouched = newest(event.c.at) < now - OLD
    with database.read() as db:
        found = list(db.scalars(select(match.c.id).where(match.c.archived_at.is_(None), untouched)))
    done = 0
    for start in range(0, len(found), TOGETHER):
        some = match.c.id.in_(found[start : start + TOGETHER])
        with database.write() as db:
            # Who writes to a match now touches it; once we have its row, nobody does. So it is looked at again.
            free = list(db.scalars(select(match.c.id).where(some).with_for_update(skip_locked=True)))
            still = update(match).where(match.c.id.in_(free), match.c.archived_at.is_(None), untouched)
            done += db.execute(still.values(archived_at=now)).rowcount
    return done


def take_back(db: Connection, match_id: str) -> None:
    """Puts a match back into the lists, for a transaction that writes to it."""
    db.execute(update(match).where(match.c.id == match_id).values(archived_at=None))
