"""What a page says of what is on this phone and not on the server. static/js/line.js counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import words


def kept(waiting: Mapping[str, Any], language: str) -> dict[str, str]:
    """The `line`, the word to `keep` it as a file and, where the server does not take it, the word to `drop` it.

    `waiting` is of one match: `rounds` and `others` changed, `local` where no server has it, `refused`, and how
    much is `stuck`: out of the line, for it does not fit the match any more, and whether the page `asks` what is
    meant; or of all: `matches` of which something is not on the server. `away`: there is no network. Empty where all
    is on the server and the server is there.
    """
    told = words.catalogue(language)
    _, away = told.gettext, waiting.get("away")
    if waiting.get("stuck"):
        text = _("Something kept on this phone does not fit the match any more. Export it to keep it, or drop it.")
        return {"line": text, "drop": _("Drop it"), "keep": _("Export")}
    line = _what(waiting, told)
    if not line:
        text = _("No network. What you enter is kept on this phone and goes to the server by itself.")
        return {"line": text} if away else {}
    if waiting.get("refused"):
        text = _("The server does not take it from this phone. Nothing is lost: export it to keep it.")
        return {"line": f"{line} {text}", "drop": _("Drop it"), "keep": _("Export")}
    text = _("It waits for your answer.") if waiting.get("asks") else _("It goes to the server by itself.")
    return {"line": f"{line} {text}"} | ({} if "matches" in waiting else {"keep": _("Export")})


def _what(waiting: Mapping[str, Any], told: Any) -> str:
    """What is on this phone only."""
    _, rounds, matches = told.gettext, waiting.get("rounds", 0), waiting.get("matches", 0)
    if waiting.get("local"):
        return str(_("This match is on this phone only. It can be shared once there is a network."))
    if rounds:
        text = told.ngettext("%(n)d round on this phone only.", "%(n)d rounds on this phone only.", rounds)
        return str(text % {"n": rounds})
    if matches:
        text = told.ngettext(
            "%(n)d match has something that is on this phone only.",
            "%(n)d matches have something that is on this phone only.",
            matches,
        )
        return str(text % {"n": matches})
    return str(_("What you changed is on this phone only.")) if waiting.get("others") else ""
