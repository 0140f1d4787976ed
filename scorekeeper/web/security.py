"""CSRF, the Content-Security-Policy and its kin, and limits on writes."""

from __future__ import annotations

import time
from typing import Any

from flask import Flask, Response, g, request
from flask_limiter import Limiter, RequestLimit
from flask_limiter.util import get_remote_address
from flask_wtf import CSRFProtect

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "connect-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
# Seconds: nobody waits long for a counter.
PATIENCE: dict[str, Any] = {"socket_connect_timeout": 0.3, "socket_timeout": 0.3}
csrf = CSRFProtect()


def install(app: Flask) -> None:
    """Protects every form, limits writes per address, and adds the headers to every answer."""
    csrf.init_app(app)
    redis = app.config["REDIS"]
    Limiter(
        get_remote_address,
        app=app,
        application_limits=[app.config["WRITES"]],
        # Where there is Redis, all processes count together; while it is away, each for itself.
        storage_uri=redis or "memory://",
        storage_options=PATIENCE if redis else {},
        in_memory_fallback_enabled=bool(redis),
        swallow_errors=bool(redis),
        application_limits_exempt_when=lambda: request.method in ("GET", "HEAD", "OPTIONS"),
        on_breach=_breached,
    )
    app.after_request(_headers)


def _breached(limit: RequestLimit) -> None:
    g.retry_after = max(1, limit.reset_at - int(time.time()))


def _headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "home.manifest":
        response.headers.setdefault("Cache-Control", "no-store")
    if response.status_code == 429 and "retry_after" in g:
        response.headers["Retry-After"] = str(g.retry_after)  # seconds
    return response
