"""What a browser carries: who it is, its language and its theme, all in one signed cookie."""

from __future__ import annotations

import hashlib
import secrets

from flask import Flask, current_app, request, session

from scorekeeper.pages import words

THEMES = ("", "light", "dark")


def owner_of_token(token: str) -> str:
    """The owner's name in the event log: nobody who reads the database learns a token from it."""
    return hashlib.sha256(token.encode()).hexdigest()


def owner() -> str | None:
    """This browser's owner name, if it has made a match."""
    token = session.get("owner")
    return owner_of_token(token) if token else None


def become_owner() -> str:
    """This browser's owner name, given one now if it has none."""
    if "owner" not in session:
        session["owner"] = secrets.token_urlsafe(24)
    session.permanent = True
    return owner_of_token(session["owner"])


def languages() -> list[str]:
    """The languages on offer here."""
    return offered(current_app)


def offered(app: Flask) -> list[str]:
    """The languages of an app; the made-up one only where tests ask for it."""
    return [*words.LANGUAGES, *([words.PSEUDO] if app.config["PSEUDO"] else [])]


def language() -> str:
    """By choice, else by the browser's header, else English."""
    chosen = session.get("language")
    if chosen in languages():
        return str(chosen)
    return request.accept_languages.best_match(languages()) or words.SOURCE


def theme() -> str:
    """`light`, `dark`, or empty: as the phone has it."""
    return str(session.get("theme", ""))
