"""What a browser needs to play without this server: the engine, where it lies, and the service worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, request, url_for
from whitenoise import WhiteNoise

from scorekeeper.core.variants import VARIANTS
from scorekeeper.pages.page import Page
from scorekeeper.pages.typed import number

from . import access, assets, runtime
from .access import WATCH
from .home import log
from .respond import answer_json, respond
from .share import here, names

PREFIX = "/runtime/"
SHELL = "/shell"


def install(app: Flask) -> None:
    """Serves what `make runtime` built under names that say their content, and the two addresses that never change."""
    root = Path(app.config["ROOT"])
    found = runtime.built(root)
    app.extensions["runtime"] = found
    if found:
        app.wsgi_app = WhiteNoise(  # type: ignore[method-assign]
            app.wsgi_app,
            root=str(runtime.folder(root)),
            prefix=PREFIX,
            max_age=assets.YEAR,
            immutable_file_test=lambda *_: True,
            allow_all_origins=False,
            add_headers_function=assets.headers,
            mimetypes={".mjs": "text/javascript", ".wasm": "application/wasm"},
        )
    app.add_url_rule("/runtime.json", "device.runtime", told)
    app.add_url_rule("/sw.js", "device.service_worker", service_worker)
    app.add_url_rule(SHELL, "device.shell", shell)
    app.add_url_rule("/m/<match_id>/events.json", "device.events", events)


def told() -> Response:
    """Where the engine, the app's code for it and the static files lie; `{"engine": null}` where it was not built."""
    found = current_app.extensions["runtime"]
    return _fresh(answer_json(addresses(found) if found else {"engine": None}))


def addresses(found: dict[str, Any]) -> dict[str, Any]:
    """For static/js/worker.js and static/js/sw.js."""
    static = current_app.extensions["asset_url"]
    return {
        "engine": f"{PREFIX}{found['engine']}/",
        "library": f"{PREFIX}{found['engine']}/{runtime.LIBRARY}",
        "app": f"{PREFIX}{found['app']}",
        "lock": found["lock"],
        "home": home(),
        "bytes": found["unpacked"],
        "pages": list(_pages()),
        "files": [PREFIX + name for name in found["files"]] + [static(name) for name in assets.names(current_app)],
    }


def home() -> dict[str, Any]:
    """Where this server keeps things, for scorekeeper/device.py."""
    rules = current_app.url_map.iter_rules()
    return {
        "static": current_app.extensions["asset_url"](""),
        "addresses": {rule.endpoint: rule.rule for rule in rules},
    }


def _pages() -> Iterator[str]:
    """The shell; and every page of practice, with each choice that makes another page."""
    yield SHELL
    yield from (url_for("practice.choose"), url_for("practice.table"))
    for variant in VARIANTS.values():
        yield url_for("practice.choose", variant=variant.key)
        tables = variant.played_by or variant.seats
        for seats in tables if len(tables) > 1 else ():
            yield url_for("practice.choose", variant=variant.key, seats=seats)


def shell() -> Response:
    """The page that stands in for all that a device draws itself (static/js/router.js)."""
    return respond(Page("shell.html"))


def events(match_id: str) -> Response:
    """What a phone keeps of a match to go on with it alone: its events after `since`, what this phone is to it, and
    the phones' names. For whoever may see it."""
    found = access.need(WATCH, match_id)
    since = number(request.args.get("since", "")) or 0
    told = [stored.as_event() for stored in log().read(match_id, since)]
    return _fresh(
        answer_json(
            {
                "id": match_id,
                "since": since,
                "events": told,
                "here": here(match_id),
                "phones": names(match_id),
                "me": None if found.number is None else str(found.number),
            }
        )
    )


def service_worker() -> Response:
    """static/js/sw.js at the top of the site, which is what it looks after."""
    file = Path(current_app.config["ROOT"]) / "static" / "js" / "sw.js"
    response = _fresh(Response(file.read_text("utf-8"), mimetype="text/javascript"))
    response.headers["Service-Worker-Allowed"] = "/"
    return response


def _fresh(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-cache"
    return response
