"""The schemas in the API's OpenAPI document: the core's own, the events made of them, and each answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scorekeeper.core import events, schema
from scorekeeper.core.ledger import MOST_TURNS
from scorekeeper.core.variants import VARIANTS

Schema = dict[str, Any]

MATCH_ID: Schema = {"type": "string", "pattern": "^[0-9a-z]{15}$"}

# A value of an event's key, by the key or by the event and the key.
_SEAT: Schema = {"type": "integer", "minimum": 0}
PARTS: dict[str, Schema] = {
    "document": {"$ref": "#/components/schemas/MatchDocument"},
    "stakes": {"anyOf": [{"$ref": "#/components/schemas/Stakes"}, {"type": "null"}]},
    "round": {"$ref": "#/components/schemas/Round"},
    "turns": {"type": ["string", "null"], "maxLength": MOST_TURNS},
    "id": {"type": "integer", "minimum": 2, "description": "A round, by the version that entered it."},
    "seat": _SEAT,
    "opener_set.seat": {"anyOf": [_SEAT, {"type": "null"}]},
    "name": {"$ref": "#/components/schemas/Name"},
    "rules": {"$ref": "#/components/schemas/Rules"},
}
_VERSION: Schema = {"type": "integer", "minimum": 1}
_STORED: dict[str, Schema] = {
    "version": _VERSION,
    "at": {"type": "string", "format": "date-time"},
    "by": {"type": ["string", "null"]},
}


def everything() -> dict[str, Schema]:
    """Every named schema. `new_…` is an event as a client sends it, `event_…` as the log keeps it."""
    parts: Schema = _moved(schema.definitions())
    matches = {key: parts[f"match_{key}"]["properties"] for key in VARIANTS}
    anything = next(iter(matches.values()))
    entered = [kind for kind in events.KINDS if kind != "created"]
    return {
        **parts,
        "MatchDocument": _one_of(f"match_{key}" for key in VARIANTS),
        "Tally": {key: part for key, part in schema.tally().items() if key != "$schema"},
        "Name": anything["players"]["items"],
        "Round": {"anyOf": [match["rounds"]["items"] for match in matches.values()]},
        "Rules": {"anyOf": [match["rules"] for match in matches.values()]},
        "Stakes": an_object(
            {
                "amount": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
                "unit": {"type": "string", "maxLength": 8},
            },
            optional=("unit",),
        ),
        **{f"new_{kind}": _event(kind, {}) for kind in entered},
        "NewEvent": _one_of(f"new_{kind}" for kind in entered),
        **{f"event_{kind}": _event(kind, _STORED) for kind in events.KINDS},
        "Event": _one_of(f"event_{kind}" for kind in events.KINDS),
        **_answers(),
    }


def _answers() -> dict[str, Schema]:
    text, status = {"type": "string"}, {"enum": ["playing", "finished"]}
    written = {"version": _VERSION, "replayed": {"type": "boolean"}, "tally": ref("Tally")}
    error = an_object({"code": {"type": "string", "pattern": "^[a-z0-9_]+$"}, "message": text, "at": text})
    return {
        "Error": an_object({"error": error}),
        "Conflict": an_object({"error": error, "version": _VERSION, "since": a_list(ref("Event"))}),
        "Written": an_object(written),
        "Created": an_object({"id": MATCH_ID, **written, "token": text}, optional=("token",)),
        "Match": an_object(
            {
                "id": MATCH_ID,
                "version": _VERSION,
                "status": status,
                "document": ref("MatchDocument"),
                "stakes": PARTS["stakes"],
                "rounds": a_list(PARTS["id"]),
            }
        ),
        "MatchTally": an_object({"version": _VERSION, "tally": ref("Tally")}),
        "Matches": an_object({"matches": a_list(_summary(status)), "next": {"type": ["string", "null"]}}),
        "History": an_object({"version": _VERSION, "changes": a_list(ref("Change"))}),
        "Change": an_object(
            {
                "event": ref("Event"),
                "before": True,
                "after": True,
                "undone": {"type": "boolean"},
                "target": {"anyOf": [_VERSION, {"type": "null"}]},
            }
        ),
    }


def _summary(status: Schema) -> Schema:
    return an_object(
        {
            "id": MATCH_ID,
            "version": _VERSION,
            "status": status,
            "variant": {"enum": list(VARIANTS)},
            "players": a_list(ref("Name")),
            "totals": a_list({"type": "integer"}),
            "changed_at": _STORED["at"],
        }
    )


def _event(kind: str, around: Mapping[str, Schema]) -> Schema:
    """The schema of one kind of event; `around` is what the log adds to it."""
    keys = {key.rstrip("?"): key.endswith("?") for key in events.KINDS[kind]}
    parts = {key: PARTS.get(f"{kind}.{key}") or PARTS[key] for key in keys}
    return an_object(
        {"type": {"const": kind}, **around, **parts},
        optional=tuple(key for key, may_be_missing in keys.items() if may_be_missing),
    )


def _moved(part: Any) -> Any:
    """A schema of the core with its references led to this document's components."""
    if isinstance(part, dict):
        return {key: _moved(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_moved(value) for value in part]
    return part.replace("#/$defs/", "#/components/schemas/") if isinstance(part, str) else part


def an_object(properties: Mapping[str, Any], optional: tuple[str, ...] = ()) -> Schema:
    """An object with these keys and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "additionalProperties": False,
        "required": [key for key in properties if key not in optional],
    }


def a_list(items: Schema) -> Schema:
    """A list of any length."""
    return {"type": "array", "items": items}


def ref(name: str) -> Schema:
    """A named schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def _one_of(names: Iterable[str]) -> Schema:
    return {"oneOf": [ref(name) for name in names]}
