"""The JSON Schemas (2020-12) of the match document and the tally, built from the variants' own parts."""

from __future__ import annotations

from typing import Any

from . import tiles
from .documents import FORMAT, MOST_ROUNDS, NAME_LENGTH
from .fields import HAND_SCHEMA, seat_schema
from .variants import VARIANTS
from .variants.base import Variant

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_WHOLE: dict[str, Any] = {"type": "integer"}
_MAYBE_WHOLE: dict[str, Any] = {"type": ["integer", "null"]}


def definitions() -> dict[str, Any]:
    """The shared pieces: a tile in either order, a hand, and one match document per variant."""
    shared: dict[str, Any] = {"tile": {"enum": sorted(tiles.BY_TEXT)}, "hand": HAND_SCHEMA}
    return shared | {f"match_{key}": _document(variant) for key, variant in VARIANTS.items()}


def match_document() -> dict[str, Any]:
    """The schema of a match document of any variant."""
    return {"$schema": DIALECT, "title": "Match document", "oneOf": [{"$ref": f"#/$defs/match_{key}"} for key in VARIANTS],
            "$defs": definitions()}


def _document(variant: Variant) -> dict[str, Any]:
    seats = seat_schema(max(variant.seats))
    sides = {"type": "array", "items": {"type": "array", "items": seats}}
    start = {"totals": {"type": "array", "items": _WHOLE}} | ({"camat": seats} if "camat" in variant.start_keys else {})
    name = {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH}
    parts: dict[str, Any] = {
        "format": {"const": FORMAT},
        "variant": {"const": variant.key},
        "players": {"type": "array", "items": name, "minItems": min(variant.seats), "maxItems": max(variant.seats)},
        "sides": sides,
        "rules": {"type": "object", "properties": {option.name: option.schema() for option in variant.options},
                  "additionalProperties": False},
        "rounds": {"type": "array", "items": variant.round_schema(), "maxItems": MOST_ROUNDS},
        "start": {"type": "object", "properties": start, "required": ["totals"], "additionalProperties": False},
        "first_opener": seats,
    }
    return {"type": "object", "properties": parts, "required": ["format", "variant", "players"],
            "additionalProperties": False}


def tally() -> dict[str, Any]:
    """The schema of a tally."""
    numbers = {"type": "array", "items": _WHOLE}
    step = {"type": "object", "properties": {"rule": {"type": ["string", "null"]}, "step": {"type": "string"}},
            "required": ["rule", "step"]}
    verdict = {"type": "object", "required": ["points", "winner", "winner_seat", "decided_by", "opener", "why"],
               "properties": {"points": numbers, "winner": _MAYBE_WHOLE, "winner_seat": _MAYBE_WHOLE,
                              "decided_by": {"type": ["string", "null"]}, "opener": _MAYBE_WHOLE,
                              "why": {"type": "array", "items": step},
                              "needs": {"type": "object", "additionalProperties": numbers}}}
    return {"$schema": DIALECT, "title": "Tally", "type": "object",
            "required": ["variant", "status", "totals", "winners", "next_opener", "rounds"],
            "properties": {"variant": {"enum": list(VARIANTS)}, "status": {"enum": ["playing", "finished"]},
                           "totals": numbers, "winners": numbers, "next_opener": _MAYBE_WHOLE,
                           "opener_why": {"anyOf": [step, {"type": "null"}]}, "table": _WHOLE, "camat": _MAYBE_WHOLE,
                           "camats": numbers, "rounds": {"type": "array", "items": verdict}}}
