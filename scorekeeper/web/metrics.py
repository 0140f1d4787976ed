"""Figures for Prometheus at /metrics, for whoever may see them; /readyz: whether this process can serve.

`SCOREKEEPER_METRICS`: empty, and only this machine may see them; `public`; or a token, to be sent as
`Authorization: Bearer …`.
"""

from __future__ import annotations

import hmac
import ipaddress
import time

from flask import Blueprint, Flask, Response, abort, current_app, g, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from scorekeeper.store import migrations

from . import home
from .hub import Hub
from .hub_redis import SharedHub
from .logs import log
from .respond import answer_json

blueprint = Blueprint("metrics", __name__)
PUBLIC = "public"
SHORTEST_TOKEN = 16
# Seconds: from a page that was ready to one that nobody waits for.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
FORWARDED = ("X-Forwarded-For", "X-Real-Ip", "Forwarded")


def install(app: Flask) -> None:
    """Counts every request by its route's pattern, and adds the two addresses. ValueError for a token too short."""
    allowed = app.config["METRICS"]
    if allowed not in ("", PUBLIC) and len(allowed) < SHORTEST_TOKEN:
        raise ValueError(f"SCOREKEEPER_METRICS: public, or a token of at least {SHORTEST_TOKEN} characters")
    # One registry an app: several in one process (as in tests) count apart.
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    taken = Histogram("scorekeeper_request_seconds", "Time to an answer, without streams", ["method", "route"],
                      buckets=BUCKETS, registry=registry)
    answers = Counter("scorekeeper_answers", "Answers, without streams", ["method", "route", "status"],
                      registry=registry)
    streams = Gauge("scorekeeper_streams", "Open streams", registry=registry)
    streams.set_function(lambda: _hub(app).open)
    linked = Gauge("scorekeeper_linked", "1 where other processes are heard of at once, through Redis",
                   registry=registry)
    linked.set_function(lambda: getattr(_hub(app), "linked", False))

    def count(response: Response) -> Response:
        route = str(request.url_rule) if request.url_rule else "-"
        # What nobody has an address for may be asked with any word for a method.
        method = request.method if request.url_rule else "-"
        taken.labels(method, route).observe(time.perf_counter() - g.get("started", time.perf_counter()))
        answers.labels(method, route, response.status_code).inc()
        return response

    app.after_request(count)
    app.extensions["metrics"] = registry
    app.register_blueprint(blueprint)


def _hub(app: Flask) -> Hub:
    hub: Hub = app.extensions["hub"]
    return hub


@blueprint.get("/metrics")
def metrics() -> Response:
    if not _may_see():
        abort(404)
    return Response(generate_latest(current_app.extensions["metrics"]), content_type=CONTENT_TYPE_LATEST)


def _may_see() -> bool:
    allowed = current_app.config["METRICS"]
    if allowed == PUBLIC:
        return True
    if allowed:
        given = request.headers.get("Authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {allowed}".encode())
    # A proxy on this machine asks from this machine too, for anybody.
    return not any(name in request.headers for name in FORWARDED) and _is_local(request.remote_addr)


def _is_local(address: str | None) -> bool:
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False


@blueprint.get("/readyz")
def readyz() -> Response:
    """200 once the database answers and has our tables, 503 otherwise. Redis away is said, and is no hindrance."""
    try:
        with home.log().database.read() as db:
            database = migrations.present(db) == migrations.STEPS[-1]
    except Exception as error:
        log.error("not ready", exc_info=error)
        database = False
    hub = _hub(current_app)
    linked = hub.linked if isinstance(hub, SharedHub) else None
    return answer_json({"database": database, "linked": linked}, 200 if database else 503)
