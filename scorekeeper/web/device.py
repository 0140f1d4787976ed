"""What a browser needs to play without this server: the engine, where it lies, and the service worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, url_for
from whitenoise import WhiteNoise

from scorekeeper.core.variants import VARIANTS

from . import assets, runtime
from .respond import answer_json

PREFIX = "/runtime/"


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
    """Every page of practice, with each choice that makes another page."""
    yield from (url_for("practice.choose"), url_for("practice.table"))
    for variant in VARIANTS.values():
        yield url_for("practice.choose", variant=variant.key)
        tables = variant.played_by or variant.seats
        for seats in tables if len(tables) > 1 else ():
            yield url_for("practice.choose", variant=variant.key, seats=seats)


def service_worker() -> Response:
    """static/js/sw.js at the top of the site, which is what it looks after."""
    file = Path(current_app.config["ROOT"]) / "static" / "js" / "sw.js"
    response = _fresh(Response(file.read_text("utf-8"), mimetype="text/javascript"))
    response.headers["Service-Worker-Allowed"] = "/"
    return response


def _fresh(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-cache"
    return response
