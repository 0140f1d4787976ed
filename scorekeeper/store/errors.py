"""What the log refuses, each with the facts a caller needs to answer well."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.store.log import Stored


class NoMatch(LookupError):
    """There is no match with this id: `match_id` (HTTP: 404)."""

    def __init__(self, match_id: str) -> None:
        super().__init__(f"no match {match_id!r}")
        self.match_id = match_id


class Conflict(Exception):
    """The match is not at the version the caller had seen (HTTP: 409). Nothing was written.

    `version`: where the match is now. `since`: the events after the version the caller expected, oldest
    first; empty if the caller expected a version that does not exist yet.
    """

    def __init__(self, version: int, since: list[Stored]) -> None:
        super().__init__(f"the match is at version {version}")
        self.version = version
        self.since = since


class KeyReused(Exception):
    """The key was used before, for other events: `key` (HTTP: 422). Nothing was written."""

    def __init__(self, key: str) -> None:
        super().__init__(f"key {key!r} was used before, for something else")
        self.key = key


class InUse(RuntimeError):
    """Another process, or another `Log` of this one, has the database file open."""


class TooNew(RuntimeError):
    """The database was written by a newer version of the app, which this one cannot read."""


class NotABackup(RuntimeError):
    """The file is none that `backup` made, or it is damaged. Nothing was changed."""


class NameTaken(Exception):
    """Another account has this name, or one that is read the same: `name`. Nothing was written."""

    def __init__(self, name: str) -> None:
        super().__init__("this name is taken")
        self.name = name


class BadSeed(Exception):
    """A record's seed was not issued to the account (`seed_unknown`), too long ago (`seed_expired`), or another
    match was played to its end on it (`seed_used`): `code`. Nothing was written."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class TooManyWaiting(Exception):
    """The account has as many results waiting for their verdict as it may, or one on this seed. Nothing was written."""


class BadCode(LookupError):
    """No link that is on has this code: it is wrong, it was turned off or renewed, or its time is over. Which of these
    is not told."""


class TooManyPhones(Exception):
    """As many phones have joined this match as may. Nothing was written."""
