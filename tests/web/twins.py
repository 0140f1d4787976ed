"""Apps for tests: one on the embedded database; on a shared one two, asked in turns, as if a proxy chose."""

from __future__ import annotations

from itertools import cycle
from typing import Any

from flask import Flask

from app import create_app

TWIN = "twin"


def create(config: dict[str, Any]) -> Flask:
    """An app. Where others may share its database one more is there, and every second request is that one's: what
    only one of them remembers, the tests miss."""
    app = create_app(config)
    if app.extensions["log"].database.shared:
        app.extensions[TWIN] = twin = create_app(config)
        turns = cycle((app.wsgi_app, twin.wsgi_app))
        app.wsgi_app = lambda environ, start: next(turns)(environ, start)  # type: ignore[method-assign,assignment]
    return app


def of(app: Flask) -> list[Flask]:
    """It, and its twin if it has one."""
    return [app, app.extensions[TWIN]] if TWIN in app.extensions else [app]


def close(app: Flask) -> None:
    """Ends what it has open."""
    for each in of(app):
        each.extensions["hub"].close()
        each.extensions["log"].close()
