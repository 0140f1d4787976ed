"""A fifth variant is one module and one line: its pages, its API and its command line work without any other change."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator

import pytest
from flask import Flask

from scorekeeper import cli
from scorekeeper.core import schema
from scorekeeper.core.documents import Match, Round
from scorekeeper.core.fields import Hands
from scorekeeper.core.options import Option
from scorekeeper.core.variants import VARIANTS
from scorekeeper.core.variants.base import Ending, RaceToTarget, Running, Verdict, pips_of


class Partie(RaceToTarget):
    """A toy: whoever goes out gets a point for each other player; first to the target wins."""

    key = "partie"
    title = "Partie"
    tagline = "One point for each other player."
    seats = (3,)
    fields = (Hands(),)
    endings = {"domino": Ending("Went out"), "conceded": Ending("Conceded")}  # noqa: RUF012
    options = (Option("target", 3, "X1", "Play to", "So many points win.", low=1, high=99),)
    opener_rule = "X2"
    unknown_opener = ("anybody_leads", "X2")

    def score_round(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        points = [0] * len(match.players)
        assert round_.by is not None
        points[round_.by] = len(match.players) - 1
        pips = pips_of(round_.fields["hands"])
        verdict["why"].append({"rule": "X1", "step": "a_point_each", "seat": round_.by, "pips": pips})
        self.won(match, verdict, round_.by, "partie")
        self.award(match, running, verdict, points)

    def next_opener(self, match: Match, running: Running, round_: Round, verdict: Verdict) -> None:
        self.set_opener(running, verdict["winner_seat"], "winner_leads")

    def decide(self, match: Match, running: Running, verdict: Verdict) -> None:
        running.finished = max(running.totals) >= match.rules["target"]
        running.winners = [verdict["winner"]] if running.finished else []


DOCUMENT = {
    "format": "scorekeeper/1",
    "variant": "partie",
    "players": ["Ani", "Budi", "Citra"],
    "rounds": [{"ended": "domino", "by": 1, "hands": [3, [], ["2-5"]]}],
}


@pytest.fixture(autouse=True)
def fifth(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(VARIANTS, "partie", Partie())
    yield


def test_its_pages_take_a_match_from_the_first_tap_to_the_end(app: Flask) -> None:
    app.config["WTF_CSRF_ENABLED"] = False
    browser = app.test_client()
    assert "Partie" in browser.get("/new").text
    assert "So many points win." in browser.get("/rules/partie").text
    assert "So many points win." in browser.get("/new/partie").text
    names = {f"name-{seat}": name for seat, name in enumerate(DOCUMENT["players"])}
    address = browser.post("/new/partie", data={"start": "1", "key": "a", **names}).headers["Location"]
    for version in (1, 2):
        page = browser.get(f"{address}/round").text
        assert 'data-by="domino"' in page and 'data-by="conceded"' in page
        typed = {
            "ending": "domino:1",
            "hands-0": "3",
            "hands-2": "2-5",
            "version": str(version),
            "key": str(version),
        }
        assert "Budi" in browser.post(f"{address}/preview", data=typed).text
        assert browser.post(f"{address}/round", data=typed).status_code == 303
    table = browser.get(address).text
    assert re.search(r"Budi</b>\s+wins the match", table) and "X1" in table
    for more in ("more", "history", "sheet.svg", "match.csv", "round/2"):
        assert browser.get(f"{address}/{more}").status_code == 200


def test_its_api_works(app: Flask) -> None:
    client = app.test_client()
    answer = client.post("/api/v1/tally", json=DOCUMENT)
    assert answer.status_code == 200 and (answer.json or {})["totals"] == [0, 2, 0]
    assert "match_partie" in json.dumps(client.get("/api/v1/openapi.json").json)


def test_its_command_line_and_schema_work(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(DOCUMENT).encode())))
    monkeypatch.setattr(sys, "stdout", open(1, "w", closefd=False))  # noqa: SIM115
    assert cli.main(["tally", "-"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["totals"] == [0, 2, 0]
    assert "match_partie" in schema.definitions()
