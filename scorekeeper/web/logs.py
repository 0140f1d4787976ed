"""Structured logs, one JSON line a request: what was asked and how it went, never who plays."""

from __future__ import annotations

import logging
import sys
import time

import structlog
from flask import Flask, Response, g, request

log = structlog.get_logger()


def install(app: Flask) -> None:
    """Logs each request by its route's pattern, so that no id or name reaches the log."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    app.before_request(_start)
    app.after_request(_end)


def _start() -> None:
    g.started = time.perf_counter()


def _end(response: Response) -> Response:
    taken = round((time.perf_counter() - g.get("started", time.perf_counter())) * 1000, 1)
    rule = str(request.url_rule) if request.url_rule else "-"
    log.info("request", method=request.method, route=rule, status=response.status_code, ms=taken)
    return response
