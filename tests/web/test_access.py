"""Who may do what: every route and every call of the API, and the stream, for every kind of phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.web.live import Streams
from tests.web import loops
from tests.web.asking import API
from tests.web.phones import OURS, Table, cookie_of, listen, shared_table

pytestmark = pytest.mark.each_database

M, A = "/m/<match_id>", f"{API}/matches/<match_id>"
ROUND = {"ending": "domino:1", "hands-0": "1", "hands-2": "2", "hands-3": "3"}
VOID = {"events": [{"type": "round_voided", "id": 2}], "expected": 2, "key": "k"}

# What each route of a match asks for, and what is sent to it. A route is of a match if its address names one.
ROUTES: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {
    ("GET", M): ("watch", {}),
    ("GET", f"{M}/round"): ("score", {}),
    ("POST", f"{M}/round"): ("score", ROUND),
    ("GET", f"{M}/round/<int:id_>"): ("score", {}),
    ("POST", f"{M}/round/<int:id_>"): ("score", ROUND),
    ("POST", f"{M}/preview"): ("score", ROUND),
    ("POST", f"{M}/undo"): ("score", {}),
    ("POST", f"{M}/redo"): ("score", {}),
    ("POST", f"{M}/finish"): ("score", {}),
    ("POST", f"{M}/reopen"): ("score", {}),
    ("POST", f"{M}/round/<int:id_>/void"): ("score", {}),
    ("GET", f"{M}/more"): ("watch", {}),
    ("POST", f"{M}/more"): ("score", {"name-0": "Eka"}),
    ("GET", f"{M}/history"): ("watch", {}),
    ("POST", f"{M}/rematch"): ("score", {}),
    ("GET", f"{M}/match.json"): ("watch", {}),
    ("GET", f"{M}/match.csv"): ("watch", {}),
    ("GET", f"{M}/sheet.svg"): ("watch", {}),
    ("GET", f"{M}/events.json"): ("watch", {}),
    ("GET", f"{M}/screen"): ("watch", {}),
    ("GET", f"{M}/share"): ("watch", {}),
    ("POST", f"{M}/share"): ("own", {}),
    ("POST", f"{M}/share/link"): ("own", {"role": "watcher", "do": "off"}),
    ("POST", f"{M}/share/lock"): ("own", {"locked": "yes"}),
    ("POST", f"{M}/share/phone/<int:number_>"): ("own", {"do": "score"}),
    ("POST", f"{M}/share/name"): ("watch", {"name": "Eka"}),
    ("POST", f"{M}/share/leave"): ("leave", {}),
    ("GET", A): ("watch", {}),
    ("GET", f"{A}/tally"): ("watch", {}),
    ("GET", f"{A}/history"): ("watch", {}),
    ("POST", f"{A}/events"): ("score", VOID),
}
PEOPLE = ("owner", "scorer", "watcher", "locked scorer", "removed", "left", "stranger", "nobody")
MAY = {
    "owner": {"watch", "score", "own"},
    "scorer": {"watch", "score", "leave"},
    "watcher": {"watch", "leave"},
    "locked scorer": {"watch", "leave"},
}


def is_of_a_match(rule: str) -> bool:
    return "<match_id>" in rule


def person(table: Table, who: str) -> FlaskClient:
    """A browser that is this to the match."""
    if who == "owner":
        return table.owner
    if who == "nobody":
        return table.app.test_client()
    if who == "stranger":  # with a match of its own
        return shared_table(table.app).owner
    client = table.join("watcher" if who == "watcher" else "scorer", who)
    if who == "locked scorer":
        assert table.owner.post(table.path("/share/lock"), data={"locked": "yes"}).status_code == 303
    if who == "removed":
        form = {"do": "remove"}
        assert table.owner.post(table.path(f"/share/phone/{table.number(who)}"), data=form).status_code == 303
    if who == "left":
        assert client.post(table.path("/share/leave")).status_code == 303
    return client


def test_every_route_of_a_match_is_in_the_table(house: Flask) -> None:
    there = {
        (method, rule.rule)
        for rule in house.url_map.iter_rules()
        if is_of_a_match(rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert there == set(ROUTES)


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize(("method", "rule"), ROUTES, ids=lambda part: part)
def test_who_may_do_it(house: Flask, method: str, rule: str, who: str) -> None:
    needed, sent = ROUTES[method, rule]
    table = shared_table(house)
    table.join("watcher", "somebody")
    client = person(table, who)
    fill = {"match_id": table.match_id, "id_": "2", "number_": str(table.number("somebody"))}
    address = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: fill[part[1]], rule)
    before = state(table)
    if address.startswith(API):
        answer = client.open(address, method=method, json=sent or None, headers=OURS)
    else:
        form = {"version": "2", "key": "k", **sent} if method == "POST" else None
        answer = client.open(address, method=method, data=form)
    if needed in MAY.get(who, set()):
        assert answer.status_code in (200, 201, 303), answer.text
    elif who == "owner":  # who cannot leave
        assert answer.status_code == 400
    else:
        unknown = 401 if who == "nobody" and address.startswith(API) else 404
        assert answer.status_code == (403 if who in MAY else unknown), answer.text
        assert state(table) == before
        assert not any(name in answer.text for name in ("Ani", "Dewi"))
    if who in ("watcher", "locked scorer"):
        assert table.version() == 2


def state(table: Table) -> Any:
    """All that a write could change."""
    log = table.app.extensions["log"]
    phones = table.sharing.phones(table.match_id)
    return log.read(table.match_id), phones, table.codes, table.sharing.access(table.match_id, phones[0].who)


@pytest.mark.parametrize("query", [b"", b"page=table&lang=en&since=1"])
@pytest.mark.parametrize("who", PEOPLE)
def test_who_hears_the_stream(house: Flask, who: str, query: bytes) -> None:
    table = shared_table(house)
    client = person(table, who)
    status, told = loops.run(listen(Streams(house), table.match_id, cookie_of(client), query))
    assert (status, told) == ((200, ["version", "presence"]) if who in MAY else (404, []))


@pytest.mark.parametrize("cookie", [b"", b"table=", b"table=made.up.cookie", b"other=1; table=\xff"])
def test_the_stream_believes_no_cookie_that_is_not_signed(house: Flask, cookie: bytes) -> None:
    table = shared_table(house)
    assert loops.run(listen(Streams(house), table.match_id, cookie)) == (404, [])


def test_a_match_is_the_same_nothing_for_all_who_may_not_see_it(house: Flask) -> None:
    table = shared_table(house)
    missing = "2" * 15
    for who in ("removed", "left", "stranger"):
        client = person(table, who)
        for rest in ("", "/share", "/history", "/match.json"):
            theirs, none = client.get(table.path(rest)), client.get(f"/m/{missing}{rest}")
            assert theirs.status_code == none.status_code == 404
            assert theirs.text == none.text


def test_a_queue_of_a_watcher_is_refused_as_a_whole(house: Flask) -> None:
    """What was kept on a phone while it could write is no way in once it cannot."""
    table = shared_table(house)
    client = table.join("scorer", "Eka")
    queue: list[Callable[[], Any]] = [
        lambda: table.enter(client, "one"),
        lambda: client.post(f"{API}/matches/{table.match_id}/events", json=VOID, headers=OURS),
    ]
    number = table.number("Eka")
    table.owner.post(table.path(f"/share/phone/{number}"), data={"do": "watch"})
    assert [send().status_code for send in queue] == [403, 403]
    assert table.version() == 2
    table.owner.post(table.path(f"/share/phone/{number}"), data={"do": "score"})
    assert queue[0]().status_code == 303
    assert table.version() == 3
