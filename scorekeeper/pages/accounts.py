"""The account pages: signing in and up, one's account; and what a name and a password may be."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.core.documents import NAME_LENGTH, read_name
from scorekeeper.core.errors import Invalid
from scorekeeper.core.variants import VARIANTS

from .page import Page

PASSWORD_SHORTEST, PASSWORD_LONGEST = 8, 200
# Marks that turn the direction of what follows (a name in a list is kept apart from others without them), and signs
# that look like nothing, which would make a name that looks like another's, or like none.
_UNSEEN = {*"\u200e\u200f\u061c\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0",
           *map(chr, range(0x180B, 0x1810)), *map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0000, 0xE0200))}


def read_account_name(text: str) -> str:
    """An account's name: as a player's, and without signs that are not seen. Raises `Invalid` at `name`."""
    name = read_name(text, "name")
    if _UNSEEN & set(name):
        raise Invalid("name_characters", "a name cannot hold signs that are not seen", "name")
    return name


def read_password(text: str, name: str) -> str:
    """A new password in the form that is kept: the same however a keyboard composes its signs.

    Raises `Invalid` at `password`: `password_short`, `password_long`, `password_is_name`.
    """
    password = plain_password(text)
    if len(password) < PASSWORD_SHORTEST:
        raise Invalid("password_short", "the password is too short", "password", least=PASSWORD_SHORTEST)
    if len(text) > PASSWORD_LONGEST:
        raise Invalid("password_long", "the password is too long", "password", most=PASSWORD_LONGEST)
    if password.casefold() == name.casefold():
        raise Invalid("password_is_name", "the password is the name", "password")
    return password


def plain_password(text: str) -> str:
    """A password as it is compared."""
    return unicodedata.normalize("NFKC", text[: PASSWORD_LONGEST + 1])


def sign_in_page(typed: Mapping[str, str], error: Invalid | None = None) -> Page:
    """The form for who has an account. `typed`: fields `name`; never the password."""
    return _form("accounts/sign_in.html", typed, error)


def sign_up_page(typed: Mapping[str, str], error: Invalid | None = None) -> Page:
    """The form for who has none."""
    return _form("accounts/sign_up.html", typed, error)


def account_page(account: Any, best: Mapping[str, int], results: Sequence[Any], typed: Mapping[str, str],
                 error: Invalid | None = None) -> Page:
    """One's own account: best results, the last records sent and what became of them, its name, its ways out.

    `account` has `id`, `name`; `best`: points by variant; `results` have `verdict` and `record`, the newest first.
    `error.at` is `name`, or `password` for the deletion.
    """
    context = {
        "account": account,
        "best": [(variant, best.get(key)) for key, variant in VARIANTS.items()],
        "results": results,
        "variants": VARIANTS,
        "typed": {"name": account.name, **typed},
        "error": error,
        "name_length": NAME_LENGTH,
    }
    return Page("accounts/account.html", context, 422 if error else 200)


def _form(template: str, typed: Mapping[str, str], error: Invalid | None) -> Page:
    context = {"account": None, "typed": {"name": typed.get("name", "")}, "error": error, "name_length": NAME_LENGTH,
               "shortest": PASSWORD_SHORTEST}
    return Page(template, context, 422 if error else 200)
