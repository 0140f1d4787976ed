"""From a page to a response, and the few words that only a request can know."""

from __future__ import annotations

import json
from typing import Any

from flask import Response, current_app, flash, get_flashed_messages, request, url_for
from flask_wtf.csrf import generate_csrf

from scorekeeper.pages import words
from scorekeeper.pages.page import Page, render

from . import session


def respond(page: Page) -> Response:
    """The page as HTML in the reader's language. Half a surrogate pair, which an error may quote, becomes `?`."""
    return Response(html(page).encode("utf-8", "replace"), page.status, mimetype="text/html")


def html(page: Page) -> str:
    """The page's HTML with what surrounds it in this request."""
    return render(page, session.language(), around())


def around() -> dict[str, Any]:
    """What every template may use."""
    said: list[tuple[str, str]] = get_flashed_messages(with_categories=True)  # type: ignore[assignment]
    messages = [{"kind": kind, "text": text} for kind, text in said]
    return {"url_for": address, "csrf_token": generate_csrf, "theme": session.theme(), "messages": messages}


def address(endpoint: str, **values: Any) -> str:
    """`url_for`, with static files at the address that names their content."""
    if endpoint == "static":
        return str(current_app.extensions["asset_url"](values["filename"]))
    return url_for(endpoint, **values)


def stay(response: Response) -> Response:
    """Where a form leads, said to a script that sent it and goes there itself (static/js/save.js)."""
    if response.status_code == 303 and "X-Stay" in request.headers:
        response.status_code = 204
        response.set_data(b"")
    return response


def say(kind: str, message: str, **facts: Any) -> None:
    """Leaves a message (`good`, `bad`, `note`) for the next page, in the reader's language."""
    flash(words.catalogue(session.language()).gettext(message) % facts, kind)


def answer_json(value: Any, status: int = 200) -> Response:
    """A JSON answer. Half a surrogate pair, which UTF-8 does not have, is written as JSON's own escape."""
    text = json.dumps(value, ensure_ascii=False) + "\n"
    return Response(text.encode("utf-8", "backslashreplace"), status, mimetype="application/json")
