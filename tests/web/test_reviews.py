"""Reviews on the server: in parts, one at a time, so many for each visitor; nobody else is kept waiting for them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.core import review
from scorekeeper.core.engine import session as sessions
from scorekeeper.core.review import Effort
from scorekeeper.web import reviews
from tests.web.test_practice import Player, step

LIGHT = Effort(nodes=300)


@pytest.fixture
def over() -> dict[str, Any]:
    """A match whose first round is over, with several choices in it."""
    for seed in range(50):
        played = sessions.new("block", {}, seed, ["human", *["normal"] * 3])
        while not (played := played.bot_turns()).position.ended:
            played = played.play(played.position.legal()[-1])
        if sum(len(position.legal()) > 1 for position, _ in review.moves_of(played, 0)) > 3:
            return sessions.write(played)
    raise AssertionError("no such round")


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews that take no time."""
    monkeypatch.setattr(reviews, "effort", lambda seconds: LIGHT)


def asked(over: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"do": "review", "state": over, **more}


@contextmanager
def under_way(app: Flask, over: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """While another visitor's review is under way; after it the list holds its answer."""
    started, ended = Event(), Event()

    def held(_seconds: float) -> Effort:
        started.set()
        assert ended.wait(60)
        return LIGHT

    answers: list[Any] = []
    monkeypatch.setattr(reviews, "effort", held)
    thread = Thread(target=lambda: answers.append(step(app.test_client(), asked(over))))
    thread.start()
    assert started.wait(60)
    try:
        yield answers
    finally:
        ended.set()
        thread.join()


@pytest.mark.usefixtures("light")
def test_a_review_comes_in_parts_even_where_none_were_asked_for(client: FlaskClient, over: dict[str, Any]) -> None:
    whole = len(review.moves_of(sessions.read(over), 0))
    told = step(client, asked(over)).json
    seen = []
    while told["left"]:
        assert len(told["found"]) + told["left"] == whole
        seen.append(told["left"])
        told = step(client, asked(over, found=told["found"])).json
    assert len(seen) > 1 and seen == sorted(set(seen), reverse=True)
    assert len(told["found"]) == whole


def test_a_part_that_is_out_of_time_makes_do_with_estimates(
    client: FlaskClient, over: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = []
    for seconds in (3600.0, -1.0):
        patient = reviews.effort(seconds)
        monkeypatch.setattr(reviews, "effort", lambda _, stop=patient.stop: Effort(20_000, stop))
        told = step(client, asked(over)).json
        while told["left"]:
            told = step(client, asked(over, found=told["found"])).json
        ways.append([each["way"] for each in told["found"]])
        monkeypatch.undo()
    assert ways[0] != ways[1] and "ahead" in ways[1]
    assert ways[0].count("ahead") < ways[1].count("ahead")


def test_while_one_is_under_way_others_are_told_so_and_all_else_goes_on(
    app: Flask, player: Player, over: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = app.test_client()
    player.start("block")
    with under_way(app, over, monkeypatch) as answers:
        refused = step(client, asked(over))
        assert (refused.status_code, refused.json["error"]["code"]) == (429, "too_many_reviews")
        assert "Try again" in refused.json["text"] and refused.headers["Retry-After"] == str(reviews.SOON)
        assert "Tunggu" not in refused.json["text"]
        indonesian = step(client, asked(over), **{"Accept-Language": "id"}).json["text"]
        assert indonesian not in ("", refused.json["text"])
        page = player.send("/practice/table", state=json.dumps(over), do="review")
        assert page.status_code == 200 and "Try again in a minute" in page.text
        assert player.state == over and 'value="review"' in page.text  # at the table, to ask again
        for path in ("/", "/practice", "/practice/table", "/ranking"):
            assert client.get(path).status_code == 200
        assert step(client, {"do": "next", "state": over}).json["turn"] in ("human", "bot")
    assert [answer.status_code for answer in answers] == [200]
    assert step(client, asked(over)).status_code == 200


@pytest.mark.usefixtures("light")
def test_a_turn_is_given_back_whatever_happens(client: FlaskClient, over: dict[str, Any]) -> None:
    broken = [{**over, "rounds": [["0-0"]]}, {**over, "rounds": [[]]}]
    wrong = [*map(asked, broken), asked(over, found="x"), asked(over, found=[1])]
    assert [step(client, each).status_code for each in wrong] == [422] * 4
    assert step(client, asked(over)).status_code == 200


@pytest.mark.usefixtures("light")
def test_a_visitor_has_so_many_and_then_waits_others_do_not(
    app: Flask, over: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "RATE", "3 per minute")
    client, player = app.test_client(), Player(app.test_client())
    assert [step(client, asked(over)).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = step(client, asked(over))
    assert refused.json["error"]["code"] == "too_many_reviews" and "Try again" in refused.json["text"]
    assert int(refused.headers["Retry-After"]) > reviews.SOON  # so that a page's script gives up
    player.start("block")
    page = player.send("/practice/table", state=json.dumps(over), do="review")
    assert "Try again in a minute" in page.text and player.state == over
    assert [step(client, {"do": "show", "state": over}).status_code for _ in range(9)] == [200] * 9
    elsewhere = app.test_client()
    elsewhere.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    assert step(elsewhere, asked(over)).status_code == 200


@pytest.mark.usefixtures("light")
def test_a_part_is_one_write_among_all(build: Callable[..., Flask], over: dict[str, Any]) -> None:
    client = build(WRITES="3 per minute").test_client()
    codes = [step(client, asked(over)).json.get("error", {}).get("code") for _ in range(4)]
    assert codes == [None, None, None, "too_many_requests"]


# Without a script -------------------------------------------------------------------------------------------


@pytest.fixture
def player(client: FlaskClient) -> Player:
    return Player(client)


@pytest.mark.usefixtures("light")
def test_a_page_has_it_all_where_there_is_time(player: Player, over: dict[str, Any]) -> None:
    player.start("block")
    player.send("/practice/table", state=json.dumps(over), do="review")
    assert "How this is counted" in player.page and "Looking at your moves" not in player.page
    assert ("do", "review") not in player.buttons() and ("do", "next") in player.buttons()


@pytest.mark.usefixtures("light")
def test_a_page_out_of_time_has_a_button_to_look_on(
    player: Player, over: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "PAGE", -1.0)
    monkeypatch.setattr(reviews, "RATE", "99 per minute")
    player.start("block")
    fields = {"state": json.dumps(over)}
    for pages in range(20):  # noqa: B007
        player.send("/practice/table", do="review", **fields)
        if "Looking at your moves" not in player.page:
            break
        assert ("do", "review") in player.buttons() and ("do", "next") not in player.buttons()
        found = re.search(r'name="found" value="([^"]+)"', player.page)
        assert found
        fields["found"] = html.unescape(found[1])
    assert pages > 1 and "How this is counted" in player.page
    answer = player.send("/practice/table", do="review", state=json.dumps(over), found="[7]")
    assert "cannot be done" in answer.text
