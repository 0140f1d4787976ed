"""Errors as people see them: a calm page with a way home; and as programs do: JSON with a code and a place."""

from __future__ import annotations

from flask import Flask, Response, request
from flask_wtf.csrf import CSRFError, generate_csrf
from werkzeug.exceptions import HTTPException

from scorekeeper.core.options import N_
from scorekeeper.pages import words
from scorekeeper.pages.page import Page
from scorekeeper.store.errors import NoMatch

from . import session
from .logs import log
from .respond import answer_json, respond

TEXTS = {
    400: (N_("That did not work"), N_("The page was too old to be sent. Go back, reload it and try again.")),
    403: (N_("Only looking on"), N_("This phone may look on here, not write. The owner of the match can change that.")),
    404: (N_("Nothing here"), N_("This match does not exist, or it belongs to another phone.")),
    405: (N_("That did not work"), N_("This address takes another kind of request.")),
    413: (N_("Too large"), N_("That is more than a match can be.")),
    429: (N_("Too fast"), N_("That was a lot at once. Wait a moment and try again.")),
    500: (N_("Our mistake"), N_("Something broke here. What was saved before is safe; try again.")),
}
TOKEN = "X-CSRF-Token"
# Where programs ask, and the scripts of our own pages.
JSON = ("/api/", "/practice/step", "/practice/seeds", "/practice/results")


def install(app: Flask) -> None:
    """Answers every error in the way of the part of the app that was asked."""
    app.register_error_handler(NoMatch, lambda error: _answer(404, "not_found", "no such match"))
    app.register_error_handler(CSRFError, _without_token)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unforeseen)


def _without_token(error: CSRFError) -> Response:
    """With a token that will do, which only our own pages can read: theirs was too old, or made on a phone."""
    response = _answer(400, "csrf", error.description or "CSRF")
    response.headers[TOKEN] = generate_csrf()
    return response


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    if status < 400:
        return error.get_response()  # type: ignore[return-value]
    response = _answer(status, error.name.lower().replace(" ", "_"), error.description or "")
    for name, value in error.get_headers():
        if name in ("Allow", "WWW-Authenticate"):
            response.headers[name] = value
    return response


def _unforeseen(error: Exception) -> Response:
    log.error("unforeseen", exc_info=error)
    return _answer(500, "internal", "something broke on the server")


def _answer(status: int, code: str, message: str) -> Response:
    if request.path.startswith(JSON):
        return answer_json({"error": {"code": code, "message": message, "at": ""}}, status)
    title, text = TEXTS.get(status, TEXTS[400 if status < 500 else 500])
    _ = words.catalogue(session.language()).gettext
    return respond(Page("error.html", {"code": status, "title": _(title), "text": _(text)}, status))
