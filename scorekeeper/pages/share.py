"""Sharing a match: the share page, the page to join on, and the big screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.core.documents import NAME_LENGTH
from scorekeeper.core.errors import Invalid
from scorekeeper.core.events import Ledger

from . import chart
from .page import Page
from .table import view

SHOWN = 60  # watchers in the list of phones; the others are a number


def share_page(
    match_id: str,
    ledger: Ledger,
    here: Mapping[str, Any],
    links: Sequence[Mapping[str, Any]],
    phones: Sequence[Mapping[str, Any]],
    shown: str,
    error: Invalid | None = None,
) -> Page:
    """The share page.

    `links`: one for each role that a link can give and this phone may pass on: `role`, `code` (None: turned off),
    `address`, `qr` (SVG). `shown`: the role of the one that is open. `phones`: those at the table: `number`, `name`,
    `seat`, `role`, `connected`, `me`.
    """
    ranked = sorted(phones, key=lambda one: (not one["me"], one["role"] == "watcher", not one["connected"]))
    watchers = [one for one in ranked if one["role"] == "watcher"]
    context = view(match_id, ledger, here) | {
        "links": links,
        "link": next((one for one in links if one["role"] == shown), links[0]),
        "phones": [one for one in ranked if one["role"] != "watcher"] + watchers[:SHOWN],
        "others": len(watchers[SHOWN:]),
        "name_length": NAME_LENGTH,
        "error": error,
    }
    return Page("share/share.html", context, 422 if error else 200)


def join_page(
    code: str, ledger: Ledger, role: str, typed: Mapping[str, str], error: Invalid | None = None
) -> Page:
    """The page of somebody who was given a link: what it opens, and a name to be known by."""
    context = {
        "code": code,
        "role": role,
        "variant": ledger.match.variant,
        "players": ledger.match.players,
        "typed": typed,
        "error": error,
        "name_length": NAME_LENGTH,
    }
    return Page("share/join.html", context, 422 if error else 200)


def code_page(typed: str = "", wrong: bool = False) -> Page:
    """The form that takes a code; `wrong`: no link that is on has it, whatever the reason."""
    return Page("share/code.html", {"typed": typed, "wrong": wrong}, 404 if wrong else 200)


def screen_page(match_id: str, ledger: Ledger, here: Mapping[str, Any]) -> Page:
    """The big screen: what there is to see of a match, without anything to tap."""
    context = view(match_id, ledger, here)
    context["chart"] = chart.drawn(context["match"], context["tally"], context["progress"])
    return Page("share/screen.html", context)
