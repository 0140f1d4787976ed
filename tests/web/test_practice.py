"""Practice on the server: without a script by forms and a cookie, with one by single steps in JSON."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.core.engine import session as sessions
from scorekeeper.core.tally import tally
from scorekeeper.core.variants import VARIANTS
from scorekeeper.pages import practice as pages
from scorekeeper.web import practice

OURS = {"Sec-Fetch-Site": "same-origin"}
SHORT = {"block": "rule-target", "gaple": "rule-rounds", "pontas": "rule-target", "domeng": "rule-camats"}
FEW = {"rule-target": "15", "rule-rounds": "1", "rule-camats": "1"}


class Player:
    """A browser without a script at the practice table: it knows only what is in the last page's form."""

    def __init__(self, client: FlaskClient) -> None:
        self.client, self.page = client, client.get("/practice").text

    @property
    def token(self) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.page)
        assert found
        return found[1]

    @property
    def state(self) -> dict[str, Any]:
        found = re.search(r'name="state" value="([^"]+)"', self.page)
        assert found
        return dict(json.loads(html.unescape(found[1])))

    def send(self, address: str, **fields: str) -> Any:
        answer = self.client.post(address, data={"csrf_token": self.token, **fields}, follow_redirects=True)
        self.page = answer.text
        return answer

    def start(self, variant: str, **fields: str) -> None:
        self.page = self.client.get(f"/practice?variant={variant}").text
        assert self.send("/practice", variant=variant, level="easy", **fields).request.path == "/practice/table"

    def tap(self, **fields: str) -> Any:
        return self.send("/practice/table", state=json.dumps(self.state), **fields)

    def buttons(self) -> list[tuple[str, str]]:
        """Name and value of every button that can be pressed now."""
        tags = re.findall(r"<button [^>]*>", self.page)
        found = [re.search(r'name="(\w+)" value="([^"]*)"', tag) for tag in tags if "disabled" not in tag]
        return [(each[1], each[2]) for each in found if each]

    def move(self) -> None:
        """The first move there is a button for; where only ends are asked for, an end."""
        moves = dict(self.buttons())
        if "move" in moves:
            self.tap(move=moves["move"])
            return
        self.tap(pick=moves["pick"])
        self.tap(move=dict(self.buttons())["move"])


@pytest.fixture
def player(client: FlaskClient) -> Player:
    return Player(client)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_match_is_played_to_its_end_without_a_script(variant: str, player: Player) -> None:
    player.start(variant, **{SHORT[variant]: FEW[SHORT[variant]]})
    for _ in range(400):
        actions = [value for name, value in player.buttons() if name == "do"]
        if "again" in actions:
            break
        if "next" in actions:
            player.tap(do="next")
        else:
            player.move()
    played = pages.read(player.state)
    assert tally(played.match)["status"] == "finished"
    for total in tally(played.match)["totals"]:
        assert re.search(rf">{total}<", player.page)
    before = player.state
    player.tap(do="again")
    assert player.state["seed"] != before["seed"] and player.state["rules"] == before["rules"]
    assert len(player.state["rounds"]) == 1


def test_the_match_waits_in_the_cookie(player: Player) -> None:
    assert 'id="goon" hidden' in player.page
    assert 'id="nothing"' in player.client.get("/practice/table").text
    player.start("block")
    player.move()
    state = player.state
    player.page = player.client.get("/practice/table").text
    assert player.state == state
    assert 'id="goon" hidden' not in player.client.get("/practice").text


def test_a_match_too_long_for_the_cookie_goes_on_in_the_form(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "MOST_KEPT", 20)
    player.page = player.client.get("/practice?variant=block").text
    assert player.send("/practice", variant="block", level="easy").request.path == "/practice"
    before = len(player.state["rounds"][0])
    player.move()
    assert len(player.state["rounds"][0]) > before
    assert 'id="nothing"' in player.client.get("/practice/table").text


def test_undo_and_hint_mark_the_match(player: Player) -> None:
    player.start("gaple")
    player.move()
    moves = player.state["rounds"][0]
    player.move()
    player.tap(do="undo")
    assert player.state["rounds"][0] == moves and player.state["helped"] and "unranked" in player.page
    hinted = player.tap(do="hint")
    assert hinted.status_code == 200 and player.state["helped"]


def test_every_match_has_a_seed_of_its_own(player: Player) -> None:
    seeds = set()
    for _ in range(5):
        player.start("domeng")
        seeds.add(player.state["seed"])
    assert len(seeds) == 5 and all(0 <= seed < 2**53 for seed in seeds)


def test_the_same_form_sent_twice_is_one_move(player: Player) -> None:
    player.start("block")
    page = player.page
    player.move()
    once = player.state
    player.page = page
    player.move()
    assert player.state == once


def test_house_rules_that_cannot_be_are_said_beside_their_field(player: Player) -> None:
    player.page = player.client.get("/practice?variant=block").text
    answer = player.send("/practice", variant="block", level="easy", **{"rule-target": "0"})
    assert answer.status_code == 422 and 'id="error"' in answer.text and "<details class=\"fold\" open" in answer.text


@pytest.mark.parametrize("state", ["{", "[]", '{"variant": "block"}', '{"a":' * 20_000, "null", "7"])
def test_a_form_with_a_broken_match_is_told_so(player: Player, state: str) -> None:
    player.start("block")
    answer = player.send("/practice/table", state=state, move="pass")
    assert answer.status_code == 200 and answer.request.path == "/practice/table" and "cannot be done" in answer.text


def test_a_move_that_is_not_legal_is_told_so(player: Player) -> None:
    player.start("block")
    state = player.state
    for move in ("9-9", "discard 1-1", "0-0@up", ""):
        assert "cannot be done" in player.tap(move=move).text
        assert player.state == state


# In JSON ----------------------------------------------------------------------------------------------------


def step(client: FlaskClient, asked: Any, **headers: str) -> Any:
    return client.post("/practice/step", json=asked, headers={**OURS, **headers})


SEATS = ["human", "easy", "easy", "easy"]


def test_a_round_by_single_steps(client: FlaskClient) -> None:
    answer = step(client, {"do": "start", "variant": "block", "rules": {}, "seats": SEATS}).json
    assert set(answer) == {"state", "html", "turn"} and type(answer["state"]["seed"]) is int
    for _ in range(200):
        state, turn = answer["state"], answer["turn"]
        if turn == "over":
            break
        played = sessions.read(state)
        move = {"do": "play", "move": str(played.position.legal()[0])} if turn == "human" else {"do": "bot"}
        answer = step(client, {"state": state, **move}).json
        assert len(answer["state"]["rounds"][0]) == len(state["rounds"][0]) + 1
        assert f'data-turn="{answer["turn"]}"' in answer["html"] and "<html" not in answer["html"]
    assert answer["turn"] == "over"
    assert "csrf_token" not in answer["html"] and 'name="state"' not in answer["html"]


def test_a_seed_that_was_given_is_kept(client: FlaskClient) -> None:
    asked = {"do": "start", "variant": "block", "rules": {}, "seats": SEATS, "seed": 7}
    assert step(client, asked).json["state"]["seed"] == 7


def test_words_are_in_the_readers_language(client: FlaskClient) -> None:
    asked = {"do": "start", "variant": "block", "rules": {}, "seats": SEATS, "seed": 7, "language": "id"}
    in_english = step(client, asked).json["html"]
    in_indonesian = step(client, asked, **{"Accept-Language": "id"}).json["html"]
    assert in_english != in_indonesian


@pytest.mark.parametrize(
    ("sent", "code", "at"),
    [
        (b"{", "not_json", "line 1 column 2"),
        (b"[]", "wrong_type", ""),
        (b'{"do": "show"}', "wrong_type", "state"),
        (b'{"do": "fly"}', "unknown_step", "do"),
        (b'{"do": "start", "variant": "chess", "seats": []}', "unknown_variant", "variant"),
        (b'{"do": "show", "state": {"rounds": [], "seats": []}}', "wrong_type", "state.rounds"),
        (b'{"do": "show", "do": "bot"}', "key_twice", "do"),
    ],
)
def test_what_is_wrong_with_a_step_has_a_code_and_a_place(client: FlaskClient, sent: bytes, code: str, at: str) -> None:
    answer: Any = client.post("/practice/step", data=sent, content_type="application/json", headers=OURS)
    assert answer.status_code == 422
    assert (answer.json["error"]["code"], answer.json["error"]["at"]) == (code, at)


def test_a_step_is_for_our_own_pages_in_json_and_of_a_size(client: FlaskClient, app: Flask) -> None:
    asked = {"do": "start", "variant": "block", "rules": {}, "seats": SEATS}
    for headers in ({}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://elsewhere.example"}):
        assert client.post("/practice/step", json=asked, headers=headers).status_code == 403
    assert client.post("/practice/step", data={"do": "show"}, headers=OURS).status_code == 415
    huge = {"do": "show", "state": {"rounds": [["6-6"] * 60_000]}}
    assert step(client, huge).status_code == 413
    assert client.get("/practice/step").status_code == 405


def test_steps_are_limited_like_all_writes(build: Callable[..., Flask]) -> None:
    client = build(WRITES="2 per minute").test_client()
    asked = {"do": "start", "variant": "block", "rules": {}, "seats": SEATS}
    assert [step(client, asked).status_code for _ in range(3)] == [200, 200, 429]
