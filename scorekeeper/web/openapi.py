"""The API's OpenAPI 3.1 document, built from the core's own schemas: a new variant appears in it by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorekeeper.core import schema
from scorekeeper.core.variants import VARIANTS

from . import openapi_schemas as schemas
from .openapi_schemas import Schema

PREFIX = "/api/v1"
TOKEN_PATTERN = r"[A-Za-z0-9._~+/=-]{20,200}"
KEY_PATTERN = r"[ -~]{1,64}"
MOST_NUMBER = 999_999_999
MOST_MATCHES = 100  # on one page of a list

INTRO = """\
Everything is JSON. A match is a list of events that only grows; its `version` is their number.

**Who asks.** `Authorization: Bearer <token>`. A token is a secret of 20 to 200 characters: make one yourself, or
take the one that comes with your first match. Matches belong to a token; for others they do not exist (404).

**Writing.** Say which version you have seen (`expected`) and give each thing you do a new `key`. If the answer is
lost, ask again with the same key: nothing is done twice, and you get the first answer again (`replayed`). If
somebody was faster, the answer is 409 with what happened since. To create a match only once, send a token and a key.

**Errors.** `{"error": {"code", "message", "at"}}`: a stable code, a message for programmers, and the place in what
was sent (`document.rounds[1].hands[2]`), empty for the whole. Nothing is half-accepted.
"""

_NAMES = ("Ani", "Budi", "Citra", "Dewi", "Eka", "Fajar", "Gita", "Hadi", "Indah", "Joko")
_DOMINO: Schema = {"ended": "domino", "by": 0, "hands": [[], ["2-2"], 10, ["4-5"]]}
_BLOCKED: Schema = {"ended": "blocked", "hands": [["3-3"], ["2-2"], ["5-5"], ["4-4"]]}
_PLAYED = {
    "format": "scorekeeper/1",
    "variant": "block",
    "players": ["Ani", "Budi", "Citra", "Dewi"],
    "rules": {"target": 100},
    "rounds": [_DOMINO, _BLOCKED],
}
_EXAMPLE_EVENTS: dict[str, Any] = {
    "round": {"type": "round_entered", "round": _BLOCKED},
    "correct": {"type": "round_corrected", "id": 2, "round": {**_DOMINO, "hands": [[], 4, 10, 11]}},
    "void": {"type": "round_voided", "id": 2},
    "rename": {"type": "player_renamed", "seat": 0, "name": "Agus"},
    "rules": {"type": "rules_changed", "rules": {"target": 150}},
    "opener": {"type": "opener_set", "seat": 3},
    "stakes": {"type": "stakes_set", "stakes": {"amount": 500, "unit": "Rp"}},
    "undo": {"type": "undone"},
    "finish": {"type": "finished"},
}


def document() -> Schema:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Scorekeeper", "version": "1", "description": INTRO, "license": {"name": "MIT"}},
        "jsonSchemaDialect": schema.DIALECT,
        "servers": [{"url": PREFIX}],
        "paths": _paths(),
        "components": {
            "schemas": schemas.everything(),
            "responses": {name: _error(name, text) for name, text in _ERRORS.items()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def examples() -> dict[str, Any]:
    """Match documents to begin with: one that was played, and one with nothing played for each variant."""
    fresh = {
        key: {"format": "scorekeeper/1", "variant": key, "players": list(_NAMES[: variant.seats[0]])}
        for key, variant in VARIANTS.items()
    }
    return {"played": _PLAYED, **fresh}


# Answers ----------------------------------------------------------------------------------------------------

# What may go wrong.
_ERRORS = {
    "BadRequest": "Not JSON, or JSON that could be read in two ways (`not_json`, `not_utf8`, `key_twice`, `too_deep`).",
    "Unauthorized": "The token is missing or cannot be one.",
    "Forbidden": "You may look on, not write: by a link to watch, or the owner has locked the table.",
    "NotFound": "There is no such match, or it is not yours.",
    "Conflict": "Somebody was faster: the version now, and the events since the one expected.",
    "TooLarge": "More than a request may hold.",
    "NotJsonType": "The body must be `application/json`.",
    "Invalid": "Against the rules: a code and a place.",
    "TooFast": "Too many writes; `Retry-After` says how many seconds to wait.",
}
_ERROR_HEADERS = {
    "Unauthorized": {"WWW-Authenticate": {"schema": {"type": "string"}, "required": True}},
    "TooFast": {"Retry-After": {"schema": {"type": "integer", "minimum": 1}, "required": True}},
}
_BODY = {"400": "BadRequest", "413": "TooLarge", "415": "NotJsonType", "422": "Invalid", "429": "TooFast"}
_MINE = {"401": "Unauthorized", "404": "NotFound"}


def _error(name: str, text: str) -> Schema:
    told = _gives(text, schemas.ref("Conflict" if name == "Conflict" else "Error"))
    return told | ({"headers": _ERROR_HEADERS[name]} if name in _ERROR_HEADERS else {})


def _fails(*groups: Mapping[str, str]) -> Schema:
    return {status: {"$ref": f"#/components/responses/{name}"} for group in groups for status, name in group.items()}


def _gives(text: str, body: Schema) -> Schema:
    return {"description": text, "content": {"application/json": {"schema": body}}}


def _kept(text: str, body: Schema) -> Schema:
    """The answers of a GET that a client may ask for again."""
    tag = {"ETag": {"schema": {"type": "string"}, "required": True}}
    return {
        "200": {**_gives(text, body), "headers": tag},
        "304": {"description": "You have it: as it was under `If-None-Match`.", "headers": tag},
    }


# Operations -------------------------------------------------------------------------------------------------

_TOKEN: list[Schema] = [{"token": []}]
_MATCH_ID: Schema = {"name": "match_id", "in": "path", "required": True, "schema": schemas.MATCH_ID}
_IF_NONE_MATCH: Schema = {"name": "If-None-Match", "in": "header", "schema": {"type": "string"}}


def _number(name: str, text: str, low: int, high: int, default: int) -> Schema:
    kind = {"type": "integer", "minimum": low, "maximum": high, "default": default}
    return {"name": name, "in": "query", "description": text, "schema": kind}


def _paths() -> Schema:
    return {
        "/openapi.json": {"get": _get("getOpenapi", "This document", {"type": "object"})},
        "/schema/match.json": {
            "get": _get("getMatchSchema", "The JSON Schema of a match document", {"type": "object"})
        },
        "/schema/tally.json": {"get": _get("getTallySchema", "The JSON Schema of a tally", {"type": "object"})},
        "/tally": {
            "post": _post(
                "tally",
                "The tally of a match document; nothing is kept",
                schemas.ref("MatchDocument"),
                examples(),
                {"200": _gives("The tally", schemas.ref("Tally"))},
                security=[],
            )
        },
        "/matches": {"get": _list_operation(), "post": _create_operation()},
        "/matches/{match_id}": {
            "parameters": [_MATCH_ID],
            "get": _get(
                "getMatch", "A match: its document, and the ids of its rounds in order", schemas.ref("Match"), mine=True
            ),
        },
        "/matches/{match_id}/tally": {
            "parameters": [_MATCH_ID],
            "get": _get("getTally", "The tally of a match", schemas.ref("MatchTally"), mine=True),
        },
        "/matches/{match_id}/history": {
            "parameters": [_MATCH_ID],
            "get": _get(
                "getHistory",
                "What happened, oldest first, with what each event changed",
                schemas.ref("History"),
                mine=True,
                asks=[_number("since", "Only what came after this version.", 0, MOST_NUMBER, 0)],
            ),
        },
        "/matches/{match_id}/events": {"parameters": [_MATCH_ID], "post": _append_operation()},
    }


def _get(name: str, text: str, body: Schema, mine: bool = False, asks: list[Schema] | None = None) -> Schema:
    fails = _fails(_MINE if mine else {}, {"422": "Invalid"} if asks else {})
    return {
        "operationId": name,
        "summary": text,
        "security": _TOKEN if mine else [],
        "parameters": [*(asks or []), _IF_NONE_MATCH],
        "responses": {**_kept(text, body), **fails},
    }


def _post(
    name: str,
    text: str,
    body: Schema,
    shown: Mapping[str, Any],
    gives: Schema,
    fails: Mapping[str, str] | None = None,
    security: list[Schema] | None = None,
) -> Schema:
    named = {key: {"value": value} for key, value in shown.items()}
    content = {"application/json": {"schema": body, "examples": named}}
    return {
        "operationId": name,
        "summary": text,
        "security": _TOKEN if security is None else security,
        "requestBody": {"required": True, "content": content},
        "responses": {**gives, **_fails(_BODY, fails or {})},
    }


def _list_operation() -> Schema:
    asks = [
        _number("from", "How many to leave out at the beginning.", 0, MOST_NUMBER, 0),
        _number("limit", "How many at most.", 1, MOST_MATCHES, 20),
    ]
    operation = _get(
        "listMatches",
        "Your matches, the most recently changed first; `next` is the address of more",
        schemas.ref("Matches"),
        mine=True,
        asks=asks,
    )
    del operation["responses"]["404"]
    return operation


def _create_operation() -> Schema:
    body = schemas.an_object(
        {"document": schemas.ref("MatchDocument"), "stakes": schemas.PARTS["stakes"], "key": _key()},
        optional=("stakes", "key"),
    )
    shown = {name: {"document": value} for name, value in examples().items()}
    location = {"Location": {"schema": {"type": "string"}, "required": True}}
    gives = {
        **_gives("The match exists. `token` is there if you sent none: keep it.", schemas.ref("Created")),
        "headers": location,
        "links": _links("$response.body#/id"),
    }
    return _post(
        "createMatch",
        "Begin a match, with the rounds that its document brings along",
        body,
        shown,
        {"201": gives},
        {"401": "Unauthorized"},
        [{}, *_TOKEN],
    )


def _append_operation() -> Schema:
    body = schemas.an_object(
        {
            "events": {**schemas.a_list(schemas.ref("NewEvent")), "minItems": 1},
            "expected": {"type": "integer", "minimum": 0, "description": "The version that you have seen."},
            "key": _key(),
        }
    )
    shown = {name: {"events": [event], "expected": 2, "key": f"{name}-1"} for name, event in _EXAMPLE_EVENTS.items()}
    gives = _gives("Written; `version` and `tally` are as this write left them.", schemas.ref("Written"))
    return _post(
        "appendEvents",
        "Write events after the version you have seen, all or none",
        body,
        shown,
        {"201": gives},
        {**_MINE, "403": "Forbidden", "409": "Conflict"},
    )


def _key() -> Schema:
    return {
        "type": "string",
        "pattern": f"^{KEY_PATTERN}$",
        "description": "New for each thing you do, the same each time you try that again.",
    }


def _links(match_id: str) -> Schema:
    wanted = {"match": "getMatch", "tally": "getTally", "history": "getHistory", "events": "appendEvents"}
    return {
        name: {"operationId": operation, "parameters": {"match_id": match_id}} for name, operation in wanted.items()
    }
