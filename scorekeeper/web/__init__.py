"""The server home: thin adapters from HTTP to pages and the event log."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask
from flask_compress import Compress
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper.store.log import Log
from scorekeeper.store.sharing import Sharing

from . import (
    accounts,
    api,
    assets,
    catalogues,
    device,
    errors,
    home,
    logs,
    match,
    metrics,
    practice,
    ranking,
    respond,
    security,
    share,
)
from .hub_redis import hub_of

MOST_BYTES = 512 * 1024  # a request's body: a match of a thousand rounds fits


class NotSet(RuntimeError):
    """A setting is missing that cannot be made up."""


def create(config: Mapping[str, Any], log: Log) -> Flask:
    """The Flask app on this event log. `config` holds what `app.settings` lists."""
    app = Flask("scorekeeper", root_path=config["ROOT"], static_folder=None)
    app.config.update(
        SECRET_KEY=_secret_key(config, log),
        SESSION_COOKIE_NAME="table",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=config["HTTPS"],
        PERMANENT_SESSION_LIFETIME=400 * 24 * 3600,
        MAX_CONTENT_LENGTH=MOST_BYTES,
        MAX_FORM_MEMORY_SIZE=MOST_BYTES,
        WTF_CSRF_TIME_LIMIT=None,  # a match may lie open on the table all evening
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_BR_LEVEL=5,
        **{name: value for name, value in config.items() if name != "SECRET_KEY"},
    )
    app.extensions["log"] = log
    app.extensions["hub"] = hub = hub_of(log, config["REDIS"])
    app.extensions["sharing"] = Sharing(log.database, str(app.config["SECRET_KEY"]))
    log.listen(hub.publish)
    catalogues.compile_stale()
    parts = (logs, metrics, security, errors, assets, device, home, match, share, practice, api, accounts, ranking)
    for part in parts:
        part.install(app)
    app.after_request(respond.stay)
    Compress(app)
    if config["HTTPS"] or config["PROXY"]:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1, x_proto=1)  # type: ignore[method-assign]
    return app


def _secret_key(config: Mapping[str, Any], log: Log) -> str:
    """The key that signs cookies: as set, or made once and kept beside a database that only one process has open.

    Raises `NotSet` where several processes may run, which must all have the same one.
    """
    if config["SECRET_KEY"]:
        return str(config["SECRET_KEY"])
    if log.database.shared:
        raise NotSet("Set SCOREKEEPER_SECRET to a long random text, the same for every process on this database.")
    data = Path(config["DATA"])
    file = data / "secret_key"
    if not file.exists():
        half = file.with_suffix(".half")
        half.touch(mode=0o600)
        half.write_text(secrets.token_hex(32))
        half.replace(file)  # a start that is cut short must not leave an empty key behind
    return file.read_text()
