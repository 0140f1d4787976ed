"""The scorekeeping pages of a device are the server's, byte for byte but for the form's token; and what is done there
is the events that the server would have written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from scorekeeper import device
from scorekeeper.core.events import fold
from scorekeeper.pages.kits import kit_of
from scorekeeper.web import device as web
from tests.web.test_pages_of_every_ending import PLAYERS, ROUNDS

KEY = "k" * 32
TOKEN = re.compile(r'name="csrf_token" value="[^"]*"')
WITHIN = ("", "/round", "/more", "/history", "/match.json", "/match.csv", "/sheet.svg", "/screen")
OUTSIDE = ("/", "/new", "/new/gaple", "/rules", "/rules/block")
OURS = {"Sec-Fetch-Site": "same-origin"}
Told = dict[str, Any]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    made = create_app({"DATA": str(tmp_path_factory.mktemp("data")), "WRITES": "100000 per minute", "PSEUDO": True})
    made.config["WTF_CSRF_ENABLED"] = False
    yield made
    made.extensions["log"].close()


@pytest.fixture(autouse=True)
def one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both homes are given the same key for the next thing that is done."""
    for module in ("home", "match"):
        monkeypatch.setattr(f"scorekeeper.web.{module}.new_key", lambda: KEY)


@pytest.fixture(scope="module")
def home(app: Flask) -> Told:
    with app.test_request_context():
        found: Told = json.loads(json.dumps(web.home()))
    return found


class Table:
    """A match on the server, and what a phone keeps of it."""

    def __init__(self, app: Flask, home: Told, document: Told, language: str = "en") -> None:
        self.client: FlaskClient = app.test_client()
        self.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
        self.home, self.language = home, language
        said = self.client.post("/api/v1/matches", json={"document": document}, headers=OURS)
        assert said.status_code == 201, said.text
        self.id = said.get_json()["id"]
        self.learn()

    def learn(self) -> None:
        """What the server tells a phone."""
        self.told = json.loads(self.client.get(f"/m/{self.id}/events.json").data)

    @property
    def events(self) -> list[Told]:
        found: list[Told] = self.told["events"]
        return found

    def device(self, do: str, path: str, **more: Any) -> Told:
        """What the device says of a path within the match, or of any other."""
        request = {"do": do, "path": path, "key": KEY, "language": self.language, "home": self.home, **more}
        if path.startswith("/m/"):
            request |= {name: more.get(name, self.told[name]) for name in ("events", "here", "phones")}
        else:
            request.setdefault("matches", [{"id": self.id, "events": self.events}])
        answer: Told = json.loads(device.handle(json.dumps(request)))
        return answer

    def post(self, path: str, form: dict[str, str]) -> tuple[Any, Told]:
        """The same form, to the server and to the device."""
        here = self.device("submit", path, form=form)
        return self.client.post(path, data=form), here

    def form(self, **fields: str) -> dict[str, str]:
        return {"version": str(len(self.events)), "key": "mine", **fields}


def bare(html: str) -> str:
    return TOKEN.sub('name="csrf_token" value=""', html)


def document(kind: str) -> Told:
    variant, rules, round_ = ROUNDS[kind]
    players = PLAYERS[: 5 if variant == "domeng" else 4]
    return {"format": "scorekeeper/1", "variant": variant, "rules": rules, "rounds": [round_], "players": players}


@pytest.mark.parametrize(
    ("kind", "language"), [*((kind, "en") for kind in ROUNDS), ("gaple tie", "id"), ("domeng waits", "en-XA")]
)
def test_every_page_is_the_same(kind: str, language: str, app: Flask, home: Told) -> None:
    table = Table(app, home, document(kind), language)
    paths = [f"/m/{table.id}{rest}" for rest in WITHIN] + [f"/m/{table.id}/round/2", *OUTSIDE]
    for path in paths:
        server, here = table.client.get(path), table.device("page", path)
        if server.status_code == 303:
            assert here == {"redirect": server.headers["Location"], "messages": []}
        else:
            assert (here["status"], here["type"]) == (server.status_code, server.mimetype), path
            assert here["html"] == bare(server.text), path


@pytest.mark.parametrize("kind", ROUNDS)
def test_a_correction_is_read_the_same(kind: str, app: Flask, home: Told) -> None:
    """The round's own fields sent as a correction: the same events, and the same page where they cannot be."""
    table = Table(app, home, document(kind))
    ledger = fold(table.events)
    form = table.form(op="end", **kit_of(ledger.match.variant).fields(ledger.match, ledger.rounds[-1].round))
    path = f"/m/{table.id}/round/2"
    preview = f"/m/{table.id}/preview?id=2"
    assert bare(table.client.post(preview, data=form).text) == table.device("submit", preview, form=form)["html"]
    server, here = table.post(path, form)
    if server.status_code != 303:
        assert here["html"] == bare(server.text) and here["status"] == server.status_code == 422
        return
    assert here["redirect"] == server.headers["Location"] and here["expected"] == 2
    table.learn()
    (written,) = [{k: v for k, v in each.items() if k not in ("version", "at", "by")} for each in table.events[2:]]
    assert here["append"] == [written]
    assert here["next"]["html"] == bare(table.client.get(here["redirect"]).text), "the page that follows, at once"


@pytest.mark.parametrize("act", ["undo", "redo", "finish", "reopen", "round/2/void"])
def test_a_button_does_the_same(act: str, app: Flask, home: Told) -> None:
    table = Table(app, home, document("block out"))
    server, here = table.post(f"/m/{table.id}/{act}", table.form())
    assert here["redirect"] == server.headers["Location"]
    table.learn()
    assert [each["type"] for each in here.get("append", [])] == [each["type"] for each in table.events[2:]]
    shown = table.client.get(f"/m/{table.id}").text
    assert here["messages"] and all(message["text"] in shown for message in here["messages"])
    assert "next" not in here or here["next"]["html"] == bare(shown)


def test_settings_are_read_the_same(app: Flask, home: Told) -> None:
    table = Table(app, home, document("block out"))
    form = table.form(**{"name-0": "Zul", "opener": "2", "stakes-amount": "1.000", "stakes-unit": "Rp"})
    server, here = table.post(f"/m/{table.id}/more", form)
    assert here["redirect"] == server.headers["Location"]
    table.learn()
    assert [each["type"] for each in here["append"]] == [each["type"] for each in table.events[2:]]
    assert here["append"][0]["name"] == table.events[2]["name"] == "Zul"
    table.client.get(here["redirect"])  # says what was done
    server, here = table.post(f"/m/{table.id}/more", table.form(**{"name-0": "Budi"}))
    assert here["status"] == server.status_code == 422 and here["html"] == bare(server.text)


def test_who_was_overtaken_is_asked_the_same(app: Flask, home: Told) -> None:
    """The form of a page from before another phone's round: its entry is shown, and what was typed stays."""
    table = Table(app, home, document("block out"))
    typed = {"ending": "domino:1", "hands-0": "7", "hands-2": "8", "hands-3": "9"}
    first = table.client.post(f"/m/{table.id}/round", data=table.form(**typed))
    assert first.status_code == 303
    late = {**table.form(**typed), "key": "other"}
    table.learn()
    server, here = table.post(f"/m/{table.id}/round", late)
    assert here["status"] == server.status_code == 409 and "append" not in here
    assert here["html"] == bare(server.text)


@pytest.mark.parametrize(("variant", "seats"), [("block", 4), ("gaple", 4), ("pontas", 4), ("domeng", 5)])
def test_a_match_begins_the_same(variant: str, seats: int, app: Flask, home: Told) -> None:
    table = Table(app, home, document("block out"))
    form = {f"name-{seat}": name for seat, name in enumerate(PLAYERS[:seats])} | {"seats": str(seats)}
    again, here = table.post(f"/new/{variant}", form)
    assert here["html"] == bare(again.text), "another number of seats: the form again"
    refused, here = table.post(f"/new/{variant}", {**form, "name-0": "Budi", "start": "1", "key": KEY})
    assert here["status"] == refused.status_code == 422 and here["html"] == bare(refused.text)
    made = table.device("submit", f"/new/{variant}", form={**form, "start": "1"}, id="here-1")
    assert made["redirect"] == "/m/here-1"
    server = table.client.post(f"/new/{variant}", data={**form, "start": "1", "key": variant})
    told = json.loads(table.client.get(f"{server.headers['Location']}/events.json").data)
    assert [each["document"] for each in made["begin"]] == [each["document"] for each in told["events"]]


def test_a_rematch_begins_the_same(app: Flask, home: Told) -> None:
    table = Table(app, home, document("pontas won"))
    here = table.device("submit", f"/m/{table.id}/rematch", form={"key": "r"}, id="here-2")
    server = table.client.post(f"/m/{table.id}/rematch", data={"key": "r"})
    told = json.loads(table.client.get(f"{server.headers['Location']}/events.json").data)
    assert here["begin"][0]["document"] == told["events"][0]["document"]


# What is not the device's -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/m/x/share", "/account", "/m/x/round/99", "/new/none", "/rules/none", "/nowhere", ""]
)
def test_only_the_server_has_other_pages(path: str, app: Flask, home: Told) -> None:
    table = Table(app, home, document("block out"))
    assert table.device("page", path.replace("/x", f"/{table.id}"))["error"]["code"] == "not_here"


def test_a_phone_that_watches_writes_nothing(app: Flask, home: Told) -> None:
    table = Table(app, home, document("block out"))
    watching = {**table.told["here"], "role": "watcher", "writes": False}
    for path in ("round", "undo", "more", "round/2", "round/2/void", "rematch"):
        said = table.device("submit", f"/m/{table.id}/{path}", form=table.form(), here=watching)
        assert said["error"]["code"] == "not_here", path
    assert "Undo" not in table.device("page", f"/m/{table.id}", here=watching)["html"]


def test_a_match_of_which_nothing_is_known_is_not_here(app: Flask, home: Told) -> None:
    table = Table(app, home, document("block out"))
    assert table.device("page", "/m/other", events=[])["error"]["code"] == "not_here"


@pytest.mark.parametrize(
    ("waiting", "words"),
    [
        ({"rounds": 1}, "1 round on this phone only"),
        ({"rounds": 2}, "2 rounds on this phone only"),
        ({"others": 1}, "What you changed is on this phone only"),
        ({"local": True}, "This match is on this phone only"),
        ({"matches": 2}, "2 matches have something that is on this phone only"),
    ],
)
def test_what_is_on_this_phone_only_is_said(waiting: Told, words: str, app: Flask, home: Told) -> None:
    told = said(waiting)
    assert words in told["line"] and "goes to the server by itself" in told["line"] and "drop" not in told
    assert ("keep" in told) is ("matches" not in waiting)  # a list is no file to be kept


def test_what_the_server_refuses_can_be_kept_or_dropped() -> None:
    told = said({"rounds": 1, "refused": 403})
    assert "The server does not take it" in told["line"] and told["keep"] and told["drop"]
    assert "by itself" not in told["line"]


def test_what_does_not_fit_any_more_is_asked_about_by_itself() -> None:
    told = said({"rounds": 1, "stuck": 1})
    assert "does not fit the match any more" in told["line"] and told["keep"] and told["drop"]


def test_nothing_is_said_where_all_is_on_the_server_and_the_server_is_there() -> None:
    assert said({"rounds": 0, "others": 0, "local": False}) == {} == said({"matches": 0})
    assert "No network" in said({"rounds": 0, "away": True})["line"]


def said(waiting: Told, language: str = "en") -> Told:
    """The words about what waits on the phone."""
    told: Told = json.loads(device.handle(json.dumps({"do": "kept", "waiting": waiting, "language": language})))
    return told


# What a phone may fetch and bring up ------------------------------------------------------------------------------


def test_a_stranger_is_told_nothing_of_a_match(app: Flask, home: Told) -> None:
    table = Table(app, home, document("block out"))
    assert app.test_client().get(f"/m/{table.id}/events.json").status_code == 404


def test_only_what_is_new_is_told(app: Flask, home: Told) -> None:
    table = Table(app, home, document("block out"))
    told = json.loads(table.client.get(f"/m/{table.id}/events.json?since=1").data)
    assert told["since"] == 1 and [each["version"] for each in told["events"]] == [2]


def test_a_queue_of_another_match_or_of_a_watching_phone_is_refused(app: Flask, home: Told) -> None:
    """What a queue holds is written by nobody who could not write it otherwise."""
    mine, theirs = Table(app, home, document("block out")), Table(app, home, document("block push"))
    sent = {"events": [{"type": "undone"}], "expected": 2, "key": "stolen"}
    said = mine.client.post(f"/api/v1/matches/{theirs.id}/events", json=sent, headers=OURS)
    assert said.status_code == 404
    sharing = app.extensions["sharing"]
    theirs.client.post(f"/m/{theirs.id}/share")
    code = sharing.codes(theirs.id)["watcher"]
    assert mine.client.post(f"/j/{code}", data={"name": "W"}).status_code == 303
    said = mine.client.post(f"/api/v1/matches/{theirs.id}/events", json=sent, headers=OURS)
    assert said.status_code == 403
    told = json.loads(mine.client.get(f"/m/{theirs.id}/events.json").data)
    assert len(told["events"]) == 2 and not told["here"]["writes"]


def test_what_is_sent_twice_is_there_once(app: Flask, home: Told) -> None:
    table = Table(app, home, document("block out"))
    sent = {"events": [{"type": "finished"}], "expected": 2, "key": "once"}
    said = [table.client.post(f"/api/v1/matches/{table.id}/events", json=sent, headers=OURS) for _ in range(2)]
    assert [each.get_json()["replayed"] for each in said] == [False, True]
    table.learn()
    assert len(table.events) == 3


def test_a_form_that_arrived_and_its_copy_from_the_queue_are_one(app: Flask, home: Told) -> None:
    """The server had written it, but its answer was lost on the way: the phone reads the form itself and sends it."""
    table = Table(app, home, document("block out"))
    form = table.form(ending="domino:1", **{"hands-0": "7", "hands-2": "8", "hands-3": "9"})
    server, here = table.post(f"/m/{table.id}/round", form)
    assert server.status_code == 303
    sent = {"events": here["append"], "expected": here["expected"], "key": form["key"]}
    said = table.client.post(f"/api/v1/matches/{table.id}/events", json=sent, headers=OURS)
    assert said.status_code == 201 and said.get_json()["replayed"]
