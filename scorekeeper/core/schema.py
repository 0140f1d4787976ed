"""The JSON Schemas (2020-12) of the match document and the tally, built from the variants' own parts."""

from __future__ import annotations

from typing import Any

from . import tiles
from .documents import FORMAT, MOST_POINTS, MOST_ROUNDS, NAME_LENGTH
from .fields import hand_schema, seat_schema
from .variants import VARIANTS
from .variants.base import Variant

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_WHOLE: dict[str, Any] = {"type": "integer"}
_MAYBE_WHOLE: dict[str, Any] = {"type": ["integer", "null"]}
_NAME = {"type": "string", "pattern": f"^\\s*(?:\\S\\s*){{1,{NAME_LENGTH}}}$"}  # spaces are trimmed


def definitions() -> dict[str, Any]:
    """The shared pieces: a tile in either order, a hand, and one match document per variant."""
    hand = hand_schema(max(variant.tiles_each for variant in VARIANTS.values()))
    shared: dict[str, Any] = {"tile": {"enum": sorted(tiles.BY_TEXT)}, "hand": hand}
    return shared | {f"match_{key}": _document(variant) for key, variant in VARIANTS.items()}


def match_document() -> dict[str, Any]:
    """The schema of a match document of any variant."""
    return {"$schema": DIALECT, "title": "Match document",
            "oneOf": [{"$ref": f"#/$defs/match_{key}"} for key in VARIANTS], "$defs": definitions()}


def _document(variant: Variant) -> dict[str, Any]:
    fewest, most = min(variant.seats), max(variant.seats)
    seat = _or_null(seat_schema(most))
    ways = [sides for players in variant.seats for sides in variant.all_sides(players)]
    counts = [len(sides) for sides in ways]
    total = {"type": "integer", "minimum": -MOST_POINTS, "maximum": MOST_POINTS}
    totals = {"type": "array", "items": total, "minItems": min(counts), "maxItems": max(counts)}
    start = {key: totals if key == "totals" else seat for key in variant.start_keys}
    parts: dict[str, Any] = {
        "format": {"const": FORMAT},
        "variant": {"const": variant.key},
        "players": {"type": "array", "items": _NAME, "minItems": fewest, "maxItems": most},
        "sides": {"enum": [*([list(side) for side in sides] for sides in ways), None]},
        "rules": {"type": "object", "additionalProperties": False,
                  "properties": {option.name: option.schema() for option in variant.options}},
        "rounds": {"type": "array", "items": variant.round_schema(), "maxItems": MOST_ROUNDS},
        "start": _or_null({"type": "object", "properties": start, "required": ["totals"],
                           "additionalProperties": False}),
        "first_opener": seat,
    }
    return {"type": "object", "properties": parts, "required": ["format", "variant", "players"],
            "additionalProperties": False}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def tally() -> dict[str, Any]:
    """The schema of a tally."""
    numbers = {"type": "array", "items": _WHOLE}
    rule = {"type": ["string", "null"], "pattern": r"^[A-Z]+\d+$"}
    step = {"type": "object", "properties": {"rule": rule, "step": {"type": "string"}},
            "required": ["rule", "step"]}
    steps = {"type": "array", "items": step}
    verdict = {"type": "object",
               "required": ["points", "winner", "winner_seat", "decided_by", "opener", "why"],
               "properties": {"points": numbers, "winner": _MAYBE_WHOLE, "winner_seat": _MAYBE_WHOLE,
                              "decided_by": {"type": ["string", "null"]}, "opener": _MAYBE_WHOLE,
                              "why": steps,
                              "needs": {"type": "object", "additionalProperties": numbers},
                              "warnings": steps, "camat": _WHOLE, "after_end": {"const": True}}}
    return {"$schema": DIALECT, "title": "Tally", "type": "object",
            "required": ["variant", "status", "totals", "winners", "next_opener", "rounds"],
            "properties": {"variant": {"enum": list(VARIANTS)}, "status": {"enum": ["playing", "finished"]},
                           "totals": numbers, "winners": numbers, "next_opener": _MAYBE_WHOLE,
                           "opener_why": _or_null(step), "table": _WHOLE, "camat": _MAYBE_WHOLE,
                           "camats": numbers, "rounds": {"type": "array", "items": verdict}}}
