"""Structured logs, one JSON line a request: what was asked and how it went, never who plays."""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog
from flask import Flask, Response, g, request

log = structlog.get_logger()


def install(app: Flask) -> None:
    """Logs each request by its route's pattern, so that no id or name reaches the log."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            _where,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    app.before_request(_start)
    app.after_request(_end)


def _where(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """An exception's kinds and places, from the first cause on. Its message may quote a player's name."""
    error = event.pop("exc_info", None)
    trace = []
    while isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)
        trace.append(
            {
                "kind": type(error).__qualname__,
                "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
            }
        )
        error = error.__cause__ or error.__context__
    return {**event, "trace": trace[::-1]} if trace else event


def _start() -> None:
    g.started = time.perf_counter()


def _end(response: Response) -> Response:
    taken = round((time.perf_counter() - g.get("started", time.perf_counter())) * 1000, 1)
    rule = str(request.url_rule) if request.url_rule else "-"
    log.info("request", method=request.method, route=rule, status=response.status_code, ms=taken)
    return response
