"""The app: `python app.py` serves it, `create_app` builds it for a test or another server."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Flask

from scorekeeper import commands
from scorekeeper.core import events
from scorekeeper.store.errors import InUse, TooNew
from scorekeeper.store.log import Log
from scorekeeper.web import NotSet, create

ROOT = Path(__file__).parent
GRACE = 3  # seconds that a request has to end when the process is told to stop; streams end at once


def create_app(config: Mapping[str, Any] | None = None, store: Log | None = None) -> Flask:
    """The Flask app. `config` overrides the settings of `settings()`; without `store` the embedded database is used."""
    chosen = settings() | dict(config or {})
    data = Path(chosen["DATA"])
    data.mkdir(parents=True, exist_ok=True)
    return create(chosen, store or open_log(chosen))


def open_log(chosen: Mapping[str, Any]) -> Log:
    """The event log that the settings name."""
    return Log(address(chosen), events.check)


def address(chosen: Mapping[str, Any]) -> str:
    """Where the database is: as set, or in the data folder."""
    return str(chosen["DATABASE"]) or f"sqlite:///{Path(chosen['DATA']) / 'scorekeeper.db'}"


def settings(environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """The settings from the environment: SCOREKEEPER_DATA, _DATABASE, _REDIS, _SECRET, _PROXY, _METRICS, _HTTPS,
    _WRITES and _PSEUDO."""
    return {
        "DATABASE": environ.get("SCOREKEEPER_DATABASE") or "",
        "REDIS": environ.get("SCOREKEEPER_REDIS") or "",
        "SECRET_KEY": environ.get("SCOREKEEPER_SECRET") or "",
        "PROXY": environ.get("SCOREKEEPER_PROXY") == "1",
        "METRICS": environ.get("SCOREKEEPER_METRICS") or "",
        "DATA": environ.get("SCOREKEEPER_DATA") or str(ROOT / "var"),
        "HTTPS": environ.get("SCOREKEEPER_HTTPS") == "1",
        "WRITES": environ.get("SCOREKEEPER_WRITES") or "240 per minute",
        "PSEUDO": environ.get("SCOREKEEPER_PSEUDO") == "1",
        "ROOT": str(ROOT),
    }


def main(arguments: Sequence[str] = ()) -> None:
    """Serves the app with uvicorn at HOST and PORT (127.0.0.1 and 8000), Flask in a pool of eight threads. With
    arguments it does what they say instead (scorekeeper/commands.py)."""
    if arguments:
        chosen = settings()
        chosen["DATABASE"] = address(chosen)
        sys.exit(commands.run(arguments, chosen, lambda: open_log(chosen)))
    import uvicorn
    from a2wsgi import WSGIMiddleware

    from scorekeeper.web import archiving
    from scorekeeper.web.live import Site, Streams
    from scorekeeper.web.server import Server

    host, port = os.environ.get("HOST") or "127.0.0.1", int(os.environ.get("PORT") or 8000)
    as_many_files_as_may_be()
    try:
        app = create_app()
    except (InUse, NotSet, TooNew) as error:
        sys.exit(str(error))
    archiving.start(app.extensions["log"])
    for each in addresses(host):
        print(f"The table is set: http://{each}:{port}/", flush=True)
    pages: Any = WSGIMiddleware(ends_by_itself(app.wsgi_app), workers=8)
    config = uvicorn.Config(
        Site(Streams(app), pages),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=GRACE,
        lifespan="off",
        proxy_headers=False,
    )
    Server(config, app.extensions["hub"]).run()


def as_many_files_as_may_be() -> None:
    """Each stream is an open file, and a shell usually lets a process have 1,024 until it asks for more."""
    try:
        import resource
    except ImportError:  # not everywhere
        return
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def ends_by_itself(app: Any) -> Any:
    """Tells the app that a body ends by itself, so that one without a Content-Length is read, up to its limit."""

    def wrapped(environ: dict[str, Any], start_response: Any) -> Any:
        return app({**environ, "wsgi.input_terminated": True}, start_response)

    return wrapped


def addresses(host: str) -> list[str]:
    """What to type into a browser to reach `host`; for all interfaces, also where this machine is in its network."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing. The machine's own name would not do: Debian gives it 127.0.1.1, others nothing at all.
            probe.connect(("192.0.2.1", 9))
        except OSError:  # no network
            return ["127.0.0.1"]
        return ["127.0.0.1", str(probe.getsockname()[0])]


if __name__ == "__main__":
    main(sys.argv[1:])
