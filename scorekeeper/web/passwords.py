"""Passwords as Argon2 hashes. A name that nobody has costs as much to refuse as a wrong password."""

from __future__ import annotations

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_hasher = PasswordHasher()
# Each takes 64 MiB for a tenth of a second: a crowd waits in line instead of filling the memory.
_slots = threading.BoundedSemaphore(2)
# The hash of a password that nobody knows, made with the settings above (a test says when those change).
NOBODYS = "$argon2id$v=19$m=65536,t=3,p=4$/GHiP7jT2PK8p1srKZ8j9A$GVwxwVAqZw1cwhzYLJ486IWfuS8vymUQjSKs/lSGyxY"


def hash_of(password: str) -> str:
    """What is kept of a password."""
    with _slots:
        return _hasher.hash(password.encode("utf-8", "surrogatepass"))


def fits(kept: str | None, password: str) -> bool:
    """Whether it is the password that `kept` was made of; None, for no account, never is and takes as long."""
    with _slots:
        try:
            right = _hasher.verify(kept or NOBODYS, password.encode("utf-8", "surrogatepass"))
        except (VerificationError, InvalidHashError):
            return False
    return right and kept is not None


def outdated(kept: str) -> bool:
    """Whether it was made with settings of another time, and should be made anew."""
    return _hasher.check_needs_rehash(kept)
