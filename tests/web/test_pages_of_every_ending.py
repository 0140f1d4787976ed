"""Every page about a match shows in every way a round can end, also while it waits for an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

PLAYERS = ["Ani", "Budi", "Citra", "Dewi", "Eka"]
HANDS = [["0-1"], ["1-1"], ["2-6"], ["3-3"]]
NONE: list[list[str]] = [[], [], [], []]
ROUNDS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "block out": ("block", {}, {"ended": "domino", "by": 0, "hands": [[], 3, 4, ["5-5"]]}),
    "block blocked": ("block", {}, {"ended": "blocked", "hands": HANDS}),
    "block push": ("block", {}, {"ended": "blocked", "hands": [2, 2, 9, 9]}),
    "block won": ("block", {"target": 5}, {"ended": "blocked", "hands": HANDS}),
    "gaple out": ("gaple", {}, {"ended": "domino", "hands": [[], *HANDS[1:]], "discards": NONE}),
    "gaple tie": ("gaple", {}, {"ended": "blocked", "hands": [["0-4"], ["2-2"], 9, 9], "discards": NONE}),
    "gaple waits": ("gaple", {}, {"ended": "blocked", "hands": [4, 4, 9, 9], "discards": NONE}),
    "gaple warned": ("gaple", {}, {"ended": "domino", "by": 0, "hands": [[], 14, 4, 5], "discards": NONE}),
    "gaple blank": ("gaple", {"double_blank_25": True}, {"ended": "blocked", "hands": [["0-0"], ["1-1"], 3, 4],
                                                          "discards": NONE}),
    "gaple last": ("gaple", {"rounds": 1}, {"ended": "blocked", "hands": HANDS, "discards": NONE}),
    "gaple joint": ("gaple", {"rounds": 1}, {"ended": "blocked", "hands": [["0-4"], ["2-2"], 9, 9], "discards": NONE}),
    "pontas out": ("pontas", {}, {"ended": "domino", "by": 1, "plays": [[0, 15]]}),
    "pontas blocked": ("pontas", {}, {"ended": "blocked", "plays": []}),
    "pontas open": ("pontas", {"target": 20}, {"plays": [[0, 20], [1, 30]]}),
    "pontas won": ("pontas", {"target": 20}, {"ended": "blocked", "plays": [[0, 20], [1, 30]]}),
    "pontas bonus": ("pontas", {"out_bonus": True, "pass_bonus": 20},
                     {"ended": "domino", "by": 0, "plays": [[0, 20, "pass"]], "hands": [[], 9, None, 8]}),
    "domeng cappu": ("domeng", {}, {"passes": [{"seat": 1, "bunge": True}], "ended": "cappu", "by": 2}),
    "domeng ceki": ("domeng", {}, {"passes": [], "ended": "ceki", "by": 2}),
    "domeng pollo": ("domeng", {"camats": 1}, {"passes": [{"seat": 1}] * 25, "ended": "pollo", "by": 0}),
    "domeng waits": ("domeng", {}, {"passes": [{"seat": 1}] * 26}),
    "domeng manguno": ("domeng", {}, {"passes": [], "ended": "manguno", "by": 0, "hands": [5, 6, 9, 12, 7]}),
    "domeng mattikkeng": ("domeng", {}, {"passes": [], "ended": "manguno", "by": 0, "hands": [8, 9, 3, 8, 10]}),
}


@pytest.mark.parametrize("language", ["en", "id", "en-XA"])
@pytest.mark.parametrize("kind", ROUNDS)
def test_every_page_shows(app: Flask, kind: str, language: str) -> None:
    app.config.update(WTF_CSRF_ENABLED=False, PSEUDO=True)
    variant, rules, round_ = ROUNDS[kind]
    document = {"format": "scorekeeper/1", "variant": variant, "rules": rules, "rounds": [round_],
                "players": PLAYERS[: 5 if variant == "domeng" else 4]}
    phone = app.test_client()
    phone.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    answer = phone.post("/import", data={"document": json.dumps(document), "key": "x"})
    assert answer.status_code == 303, answer.text
    address = answer.headers["Location"]
    assert phone.post(f"{address}/more", data={"version": "2", "key": "r", "name-0": "Adi",
                                               "stakes-amount": "500", "stakes-unit": "Rp"}).status_code == 303
    pages = ("", "/round", "/round/2", "/more", "/history", "/sheet.svg", "/match.csv", "/match.json")
    shown = {page: phone.get(f"{address}{page}", follow_redirects=True) for page in pages}
    assert {page: answer.status_code for page, answer in shown.items()} == dict.fromkeys(pages, 200)
    for page in ("", "/history", "/round/2"):
        assert "None" not in shown[page].text, page
    assert phone.post(f"{address}/undo", data={"version": "4", "key": "u"}).status_code == 303
    assert phone.get(f"{address}/history").status_code == 200
