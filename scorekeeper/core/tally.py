"""The tally: a fold over a match's rounds. Nothing in it is ever stored."""

from __future__ import annotations

from typing import Any

from .documents import Match, read


def tally(match: Match) -> dict[str, Any]:
    """Totals, verdicts, status and who leads next, as `match-format.md` gives them.

    Rounds recorded after the one that decided the match (a correction can do that) count nothing and say so.
    """
    variant = match.variant
    running = variant.begin(match)
    verdicts: list[dict[str, Any]] = []
    for round_ in match.rounds:
        if running.finished:
            verdicts.append({"points": [0] * len(match.sides), "winner": None, "winner_seat": None,
                             "decided_by": None, "opener": None, "after_end": True,
                             "why": [{"rule": None, "step": "after_the_end"}]})
        else:
            verdicts.append(variant.score(match, running, round_))
    return {
        "variant": variant.key,
        "status": "finished" if running.finished else "playing",
        "totals": running.totals,
        "winners": running.winners,
        "next_opener": None if running.finished else running.opener,
        "opener_why": None if running.finished else running.opener_why,
        **variant.tally_extras(match, running),
        "rounds": verdicts,
    }


def running_totals(match: Match, result: dict[str, Any]) -> list[list[int]]:
    """Each side's total at the start and after each round of this tally; stones that went back are gone again."""
    totals = list(match.start.totals) if match.start else [0] * len(match.sides)
    found = [totals]
    for verdict in result["rounds"]:
        back = verdict.get("camat") is not None
        totals = [0 if back else total + gained for total, gained in zip(totals, verdict["points"], strict=True)]
        found.append(totals)
    return found


def tally_document(raw: Any) -> dict[str, Any]:
    """The tally of a document as parsed from JSON. Raises `Invalid`."""
    return tally(read(raw))
